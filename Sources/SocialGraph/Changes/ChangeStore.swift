import Database

/// The commit-ordered change log.
package struct ChangeStore: Sendable {
    let database: any GraphDatabase
}

extension ChangeStore {
    /// The place of the latest change; 0 in an empty log.
    package func latestChange() async throws -> Int64 {
        try await database.read {
            try $0.first("SELECT seq FROM change ORDER BY seq DESC LIMIT 1", []) { $0.integer(0) } ?? 0
        }
    }

    /// Changes in `range`, in commit order.
    package func changes(in range: ClosedRange<Int64>) async throws -> [GraphChange] {
        try await database.read { reader in
            try reader.rows(
                "SELECT kind, subject, object FROM change WHERE seq BETWEEN ?1 AND ?2 ORDER BY seq",
                [.integer(range.lowerBound), .integer(range.upperBound)]
            ) { GraphChange(kind: $0.integer(0), subject: $0.integer(1), object: $0.integer(2)) }
        }
    }

    /// Up to `limit` changes above place `cursor`, in commit order, each with its place.
    package func changes(above cursor: Int64, limit: Int) async throws -> [LoggedChange] {
        try await database.read { reader in
            try reader.rows(
                "SELECT seq, kind, subject, object FROM change WHERE seq > ?1 ORDER BY seq LIMIT ?2",
                [.integer(cursor), .integer(Int64(limit))]
            ) { row in
                LoggedChange(
                    sequence: row.integer(0),
                    change: GraphChange(kind: row.integer(1), subject: row.integer(2), object: row.integer(3)))
            }
        }
    }

    /// The place of the oldest change that is kept; nil in an empty log.
    package func oldestChange() async throws -> Int64? {
        try await database.read {
            try $0.first("SELECT seq FROM change ORDER BY seq LIMIT 1", []) { $0.integer(0) }
        }
    }

    /// Forgets all but the newest ``SocialGraphLimits/changeLogRows`` changes, and idempotency keys and sessions
    /// past their time.
    package func prune() async throws {
        try await database.write { transaction in
            try transaction.execute(
                "DELETE FROM change WHERE seq <= (SELECT MAX(seq) FROM change) - ?1",
                [.integer(SocialGraphLimits.changeLogRows)])
            try transaction.execute(
                "DELETE FROM idempotency WHERE created_at < ?1",
                [.integer(transaction.expiryTime - SocialGraphLimits.idempotencyRetention)])
            try EngagementStore.Writer(transaction).pruneEngagement()
            try RankingStore.Writer(transaction).pruneRankings()
            try RecommendationStore.Writer(transaction).pruneRecommendations()
            try SessionStore.Writer(transaction).pruneSessions()
        }
    }
}

/// A change and its place in the log.
package struct LoggedChange: Sendable, Equatable {
    package let sequence: Int64
    package let change: GraphChange
}
