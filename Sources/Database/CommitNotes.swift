/// Notes of a transaction for the observers of its commit, in the types of the module that writes. A class, so that a
/// transaction that adds to them copies nothing.
package protocol CommitNotes: AnyObject, Sendable {
    /// The amount noted so far.
    var length: any Sendable { get }

    /// Forgets the notes that came after `length`: the request that made them was undone.
    func cut(to length: any Sendable)

    /// The part of the notes that other processes need, as the log keeps it beside the changes of a group.
    var logged: [UInt8] { get }
}

/// A commit group, as its observers are told of it.
package struct CommitNews: Sendable {
    /// The places of its rows in the change log; nil where there are none. Within a group they are contiguous: a gap to
    /// the group before was written by another process.
    package let sequence: ClosedRange<Int64>?
    /// Nil: its transactions have noted nothing.
    package let notes: (any CommitNotes)?

    package init(sequence: ClosedRange<Int64>?, notes: (any CommitNotes)?) {
        self.sequence = sequence
        self.notes = notes
    }
}
