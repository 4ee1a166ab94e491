import Database
import SocialGraph

/// The latest computed rankings.
package struct RankingStore: Sendable {
    let database: any GraphDatabase

    /// Writes in one transaction.
    package struct Writer {
        let transaction: any GraphTransaction
        package init(_ transaction: any GraphTransaction) { self.transaction = transaction }
    }
}

extension RankingStore {
    /// Stores an order of posts, best first: at most ``DiscoveryLimits/rankingLength`` of them. Deletes rankings older
    /// than ``DiscoveryLimits/rankingRetention``.
    package func storeRanking(_ posts: [PostID], as name: String) async throws -> Ranking {
        let kept = Array(posts.prefix(DiscoveryLimits.rankingLength))
        let bytes = RankingCoding.bytes(of: kept)
        return try await database.write { transaction in
            try Writer(transaction).pruneRankings()
            let id = try transaction.nextID()
            try transaction.execute(
                "INSERT INTO ranking (id, name, created_at, posts) VALUES (?1, ?2, ?3, ?4)",
                [.integer(id), .text(name), .integer(transaction.now), .blob(bytes)])
            return Ranking(id: id, name: name, createdAt: transaction.now, posts: kept)
        }
    }

    /// Returns the newest ranking of the name; nil if none is stored.
    package func latestRanking(_ name: String) async throws -> Ranking? {
        try await database.read { try $0.first(Self.latestRankingQuery, [.text(name)], Ranking.init(row:)) }
    }

    static let latestRankingQuery = """
        SELECT id, name, created_at, posts FROM ranking WHERE name = ?1 ORDER BY id DESC LIMIT 1
        """

    /// Returns the ranking with the id; nil if it has expired or never existed.
    package func ranking(_ id: Int64) async throws -> Ranking? {
        try await database.read { try $0.first(Self.rankingQuery, [.integer(id)], Ranking.init(row:)) }
    }

    static let rankingQuery = "SELECT id, name, created_at, posts FROM ranking WHERE id = ?1"
}

extension RankingStore.Writer {
    func pruneRankings() throws {
        try transaction.execute(
            "DELETE FROM ranking WHERE created_at < ?1",
            [.integer(transaction.now - DiscoveryLimits.rankingRetention)])
    }
}

extension Ranking {
    fileprivate init(row: any SQLRow) throws {
        self.init(
            id: row.integer(0), name: row.text(1), createdAt: row.integer(2),
            posts: try RankingCoding.posts(in: row.blob(3)))
    }
}
