import Database
import SocialGraph
import Synchronization

/// An observer that keeps every commit.
package final class CommitLog: Sendable {
    private let entries = Mutex<[CommitRecord]>([])

    package init(of database: any GraphDatabase) {
        database.observeCommits { [self] record in entries.withLock { $0.append(record) } }
    }

    package var records: [CommitRecord] { entries.withLock { $0 } }
    package var changes: [GraphChange] { records.flatMap(\.changes) }
    /// The changes without those about notifications.
    package var graphChanges: [GraphChange] {
        changes.filter { $0.kind != .notified && $0.kind != .notificationsChanged }
    }
    package var jobs: [OutboxJob] { records.flatMap(\.jobs) }
}
