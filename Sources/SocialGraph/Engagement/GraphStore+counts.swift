/// Counts equal the rows that they count: both change in one transaction, here alone.
extension GraphStore {
    /// Adds `step` to a post's count, and to that of the hour of the act with the id `act`.
    static func count(
        _ step: Int64, _ kind: EngagementKind, of post: PostID, act: Int64, in transaction: any GraphTransaction
    ) throws {
        try transaction.execute(Self.countStatement(kind), [.post(post), .integer(step)])
        let key: [SQLValue] = [.integer(EngagementClock.hour(of: act)), .post(post)]
        let arguments = key + EngagementKind.allCases.map { .integer($0 == kind ? step : 0) }
        // What was done in an hour that is not kept any more is in no row.
        if try transaction.execute(countHourStatement, arguments) == 0, step > 0 {
            try transaction.execute(insertHourStatement, arguments)
        }
    }

    private static func countStatement(_ kind: EngagementKind) -> String {
        switch kind {
        case .likes: "UPDATE post SET likes_count = likes_count + ?2 WHERE id = ?1"
        case .comments: "UPDATE post SET comments_count = comments_count + ?2 WHERE id = ?1"
        case .shares: "UPDATE post SET shares_count = shares_count + ?2 WHERE id = ?1"
        }
    }

    static let countHourStatement = """
        UPDATE engagement_hour SET likes = likes + ?3, comments = comments + ?4, shares = shares + ?5
        WHERE hour = ?1 AND post_id = ?2
        """
    static let insertHourStatement =
        "INSERT INTO engagement_hour (hour, post_id, likes, comments, shares) VALUES (?1, ?2, ?3, ?4, ?5)"

    static func counts(of post: PostID, _ reader: any SQLReader) throws -> EngagementCounts {
        let counts = try reader.first(
            "SELECT likes_count, comments_count, shares_count FROM post WHERE id = ?1", [.post(post)]
        ) { EngagementCounts(likes: $0.integer(0), comments: $0.integer(1), shares: $0.integer(2)) }
        guard let counts else { throw GraphError.postNotFound }
        return counts
    }

    /// Throws ``GraphError/postNotFound``.
    package func counts(of post: PostID) async throws -> EngagementCounts {
        try await database.read { reader in
            try Self.requireLive(post, in: reader)
            return try Self.counts(of: post, reader)
        }
    }
}
