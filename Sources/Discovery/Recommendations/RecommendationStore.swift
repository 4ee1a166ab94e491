import Database
import SocialGraph

/// A list of recommendations as first made, stored so that its pages agree.
package struct StoredRecommendations: Sendable, Equatable {
    package let id: Int64
    package let user: UserID
    /// Name of the list's scope.
    package let scope: String
    /// Time of creation, in milliseconds since 1970.
    package let createdAt: Int64
    /// Encoded entries, opaque to the store: the maker of the list writes and reads them.
    package let entries: [UInt8]

    package init(id: Int64, user: UserID, scope: String, createdAt: Int64, entries: [UInt8]) {
        self.id = id
        self.user = user
        self.scope = scope
        self.createdAt = createdAt
        self.entries = entries
    }
}

/// The latest computed recommendations and their inputs.
package struct RecommendationStore: Sendable {
    let database: any GraphDatabase

    /// Writes in one transaction.
    package struct Writer {
        let transaction: any GraphTransaction
        package init(_ transaction: any GraphTransaction) { self.transaction = transaction }
    }
}

extension RecommendationStore {
    /// Stores a list of `user` for ``DiscoveryLimits/rankingRetention``, and deletes older lists beyond
    /// ``DiscoveryLimits/recommendationListsPerUser``. Throws ``GraphError/accountNotFound``.
    package func storeRecommendations(
        _ entries: [UInt8], for user: UserID, scope: String
    ) async throws -> StoredRecommendations {
        try await database.write { transaction in
            try AccountStore.Reader(transaction).requireAccounts([user])
            try Writer(transaction).pruneRecommendations()
            let lists = try transaction.rows(Self.recommendationListsQuery, [.user(user)]) { $0.integer(0) }
            for old in lists.dropFirst(DiscoveryLimits.recommendationListsPerUser - 1) {
                try transaction.execute("DELETE FROM recommendation_list WHERE id = ?1", [.integer(old)])
            }
            let id = try transaction.nextID()
            try transaction.execute(
                """
                INSERT INTO recommendation_list (id, user_id, scope, created_at, entries)
                VALUES (?1, ?2, ?3, ?4, ?5)
                """, [.integer(id), .user(user), .text(scope), .integer(transaction.now), .blob(entries)])
            return StoredRecommendations(
                id: id, user: user, scope: scope, createdAt: transaction.now, entries: entries)
        }
    }

    static let recommendationListsQuery =
        "SELECT id FROM recommendation_list WHERE user_id = ?1 ORDER BY id DESC"

    /// Returns the list with the id; nil if it has expired or never existed.
    package func recommendations(_ id: Int64) async throws -> StoredRecommendations? {
        try await database.read { reader in
            try reader.first(Self.recommendationListQuery, [.integer(id)]) {
                StoredRecommendations(
                    id: $0.integer(0), user: UserID(rawValue: $0.integer(1)), scope: $0.text(2),
                    createdAt: $0.integer(3), entries: $0.blob(4))
            }
        }
    }

    static let recommendationListQuery =
        "SELECT id, user_id, scope, created_at, entries FROM recommendation_list WHERE id = ?1"
}

extension RecommendationStore.Writer {
    func pruneRecommendations() throws {
        try transaction.execute(
            "DELETE FROM recommendation_list WHERE created_at < ?1",
            [.integer(transaction.now - DiscoveryLimits.rankingRetention)])
    }

    /// Removes up to `limit` lists of a deleted account; returns their number.
    func eraseRecommendations(_ user: UserID, _ limit: Int) throws -> Int {
        try transaction.executeCounting(
            """
            DELETE FROM recommendation_list WHERE id IN (SELECT id FROM recommendation_list WHERE user_id = ?1 LIMIT ?2)
            """, [.user(user), .integer(Int64(limit))])
    }
}
