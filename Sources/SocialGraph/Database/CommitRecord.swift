/// What one commit group did, in commit order.
package struct CommitRecord: Sendable {
    package let changes: [GraphChange]
    /// The places of `changes` in the log; nil where there are none. Within a group they are contiguous: a gap to the
    /// group before was written by another process.
    package let sequence: ClosedRange<Int64>?
    package let jobs: [OutboxJob]
    /// Feeds that have gained or lost an entry.
    package let touched: [FeedSource]

    package init(
        changes: [GraphChange], sequence: ClosedRange<Int64>?, jobs: [OutboxJob], touched: [FeedSource] = []
    ) {
        self.changes = changes
        self.sequence = sequence
        self.jobs = jobs
        self.touched = touched
    }
}
