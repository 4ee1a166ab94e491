extension GraphStore {
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
            ) { row in
                GraphChange.Kind(rawValue: row.integer(0)).map {
                    GraphChange($0, subject: row.integer(1), object: row.integer(2))
                }
            }.compactMap { $0 }
        }
    }

    /// Forgets all but the newest ``SocialGraphLimits/changeLogRows`` changes, and idempotency keys past their time.
    package func prune() async throws {
        try await database.write { transaction in
            try transaction.execute(
                "DELETE FROM change WHERE seq <= (SELECT MAX(seq) FROM change) - ?1",
                [.integer(SocialGraphLimits.changeLogRows)])
            try transaction.execute(
                "DELETE FROM idempotency WHERE created_at < ?1",
                [.integer(transaction.now - SocialGraphLimits.idempotencyRetention)])
        }
    }
}
