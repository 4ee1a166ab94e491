import Database

/// The definition of the home timeline, in plain statements, for the verifier and tests. They share no code with the
/// queries above, and favour plainness over speed, but leave no planner a way to read the reasons once for each post.
package struct FeedStore: Sendable {
    let database: any GraphDatabase

    /// Queries on one snapshot.
    package struct Reader {
        let reader: any SQLReader
        package init(_ reader: any SQLReader) { self.reader = reader }
    }
}

extension FeedStore {
    /// The whole home timeline of `viewer`, newest first, at or above `floor`: every live post that the viewer may see
    /// and reaches, once, at the smallest place by which the viewer reaches it.
    package func homeByDefinition(
        of viewer: UserID, from floor: FeedPosition = .beginning
    ) async throws -> [FeedEntry] {
        let time = database.expiryTime
        return try await database.read { reader in
            try reader.rows(Self.homeDefinition, [.user(viewer), .position(floor), .integer(time)]) {
                FeedEntry(position: FeedPosition(rawValue: $0.integer(1)), post: PostID(rawValue: $0.integer(0)))
            }
        }
    }

    static let homeDefinition = """
        WITH actor (id) AS (
            SELECT id FROM account WHERE id = ?1 AND suspended_at IS NULL
            UNION ALL SELECT f.followee_id FROM follow f JOIN account a ON a.id = f.followee_id
            WHERE f.follower_id = ?1 AND a.deleted_at IS NULL AND a.suspended_at IS NULL
        ), reason (post_id, position) AS (
            SELECT ap.post_id, ap.post_id FROM actor a JOIN author_post ap ON ap.author_id = a.id
            UNION ALL
            SELECT r.post_id, r.id FROM actor a JOIN reshare r ON r.user_id = a.id
            WHERE NOT EXISTS (SELECT 1 FROM mute WHERE muter_id = ?1 AND muted_id = a.id AND reshares = 1
                AND (expires_at IS NULL OR expires_at > ?3))
            UNION ALL
            SELECT tp.post_id, tp.post_id FROM account me JOIN topic_follow tf ON tf.user_id = me.id
                JOIN topic t ON t.topic_key = tf.topic_key JOIN topic_post tp ON tp.topic_id = t.id
            WHERE me.id = ?1 AND me.topics_in_home = 1 AND tf.in_home = 1
            UNION ALL
            SELECT p.id, p.id FROM account me JOIN community_member m ON m.user_id = me.id
                JOIN post p ON p.community_id = m.community_id
            WHERE me.id = ?1 AND me.communities_in_home = 1 AND m.in_home = 1
        )
        SELECT r.post_id, r.position FROM (SELECT post_id, MIN(position) AS position FROM reason GROUP BY post_id) r
        WHERE r.position >= ?2 AND (SELECT COUNT(*) FROM post p LEFT JOIN community c ON c.id = p.community_id
            WHERE p.id = r.post_id AND \(visibleDefinition)) = 1
        ORDER BY r.position DESC
        """

    /// An author of a post; deleted and suspended users are none.
    private static let author = """
        author_post ap JOIN account au ON au.id = ap.author_id AND au.deleted_at IS NULL AND au.suspended_at IS NULL
        """

    /// A condition: the viewer `?1` may see the post `p` of community `c` at the time `?3`.
    static let visibleDefinition = """
        p.deleted_at IS NULL AND p.taken_down_at IS NULL AND p.held_at IS NULL
        AND EXISTS (SELECT 1 FROM account a WHERE a.id = p.author_id AND a.deleted_at IS NULL)
        AND EXISTS (SELECT 1 FROM \(author) WHERE ap.post_id = p.id AND (au.silenced_at IS NULL OR ap.author_id = ?1
            OR EXISTS (SELECT 1 FROM follow WHERE follower_id = ?1 AND followee_id = ap.author_id)))
        AND NOT EXISTS (SELECT 1 FROM \(author) JOIN block b ON b.blocker_id = ?1 AND b.blocked_id = ap.author_id
            WHERE ap.post_id = p.id)
        AND NOT EXISTS (SELECT 1 FROM \(author) JOIN block b ON b.blocker_id = ap.author_id AND b.blocked_id = ?1
            WHERE ap.post_id = p.id)
        AND NOT EXISTS (SELECT 1 FROM \(author) JOIN mute m ON m.muter_id = ?1 AND m.muted_id = ap.author_id
            WHERE ap.post_id = p.id AND m.posts = 1 AND (m.expires_at IS NULL OR m.expires_at > ?3))
        AND (p.visibility = \(PostVisibility.everyone.literal) AND (p.community_id IS NOT NULL
                OR NOT EXISTS (SELECT 1 FROM account pa WHERE pa.id = p.author_id AND pa.is_private = 1))
            OR EXISTS (SELECT 1 FROM \(author) WHERE ap.post_id = p.id AND (ap.author_id = ?1
                OR EXISTS (SELECT 1 FROM follow WHERE follower_id = ?1 AND followee_id = ap.author_id))))
        AND (p.community_id IS NULL OR (
            NOT EXISTS (SELECT 1 FROM community_ban b WHERE b.user_id = ?1 AND b.community_id = p.community_id)
            AND (c.is_private = 0 AND p.members_only = 0 OR EXISTS (
                SELECT 1 FROM community_member m WHERE m.user_id = ?1 AND m.community_id = p.community_id))
            AND (p.removed_at IS NULL
                OR EXISTS (SELECT 1 FROM \(author) WHERE ap.post_id = p.id AND ap.author_id = ?1)
                OR EXISTS (SELECT 1 FROM community_member m WHERE m.user_id = ?1
                    AND m.community_id = p.community_id AND m.role <> \(CommunityRole.member.literal)))))
        """

