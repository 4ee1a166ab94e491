import Database

/// The commit-ordered change log.
package struct ChangeStore: Sendable {
    let database: any GraphDatabase
}

extension ChangeStore {
    /// The place of the latest change; 0 in an empty log.
    package func latestChange() async throws -> Int64 {
        try await database.read { try $0.first(LogLook.latestQuery, []) { $0.integer(0) } ?? 0 }
    }

    /// Reads what was committed past the place `known` in the log: ``LoggedGroups/unknown`` if part of it has been
    /// removed, or if it is much.
    ///
    /// - Parameters:
    ///   - job: the last job that is known; nil: neither jobs nor the state of the windows are read.
    package func news(past known: Int64, jobsAbove job: JobID?) async throws -> LogNews {
        let bounds = [SQLValue.integer(known), .integer(Int64(Self.newsAtOnce))]
        var queries = [SQLQuery(Self.newerQuery, bounds), SQLQuery(Self.newerGroupsQuery, bounds), LogLook.query]
        if let job { queries += [LogLook.windowsQuery, OutboxStore.query(above: job, limit: Self.newsAtOnce)] }
        return try await database.read { [queries] reader in
            var news = LogNews(upTo: known)
            try reader.fetch(queries) { index, row in
                switch index {
                case 0: news.groups.changes.append(LoggedChange(row: row).change)
                case 1: news.groups.addTouched(row.blob(0))
                case 2: news.upTo = max(known, row.integer(0))
                case 3: news.windows = LogLook.windows(row)
                default: news.jobs.append(try OutboxJob(row: row))
                }
                return true
            }
            if news.groups.changes.count != news.upTo - known { news.groups = .unknown }
            return news
        }
    }

    /// Changes, groups and jobs that one look reads.
    package static let newsAtOnce = 4_096

    /// Up to `limit` changes above place `cursor`, in commit order, each with its place.
    package func changes(above cursor: Int64, limit: Int) async throws -> [LoggedChange] {
        try await database.read { reader in
            try reader.rows(Self.newerQuery, [.integer(cursor), .integer(Int64(limit))], LoggedChange.init(row:))
        }
    }

    private static let newerGroupsQuery = "SELECT touched FROM change_group WHERE seq > ?1 ORDER BY seq LIMIT ?2"
    private static let newerQuery = "SELECT seq, kind, subject, object FROM change WHERE seq > ?1 ORDER BY seq LIMIT ?2"

    /// The place of the oldest change that is kept; nil in an empty log.
    package func oldestChange() async throws -> Int64? {
        try await database.read {
            try $0.first("SELECT seq FROM change ORDER BY seq LIMIT 1", []) { $0.integer(0) }
        }
    }

    private static let mutesAtOnce = 1_000

    /// Removes changes that are older than the log reaches back, and expired idempotency keys, mutes and sessions. The
    /// latest change stays, so no place is assigned twice.
    package func prune() async throws {
        try await database.write { transaction in
            let cut =
                try transaction.first(Self.cutQuery, [.integer(try transaction.horizon(of: .streamEvents))]) {
                    $0.optionalInteger(0)
                } ?? nil
            if let cut {
                try transaction.execute("DELETE FROM change WHERE seq <= ?1", [.integer(cut)])
                try transaction.execute("DELETE FROM change_group WHERE seq <= ?1", [.integer(cut)])
            }
            // Keys of release 0.1.0.
            try transaction.execute(
                "DELETE FROM idempotency WHERE created_at < ?1",
                [.integer(transaction.expiryTime - SocialGraphLimits.idempotencyRetention)])
            try EngagementStore.Writer(transaction).pruneEngagement()
            try transaction.graphHooks?.discovery.prune(transaction)
            try AccountStore.Writer(transaction).pruneIdentities()
            try BlockAndMuteStore.Writer(transaction).removeExpiredMutes(limit: Self.mutesAtOnce)
            try transaction.execute(
                "DELETE FROM muted_word WHERE expires_at <= ?1", [.integer(transaction.expiryTime)])
            try transaction.graphHooks?.sessions.prune(transaction)
        }
        while try await database.write({
            try $0.graphHooks?.idempotency.prune(limit: Self.requestsPerStep, $0) ?? false
        }) {}
    }

    /// Answered requests that one step of upkeep removes.
    private static let requestsPerStep = 1_000
}

extension ChangeStore {
    /// The last change before the oldest group within its time, never the latest change. The query examines the groups
    /// to remove and one more.
    static let cutQuery = """
        SELECT MAX(seq) FROM change_group
        WHERE seq < (SELECT MAX(seq) FROM change)
            AND seq < COALESCE(
                (SELECT seq FROM change_group WHERE committed_at >= ?1 ORDER BY seq LIMIT 1), 9223372036854775807)
        """
}

/// The changes of commit groups, as another process reads them.
package struct LoggedGroups: Sendable {
    /// The changes in commit order.
    package fileprivate(set) var changes: [GraphChange] = []
    /// Feeds that have gained or lost an entry; nil: unknown.
    package private(set) var touched: [FeedSource]? = []

    /// A gap in the log: its readers clear their caches.
    static let unknown = LoggedGroups(changes: [.unknown(kind: 0, subject: 0, object: 0)], touched: nil)

    fileprivate mutating func addTouched(_ bytes: [UInt8]) {
        guard let sources = FeedSourceCoding.decode(bytes) else { return touched = nil }
        touched?.append(contentsOf: sources)
    }
}

/// News from the log and the outbox.
package struct LogNews: Sendable {
    /// The place of the latest change.
    package fileprivate(set) var upTo: Int64
    package fileprivate(set) var groups = LoggedGroups()
    /// In order, at most ``ChangeStore/newsAtOnce``.
    package fileprivate(set) var jobs: [OutboxJob] = []
    /// The state of the windows; see ``LogLook/windows``.
    package fileprivate(set) var windows: Int64 = 0
}

/// A change and its place in the log.
package struct LoggedChange: Sendable, Equatable {
    package let sequence: Int64
    package let change: GraphChange
}

extension LoggedChange {
    /// - Parameter row: place, kind, subject, object.
    fileprivate init(row: any SQLRow) {
        self.init(
            sequence: row.integer(0),
            change: GraphChange(kind: row.integer(1), subject: row.integer(2), object: row.integer(3)))
    }
}
