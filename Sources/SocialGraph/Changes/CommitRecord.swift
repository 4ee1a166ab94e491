import Database

/// The changes of one commit group, in commit order.
package struct CommitRecord: Sendable {
    package let changes: [GraphChange]
    /// The places of `changes` in the log; nil if there are none. Within a group they are contiguous: a gap to the
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

/// The parts of a ``CommitRecord``, as transactions leave them.
///
/// Proof: a single transaction adds to it, on the queue of the writer, and observers read its final value.
final class CommitParts: CommitNotes, @unchecked Sendable {
    private struct Length {
        let changes: Int
        let jobs: Int
        let touched: Int
    }

    var changes: [GraphChange] = []
    var jobs: [OutboxJob] = []
    var touched: [FeedSource] = []

    var length: any Sendable { Length(changes: changes.count, jobs: jobs.count, touched: touched.count) }

    /// The touched feeds.
    var logged: [UInt8] { FeedSourceCoding.encode(touched) }

    func cut(to length: any Sendable) {
        guard let length = length as? Length else { return }
        changes.removeLast(changes.count - length.changes)
        jobs.removeLast(jobs.count - length.jobs)
        touched.removeLast(touched.count - length.touched)
    }
}

extension GraphTransaction {
    /// Appends to the commit-ordered change log.
    package func record(_ change: GraphChange) throws {
        let row = change.row
        try log(kind: row.kind, subject: row.subject, object: row.object)
        noteParts { $0.changes.append(change) }
    }

    /// Announces to observers a job that this transaction has put into the outbox.
    func announce(_ job: OutboxJob) { noteParts { $0.jobs.append(job) } }

    /// Announces to observers, and through the log to other processes, a feed that has gained or lost an entry by a
    /// change that this transaction records.
    func touch(_ source: FeedSource) { noteParts { $0.touched.append(source) } }

    private func noteParts(_ body: (CommitParts) -> Void) {
        note { notes in
            let parts = notes as? CommitParts ?? CommitParts()
            body(parts)
            notes = parts
        }
    }
}

extension GraphDatabase {
    /// Registers `observer`, see ``observe(_:)``.
    package func observeCommits(_ observer: @escaping @Sendable (CommitRecord) -> Void) {
        observe { news in
            let parts = news.notes as? CommitParts ?? CommitParts()
            observer(
                CommitRecord(
                    changes: parts.changes, sequence: news.sequence, jobs: parts.jobs, touched: parts.touched))
        }
    }
}
