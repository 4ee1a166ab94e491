import Database
import Synchronization

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
final class CommitParts: CommitNotes {
    struct Content {
        var changes: [GraphChange] = []
        var jobs: [OutboxJob] = []
        var touched: [FeedSource] = []
    }

    private struct Length {
        let changes: Int
        let jobs: Int
        let touched: Int
    }

    private let content = Mutex(Content())

    var length: any Sendable {
        content.withLock { Length(changes: $0.changes.count, jobs: $0.jobs.count, touched: $0.touched.count) }
    }

    var jobs: [Int64] { content.withLock { $0.jobs.map(\.id.rawValue) } }

    /// The touched feeds.
    var logged: [UInt8] { FeedSourceCoding.encode(noted.touched) }

    /// The content so far.
    var noted: Content { content.withLock { $0 } }

    func note(_ change: (inout Content) -> Void) { content.withLock { change(&$0) } }

    func cut(to length: any Sendable) {
        guard let length = length as? Length else { return }
        note {
            $0.changes.removeLast($0.changes.count - length.changes)
            $0.jobs.removeLast($0.jobs.count - length.jobs)
            $0.touched.removeLast($0.touched.count - length.touched)
        }
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

    private func noteParts(_ change: (inout CommitParts.Content) -> Void) {
        note { notes in
            let parts = notes as? CommitParts ?? CommitParts()
            parts.note(change)
            notes = parts
        }
    }
}

extension GraphDatabase {
    /// Registers `observer`, see ``observe(_:)``.
    package func observeCommits(_ observer: @escaping @Sendable (CommitRecord) -> Void) {
        observe { news in
            let it = (news.notes as? CommitParts)?.noted ?? CommitParts.Content()
            observer(CommitRecord(changes: it.changes, sequence: news.sequence, jobs: it.jobs, touched: it.touched))
        }
    }
}
