import Database
import SocialGraph

/// Watch events of users.
package struct WatchStore: Sendable {
    let database: any GraphDatabase

    /// Writes in one transaction.
    package struct Writer {
        let transaction: any GraphTransaction
        package init(_ transaction: any GraphTransaction) { self.transaction = transaction }
    }
}

extension WatchStore {
    /// Records that `user` has watched `seconds` of a video, or all of it. Several events of one user and post are
    /// merged: the longest time and a completed viewing stay, with the time of the last event. A repeated event
    /// therefore changes nothing else. The caller checks visibility. Throws ``GraphError/accountNotFound`` and
    /// ``GraphError/postNotFound``.
    package func watch(_ post: PostID, by user: UserID, seconds: Double, isCompleted: Bool) async throws {
        try await database.write { transaction in
            try AccountStore.Reader(transaction).requireAccounts([user])
            try PostStore.Reader(transaction).requireLive(post)
            try transaction.execute(
                Self.watchStatement,
                [
                    .integer(try transaction.nextID()), .post(post), .user(user), .real(seconds), .flag(isCompleted),
                ])
            try transaction.record(.watched(post, by: user))
        }
    }

    static let watchStatement = """
        INSERT INTO watch (id, post_id, user_id, seconds, completed) VALUES (?1, ?2, ?3, ?4, ?5)
        ON CONFLICT (user_id, post_id) DO UPDATE SET id = excluded.id,
            seconds = CASE WHEN excluded.seconds > watch.seconds THEN excluded.seconds ELSE watch.seconds END,
            completed = CASE WHEN excluded.completed = 1 THEN 1 ELSE watch.completed END
        """

    /// Returns the watches of `user`, latest first.
    package func watches(by user: UserID, below cursor: Int64?, limit: Int) async throws -> Page<Watch, Int64> {
        try await database.read { reader in
            let rows = try reader.rows(
                Self.watchesByUserQuery, [.user(user), .integer(cursor ?? .max), .integer(Int64(limit + 1))],
                Watch.init(row:))
            return Page(rows: rows, limit: limit, cursor: \.id)
        }
    }

    static let watchesByUserQuery = """
        SELECT id, post_id, user_id, seconds, completed FROM watch WHERE user_id = ?1 AND id < ?2
        ORDER BY id DESC LIMIT ?3
        """
}

extension WatchStore.Writer {
    /// Removes up to `limit` watches of a deleted post; returns their number.
    func purgeWatches(of post: PostID, _ limit: Int) throws -> Int {
        try transaction.executeCounting(
            "DELETE FROM watch WHERE id IN (SELECT id FROM watch WHERE post_id = ?1 LIMIT ?2)",
            [.post(post), .integer(Int64(limit))])
    }

    /// Removes up to `limit` watches of a deleted account; returns their number.
    func eraseWatches(_ user: UserID, _ limit: Int) throws -> Int {
        try transaction.executeCounting(
            "DELETE FROM watch WHERE id IN (SELECT id FROM watch WHERE user_id = ?1 LIMIT ?2)",
            [.user(user), .integer(Int64(limit))])
    }
}

extension Watch {
    init(row: any SQLRow) {
        id = row.integer(0)
        post = PostID(rawValue: row.integer(1))
        user = UserID(rawValue: row.integer(2))
        seconds = row.optionalReal(3) ?? 0
        isCompleted = row.integer(4) != 0
    }
}