    /// The places of the posts that the window of `viewer` must hold at or above `floor`, and of the posts in
    /// `entries`, which it does hold. For each post: its first place of all, the first pushed place, and every place
    /// where it may stand. Posts that only hubs reach, and that are not in the window, are left out: there may be
    /// thousands, and no window has to hold them. A mute of reshares counts as long as it is stored, also if it has
    /// expired.
    package func windowByDefinition(
        of viewer: UserID, from floor: FeedPosition, holding entries: [FeedEntry]
    ) async throws -> [ExpectedWindowEntry] {
        try await database.read { reader in
            var found: [PostID: ExpectedWindowEntry] = [:]
            try reader.forEach(Self.windowDefinition, [.user(viewer), .position(floor)]) { row in
                let post = PostID(rawValue: row.integer(0))
                found[post, default: ExpectedWindowEntry(post: post)].add(
                    FeedPosition(rawValue: row.integer(1)), pulled: false)
                return true
            }
            // A post that only reshares bring may have an earlier reason, below the floor or by a hub.
            var doubtful = Set(found.values.lazy.filter { $0.first != FeedPosition($0.post) }.map(\.post))
            for entry in entries where found[entry.post]?.places.contains(entry.position) != true {
                doubtful.insert(entry.post)
            }
            let asked = Array(doubtful)
            try reader.fetch(asked.map { SQLQuery(Self.reasonsDefinition, [.user(viewer), .post($0)]) }) { index, row in
                found[asked[index], default: ExpectedWindowEntry(post: asked[index])].add(
                    FeedPosition(rawValue: row.integer(0)), pulled: row.integer(1) != 0)
                return true
            }
            return found.values.sorted { $0.post > $1.post }
        }
    }

    private static let pulled = """
        EXISTS (SELECT 1 FROM hub h WHERE h.user_id = f.followee_id AND h.phase = \(HubPhase.pulled.literal))
        """

    static let windowDefinition = """
        WITH actor (id) AS (
            SELECT id FROM account WHERE id = ?1 AND suspended_at IS NULL UNION ALL
            SELECT f.followee_id FROM follow f JOIN account a ON a.id = f.followee_id
            WHERE f.follower_id = ?1 AND a.suspended_at IS NULL AND NOT \(pulled)
        )
        SELECT ap.post_id, ap.post_id FROM actor a JOIN author_post ap ON ap.author_id = a.id
        WHERE ap.post_id >= ?2
        UNION ALL
        SELECT r.post_id, r.id FROM actor a JOIN reshare r ON r.user_id = a.id JOIN post p ON p.id = r.post_id
        WHERE r.id >= ?2 AND p.deleted_at IS NULL
            AND NOT EXISTS (SELECT 1 FROM mute WHERE muter_id = ?1 AND muted_id = a.id AND reshares = 1)
        """

    static let reasonsDefinition = """
        WITH actor (id, is_pulled) AS (
            SELECT id, 0 FROM account WHERE id = ?1 AND suspended_at IS NULL UNION ALL
            SELECT f.followee_id, CASE WHEN \(pulled) THEN 1 ELSE 0 END
            FROM follow f JOIN account a ON a.id = f.followee_id
            WHERE f.follower_id = ?1 AND a.suspended_at IS NULL
        )
        SELECT ap.post_id, a.is_pulled FROM actor a JOIN author_post ap ON ap.author_id = a.id WHERE ap.post_id = ?2
        UNION ALL
        SELECT r.id, a.is_pulled FROM actor a JOIN reshare r ON r.user_id = a.id AND r.post_id = ?2
            JOIN post p ON p.id = r.post_id
        WHERE p.deleted_at IS NULL
            AND NOT EXISTS (SELECT 1 FROM mute WHERE muter_id = ?1 AND muted_id = a.id AND reshares = 1)
        """
}

/// The right places of one post in one window.
package struct ExpectedWindowEntry: Sendable, Equatable {
    package let post: PostID
    /// The first place by any reason that windows know, hubs included: an entry from before its author became a hub may
    /// stand there.
    package private(set) var first: FeedPosition = .end
    /// The first place by a pushed reason: the window must hold the post there or earlier; nil: it need not hold it.
    package private(set) var pushed: FeedPosition?
    /// Places of all reasons.
    package private(set) var places: Set<FeedPosition> = []

    package init(post: PostID) { self.post = post }

    mutating func add(_ position: FeedPosition, pulled: Bool) {
        places.insert(position)
        first = min(first, position)
        if !pulled { pushed = min(pushed ?? position, position) }
    }
}
