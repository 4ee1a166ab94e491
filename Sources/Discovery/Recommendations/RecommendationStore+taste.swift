import Database
import SocialGraph

/// Acts that recommendations learn from: those of one user, and those of everybody.
extension RecommendationStore {
    /// Returns the latest `limit` acts of each kind by `user`, in no particular order.
    package func tasteActs(of user: UserID, limit: Int) async throws -> [TasteAct] {
        try await database.read { reader in
            let kinds = TasteAct.Kind.allCases
            var acts: [TasteAct] = []
            try reader.fetch(
                kinds.map { SQLQuery($0.ofUserQuery, [.user(user), .integer(Int64(limit))]) }
            ) { index, row in
                acts.append(TasteAct(kinds[index], row: row))
                return true
            }
            return acts
        }
    }

    /// Returns up to `limit` acts of the kind by anybody with ids below `cursor`, latest first.
    package func tasteActs(_ kind: TasteAct.Kind, below cursor: Int64, limit: Int) async throws -> [TasteAct] {
        try await database.read { reader in
            try reader.rows(kind.walkQuery, [.integer(cursor), .integer(Int64(limit))]) { TasteAct(kind, row: $0) }
        }
    }

    /// Returns, for each of `posts` in order, whether `user` has seen it: liked, saved or reshared it, or watched
    /// enough of it.
    package func hasSeen(_ posts: [PostID], _ user: UserID) async throws -> [Bool] {
        try await database.read { reader in
            try reader.exist(
                posts.map { post in
                    SQLQuery(
                        Self.seenProbe,
                        [.user(user), .post(post), .real(WatchedEnough.share), .real(WatchedEnough.seconds)])
                })
        }
    }

    static let seenProbe = """
        SELECT 1 FROM post_like WHERE user_id = ?1 AND post_id = ?2
        UNION ALL SELECT 1 FROM saved_post WHERE user_id = ?1 AND post_id = ?2
        UNION ALL SELECT 1 FROM reshare WHERE user_id = ?1 AND post_id = ?2
        UNION ALL SELECT 1 FROM watch w LEFT JOIN post_attribute d
            ON d.post_id = w.post_id AND d.name = 'duration' AND d.ordinal = 0
        WHERE w.user_id = ?1 AND w.post_id = ?2
            AND (w.completed = 1 OR w.seconds >= COALESCE(d.number_value * ?3, ?4))
        LIMIT 1
        """
}

extension TasteAct.Kind {
    var ofUserQuery: String {
        switch self {
        case .watch: Self.watchColumns + " WHERE w.user_id = ?1 ORDER BY w.id DESC LIMIT ?2"
        default: columns + " WHERE user_id = ?1\(condition) ORDER BY id DESC LIMIT ?2"
        }
    }

    var walkQuery: String {
        switch self {
        case .watch: Self.watchColumns + " WHERE w.id < ?1 ORDER BY w.id DESC LIMIT ?2"
        default: columns + " WHERE id < ?1\(condition) ORDER BY id DESC LIMIT ?2"
        }
    }

    private var condition: String { self == .comment ? " AND deleted_at IS NULL" : "" }

    private var columns: String {
        switch self {
        case .like: "SELECT id, post_id, user_id FROM post_like"
        case .save: "SELECT id, post_id, user_id FROM saved_post"
        case .comment: "SELECT id, post_id, user_id FROM comment"
        case .reshare: "SELECT id, post_id, user_id FROM reshare"
        case .externalShare: "SELECT id, post_id, user_id FROM external_share"
        case .watch: Self.watchColumns
        }
    }

    private static let watchColumns = """
        SELECT w.id, w.post_id, w.user_id, w.seconds, w.completed, d.number_value FROM watch w
        LEFT JOIN post_attribute d ON d.post_id = w.post_id AND d.name = 'duration' AND d.ordinal = 0
        """
}

extension TasteAct {
    fileprivate init(_ kind: Kind, row: any SQLRow) {
        self.init(
            kind: kind, id: row.integer(0), post: PostID(rawValue: row.integer(1)),
            user: UserID(rawValue: row.integer(2)),
            share: kind == .watch
                ? WatchedEnough.share(
                    seconds: row.optionalReal(3) ?? 0, isCompleted: row.integer(4) != 0,
                    duration: row.optionalReal(5))
                : 1)
    }
}
