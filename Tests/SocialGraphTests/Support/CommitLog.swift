import Database
import SocialGraph
import Synchronization

/// An observer that keeps every commit it is told of.
final class CommitLog: Sendable {
    private let entries = Mutex<[CommitRecord]>([])

    init(of database: SQLiteDatabase) {
        database.observeCommits { [self] record in entries.withLock { $0.append(record) } }
    }

    var records: [CommitRecord] { entries.withLock { $0 } }
    var changes: [GraphChange] { records.flatMap(\.changes) }
    /// Without what recipients of notifications are told.
    var graphChanges: [GraphChange] {
        changes.filter { $0.kind != .notified && $0.kind != .notificationsChanged }
    }
    var jobs: [OutboxJob] { records.flatMap(\.jobs) }
}
