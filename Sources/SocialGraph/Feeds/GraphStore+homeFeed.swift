/// The home timeline straight from the truth: the answer below the stored window, the answer while there is no
/// window, and what windows are built from and checked against.
///
/// Two ways lead to the same page, and neither sorts. *Probing* asks each followee's author feed for its newest posts
/// and keeps the best: it costs as much as the reader follows, whatever the network posts. *Walking* goes through all
/// live posts, newest first, and asks of each whether the reader follows an author: it costs as much as others post
/// in between, so it has a budget. A reader of few is probed at once; a reader of many is walked, and probed from
/// where the budget ended.
extension GraphStore {
    /// Ids of `viewer`'s home timeline, newest first, strictly below `cursor`; fewer than `limit` only at the true end.
    package func homeFeed(of viewer: UserID, below cursor: PostID?, limit: Int) async throws -> [PostID] {
        try await database.read { try Self.homeFeed(of: viewer, below: cursor, limit: limit, $0) }
    }

    static func homeFeed(
        of viewer: UserID, below cursor: PostID?, limit: Int, _ reader: any SQLReader
    ) throws -> [PostID] {
        let start = cursor?.rawValue ?? .max
        let followees = try reader.first(
            "SELECT following_count FROM account WHERE id = ?1", [.user(viewer)]
        ) { $0.integer(0) }
        guard let followees else { return [] }
        if followees <= SocialGraphLimits.homeProbeFollowees {
            return try probe(viewer, below: start, limit: limit, reader)
        }
        var walk = try walk(viewer, below: start, limit: limit, reader)
        if let rest = walk.unfinishedAt {
            walk.found += try probe(viewer, below: rest, limit: limit - walk.found.count, reader)
        }
        return walk.found
    }

    /// The newest-first walk. `unfinishedAt`: the id above which everything has been seen, if the budget ended it.
    private static func walk(
        _ viewer: UserID, below start: Int64, limit: Int, _ reader: any SQLReader
    ) throws -> (found: [PostID], unfinishedAt: Int64?) {
        var found: [PostID] = []
        var last = start
        var looked = 0
        try reader.forEach(
            walkQuery, [.integer(start), .user(viewer), .integer(Int64(SocialGraphLimits.homeWalkBudget))]
        ) { row in
            looked += 1
            let post = row.integer(0)
            // Co-authors of one post are neighbours in the walk.
            if row.integer(1) != 0, found.last?.rawValue != post {
                // The post that would exceed the page stays with the rest.
                guard found.count < limit else { return false }
                found.append(PostID(rawValue: post))
            }
            last = post
            return true
        }
        let budgetEnded = looked == SocialGraphLimits.homeWalkBudget && found.count < limit
        // Rows of the last post may lie beyond the budget: it is asked for again, and only if it has not been found.
        return (found, budgetEnded ? (found.last?.rawValue == last ? last : last + 1) : nil)
    }

    static let walkQuery = """
        SELECT post_id,
               author_id = ?2 OR EXISTS (SELECT 1 FROM follow WHERE follower_id = ?2 AND followee_id = author_id)
        FROM author_post WHERE post_id < ?1 ORDER BY post_id DESC LIMIT ?3
        """

    /// One probe an author: `limit` newest of the viewer's own and of each followee's, the best `limit` of them all.
    private static func probe(
        _ viewer: UserID, below start: Int64, limit: Int, _ reader: any SQLReader
    ) throws -> [PostID] {
        guard limit > 0 else { return [] }
        var best = NewestPosts(capacity: limit)
        for author in try [viewer] + followees(of: viewer, reader) {
            try reader.forEach(
                authorFeedQuery, [.user(author), .integer(start), .integer(Int64(limit))]
            ) { row in best.offer(row.integer(0)) }
        }
        return best.sorted()
    }

    /// The definition itself as one plain statement, for the verifier: every post that the viewer reaches, at or
    /// above `floor`. It shares no code with the two ways above.
    package func homeFeedByDefinition(of viewer: UserID, from floor: PostID) async throws -> [PostID] {
        try await database.read { reader in
            try reader.rows(Self.definitionQuery, [.user(viewer), .post(floor)]) { PostID(rawValue: $0.integer(0)) }
        }
    }

    static let definitionQuery = """
        SELECT ap.post_id FROM author_post ap JOIN post p ON p.id = ap.post_id
        WHERE ap.author_id = ?1 AND ap.post_id >= ?2 AND p.deleted_at IS NULL
        UNION
        SELECT ap.post_id
        FROM follow f JOIN author_post ap ON ap.author_id = f.followee_id JOIN post p ON p.id = ap.post_id
        WHERE f.follower_id = ?1 AND ap.post_id >= ?2 AND p.deleted_at IS NULL
        ORDER BY 1 DESC
        """

    /// Of `posts`, those that the viewer does not reach (any more).
    package func unreachable(_ posts: [PostID], by viewer: UserID) async throws -> [PostID] {
        try await database.read { reader in
            try posts.filter { try !reader.exists(Self.reachQuery, [.post($0), .user(viewer)]) }
        }
    }

    static let reachQuery = """
        SELECT 1 FROM author_post WHERE post_id = ?1
          AND (author_id = ?2 OR EXISTS (SELECT 1 FROM follow WHERE follower_id = ?2 AND followee_id = author_id))
        """
}
