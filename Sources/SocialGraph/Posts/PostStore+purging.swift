import Database

extension PostStore {
    /// Removes rows that others have left on a deleted post, up to `limit` of each kind; true if there is more.
    package func purgeLeftovers(of post: PostID, limit: Int) async throws -> Bool {
        try await database.write { transaction in
            let bound: [SQLValue] = [.post(post), .integer(Int64(limit))]
            let reshares = try transaction.rows(FeedStore.Reader.resharesOfPostQuery, bound) { $0.integer(0) }
            for reshare in reshares { try ReshareStore.Writer(transaction).deleteReshare(reshare) }
            var mostRemoved = reshares.count
            if let saves = transaction.graphHooks?.saves {
                mostRemoved = max(mostRemoved, try saves.purge(post, limit: limit, transaction))
            }
            for statement in Self.leftoverStatements {
                mostRemoved = max(mostRemoved, try transaction.executeCounting(statement, bound))
            }
            if let discovery = transaction.graphHooks?.discovery {
                mostRemoved = max(mostRemoved, try discovery.purge(post, limit: limit, transaction))
            }
            return mostRemoved == limit
        }
    }

    /// Comments go the latest first: a reply is newer than its parent. Notifications go before their groups.
    static let leftoverStatements = [
        "DELETE FROM post_like WHERE id IN (SELECT id FROM post_like WHERE post_id = ?1 LIMIT ?2)",
        "DELETE FROM comment WHERE id IN (SELECT id FROM comment WHERE post_id = ?1 ORDER BY id DESC LIMIT ?2)",
        "DELETE FROM external_share WHERE id IN (SELECT id FROM external_share WHERE post_id = ?1 LIMIT ?2)",
        """
        DELETE FROM engagement_hour WHERE post_id = ?1
            AND hour IN (SELECT hour FROM engagement_hour WHERE post_id = ?1 LIMIT ?2)
        """,
        "DELETE FROM notification WHERE id IN (SELECT id FROM notification WHERE post_id = ?1 LIMIT ?2)",
        """
        DELETE FROM notification_group WHERE id IN (
            SELECT g.id FROM notification_group g WHERE g.post_id = ?1
                AND NOT EXISTS (SELECT 1 FROM notification n WHERE n.group_id = g.id) LIMIT ?2)
        """,
    ]
}
