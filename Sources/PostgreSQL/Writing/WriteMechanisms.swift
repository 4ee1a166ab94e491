/// The mechanisms that make writes safe and fast. Tests switch them off one by one, to show that another test notices.
struct WriteMechanisms: Sendable {
    /// A group locks the sequencer row, so that groups of all nodes follow one another.
    var takesSequencer = true
    /// A commit whose outcome is unknown is looked up, and run again exactly if it has not happened.
    var asksForToken = true
    /// Requests that come while a group waits for the sequencer row join it.
    var admitsLateComers = true
    /// A group that writes to the change log wakes the other nodes.
    var wakesOthers = true
    /// Statements without a result travel with the next query.
    var defersStatements = true
}
