/// Notes of a transaction for the observers of its commit, in the types of the writing module. A class, so that adding
/// to them copies nothing.
package protocol CommitNotes: AnyObject, Sendable {
    /// The amount noted so far.
    var length: any Sendable { get }

    /// Removes the notes that came after `length`, because their request was undone.
    func cut(to length: any Sendable)

    /// The ids of the jobs noted so far.
    var jobs: [Int64] { get }

    /// The part of the notes that other processes need, stored in the log beside the changes of a group.
    var logged: [UInt8] { get }
}

/// A commit group, as its observers receive it.
package struct CommittedGroup: Sendable {
    /// The places of its rows in the change log; nil: it has none. Within a group they are contiguous: a gap to the
    /// group before was written by another process.
    package let sequence: ClosedRange<Int64>?
    /// The notes of its transactions; nil: there are none.
    package let notes: (any CommitNotes)?

    package init(sequence: ClosedRange<Int64>?, notes: (any CommitNotes)?) {
        self.sequence = sequence
        self.notes = notes
    }
}
