import Database
import SocialGraph

/// Bulk reads of engagement for rankings and trends, row by row on one snapshot.
package struct TrendStore: Sendable {
    let database: any GraphDatabase
}

extension TrendStore {
    /// Folds the engagement of posts in `hours` (since 1970), latest hour first, until `update` returns false.
    package func foldEngagement<Result: Sendable>(
        in hours: ClosedRange<Int64>, into initial: Result,
        _ update: @escaping @Sendable (inout Result, HourOfEngagement) -> Bool
    ) async throws -> Result {
        try await database.read { reader in
            var result = initial
            let bounds: [SQLValue] = [.integer(hours.lowerBound), .integer(hours.upperBound)]
            try reader.forEach(Self.engagementQuery, bounds) { update(&result, HourOfEngagement(row: $0)) }
            return result
        }
    }

    static let engagementQuery = """
        SELECT hour, post_id, likes, comments, shares FROM engagement_hour
        WHERE hour >= ?1 AND hour <= ?2 ORDER BY hour DESC, post_id DESC
        """

    /// Returns the engagement of each of `posts` in `hours`, in no particular order.
    package func engagement(of posts: [PostID], in hours: ClosedRange<Int64>) async throws -> [HourOfEngagement] {
        try await database.read { reader in
            let queries = posts.map { post in
                SQLQuery(
                    Self.engagementOfPostQuery,
                    [.post(post), .integer(hours.lowerBound), .integer(hours.upperBound)])
            }
            return try reader.rows(of: queries, HourOfEngagement.init(row:)).flatMap(\.self)
        }
    }

    static let engagementOfPostQuery = """
        SELECT hour, post_id, likes, comments, shares FROM engagement_hour
        WHERE post_id = ?1 AND hour >= ?2 AND hour <= ?3
        """

    /// Folds the acts since `time` (milliseconds since 1970), kind by kind, the latest `limit` of each, latest first.
    /// Only the first of repeated acts by one user on one post counts, as in the hourly counts.
    package func foldActs<Result: Sendable>(
        since time: Int64, limit: Int, into initial: Result,
        _ update: @escaping @Sendable (inout Result, EngagementAct) -> Void
    ) async throws -> Result {
        try await database.read { reader in
            var result = initial
            for kind in EngagementAct.Kind.allCases {
                let bounds: [SQLValue] = [.integer(IDSequence.first(at: time)), .integer(Int64(limit))]
                try reader.forEach(Self.actsQuery(kind), bounds) { row in
                    guard row.integer(2) != 0 else { return true }
                    let act = EngagementAct(
                        kind: kind, post: PostID(rawValue: row.integer(1)),
                        time: IDSequence.milliseconds(of: row.integer(0)))
                    update(&result, act)
                    return true
                }
            }
            return result
        }
    }

    private static func counted(_ comment: String) -> String { EngagementStore.Reader.counted(comment) }

    static func actsQuery(_ kind: EngagementAct.Kind) -> String {
        switch kind {
        case .like: "SELECT id, post_id, 1 FROM post_like WHERE id >= ?1 ORDER BY id DESC LIMIT ?2"
        case .comment:
            """
            SELECT a.id, a.post_id, NOT EXISTS (SELECT 1 FROM comment c
                WHERE c.post_id = a.post_id AND c.user_id = a.user_id AND c.id < a.id AND \(counted("c")))
            FROM comment a WHERE a.id >= ?1 AND \(counted("a")) ORDER BY a.id DESC LIMIT ?2
            """
        case .reshare:
            """
            SELECT a.id, a.post_id, NOT EXISTS (SELECT 1 FROM external_share s
                WHERE s.post_id = a.post_id AND s.user_id = a.user_id AND s.id < a.id)
            FROM reshare a WHERE a.id >= ?1 ORDER BY a.id DESC LIMIT ?2
            """
        case .externalShare:
            """
            SELECT a.id, a.post_id, NOT EXISTS (SELECT 1 FROM external_share s
                    WHERE s.post_id = a.post_id AND s.user_id = a.user_id AND s.id < a.id)
                AND NOT EXISTS (SELECT 1 FROM reshare r
                    WHERE r.user_id = a.user_id AND r.post_id = a.post_id AND r.id < a.id)
            FROM external_share a WHERE a.id >= ?1 ORDER BY a.id DESC LIMIT ?2
            """
        }
    }
}

extension HourOfEngagement {
    fileprivate init(row: any SQLRow) {
        hour = row.integer(0)
        post = PostID(rawValue: row.integer(1))
        counts = EngagementCounts(likes: row.integer(2), comments: row.integer(3), shares: row.integer(4))
    }
}
