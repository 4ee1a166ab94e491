import Database

/// What a stored window holds: every live post that the reader or somebody followed has published or reshared, hubs
/// and the suspended left out, each at its first place. What is hidden from the reader by a block, a mute of posts, its
/// visibility or its moderators stays in: that is judged at the read, so that undoing it needs no window to change.
extension FeedStore {
    /// The newest `limit` entries of `viewer`'s window; fewer only where there are no more.
    package func windowEntries(of viewer: UserID, limit: Int) async throws -> [FeedEntry] {
        try await windowEntries(of: [viewer], limit: limit)[0]
    }

    /// Those of each of `viewers`, on one snapshot.
    package func windowEntries(of viewers: [UserID], limit: Int) async throws -> [[FeedEntry]] {
        try await database.read { reader in
            let hubs = Set(try reader.rows(Self.pulledHubsQuery, []) { UserID(rawValue: $0.integer(0)) })
            let suspended = Set(try AccountStore.Reader(reader).suspended())
            let unpushed = hubs.union(suspended)
            let people = try Reader(reader).pushedPeople(of: viewers)
            return try zip(viewers, people).map { viewer, people in
                // What a hub has published itself is pushed into its own window.
                let isOwnHub = hubs.contains(viewer) && !suspended.contains(viewer)
                let actors = ActorSet(
                    viewer: viewer, followees: people.followees, withoutReshares: people.withoutReshares,
                    leavingOut: isOwnHub ? unpushed.subtracting([viewer]) : unpushed)
                return try Reader(reader).windowEntries(of: actors, limit: limit)
            }
        }
    }
    static let pulledHubsQuery = "SELECT user_id FROM hub WHERE phase = \(HubPhase.pulled.literal)"

    /// The first reshares of `post`, up to `limit`, oldest first.
    package func reshares(of post: PostID, limit: Int) async throws -> [Reshare] {
        try await reshares(of: [post], limit: limit)[0]
    }

    /// The first reshares of each of `posts`, up to `limit` of each, oldest first, in one round trip.
    package func reshares(of posts: [PostID], limit: Int) async throws -> [[Reshare]] {
        let queries = posts.map {
            SQLQuery(FeedStore.Reader.resharesOfPostQuery, [.post($0), .integer(Int64(limit))])
        }
        return try await database.read { reader in
            try reader.rows(of: queries) {
                Reshare(position: FeedPosition(rawValue: $0.integer(0)), user: UserID(rawValue: $0.integer(1)))
            }
        }
    }

    /// The first reshare of `post` by one of the actors that counts for `context`.
    package func firstReshare(of post: PostID, for context: ViewerContext) async throws -> Reshare? {
        let actors = context.actors
        return try await database.read { reader in
            guard let position = try Reader(reader).firstReshare(of: post, actors) else { return nil }
            return try reader.first("SELECT user_id FROM reshare WHERE id = ?1", [.position(position)]) {
                Reshare(position: position, user: UserID(rawValue: $0.integer(0)))
            }
        }
    }

    /// Where `post` belongs in the windows of `viewers`, on one snapshot; nil: nowhere.
    package func windowPositions(of post: PostID, for viewers: [UserID]) async throws -> [FeedPosition?] {
        try await database.read { reader in
            func query(_ sql: String, _ viewer: UserID) -> SQLQuery { SQLQuery(sql, [.post(post), .user(viewer)]) }
            let direct = try reader.exist(viewers.map { query(Self.directReachQuery, $0) })
            let others = zip(viewers, direct).filter { !$0.1 }.map(\.0)
            var reshares = try reader.first(of: others.map { query(Self.reshareReachQuery, $0) }) {
                FeedPosition(rawValue: $0.integer(0))
            }.makeIterator()
            return direct.map { $0 ? FeedPosition(post) : reshares.next() ?? nil }
        }
    }

    static let directReachQuery = """
        SELECT 1 FROM author_post WHERE post_id = ?1 AND (author_id = ?2
          OR EXISTS (SELECT 1 FROM follow WHERE follower_id = ?2 AND followee_id = author_id)
            AND NOT EXISTS (SELECT 1 FROM hub WHERE user_id = author_id AND phase = \(HubPhase.pulled.literal)))
          AND NOT EXISTS (SELECT 1 FROM account WHERE id = author_id AND suspended_at IS NOT NULL)
        """

    static let reshareReachQuery = """
        SELECT r.id FROM reshare r JOIN post p ON p.id = r.post_id
        WHERE r.post_id = ?1 AND p.deleted_at IS NULL AND (r.user_id = ?2
          OR EXISTS (SELECT 1 FROM follow WHERE follower_id = ?2 AND followee_id = r.user_id)
            AND NOT EXISTS (SELECT 1 FROM hub h WHERE h.user_id = r.user_id AND h.phase = \(HubPhase.pulled.literal)))
          AND NOT EXISTS (SELECT 1 FROM mute WHERE muter_id = ?2 AND muted_id = r.user_id AND reshares = 1)
          AND NOT EXISTS (SELECT 1 FROM account a WHERE a.id = r.user_id AND a.suspended_at IS NOT NULL)
        ORDER BY r.id LIMIT 1
        """
}

extension FeedStore.Reader {
    fileprivate func windowEntries(of actors: ActorSet, limit: Int) throws -> [FeedEntry] {
        var entries: [FeedEntry] = []
        var cursor = FeedPosition.end
        while entries.count < limit, cursor != .beginning {
            let run = try actorsRun(actors, below: cursor, limit: limit - entries.count)
            for entry in run.entries where entries.count < limit {
                if try !entry.isReshare || isFirst(entry, actors) { entries.append(entry) }
            }
            cursor = run.end
        }
        return entries
    }

    /// Whom each of `viewers` follows, ascending, and whose reshares do not count for that viewer, in one round trip.
    fileprivate func pushedPeople(
        of viewers: [UserID]
    ) throws -> [(followees: [UserID], withoutReshares: Set<UserID>)] {
        let found = try reader.rows(
            of: viewers.flatMap { viewer in
                [FollowStore.Reader.followeesQuery, Self.mutedResharesQuery].map { SQLQuery($0, [.user(viewer)]) }
            }
        ) { UserID(rawValue: $0.integer(0)) }
        return viewers.indices.map { (found[2 * $0], Set(found[2 * $0 + 1])) }
    }

    static let mutedResharesQuery = "SELECT muted_id FROM mute WHERE muter_id = ?1 AND reshares = 1"

    /// Whether no earlier reason than this reshare brings the post to the reader.
    private func isFirst(_ entry: FeedEntry, _ actors: ActorSet) throws -> Bool {
        let authors = try PostStore.Reader(reader).authors(of: entry.post)
        // Without authors the post is deleted.
        if authors.isEmpty || authors.contains(where: actors.contains) { return false }
        return try firstReshare(of: entry.post, actors) == entry.position
    }

    fileprivate func firstReshare(of post: PostID, _ actors: ActorSet) throws -> FeedPosition? {
        var found: FeedPosition?
        var looked = 0
        try reader.forEach(
            Self.resharesOfPostQuery, [.post(post), .integer(Int64(SocialGraphLimits.resharesLookedThrough))]
        ) { row in
            looked += 1
            if actors.reshareCounts(of: UserID(rawValue: row.integer(1))) {
                found = FeedPosition(rawValue: row.integer(0))
            }
            return found == nil
        }
        if found != nil || looked < SocialGraphLimits.resharesLookedThrough { return found }
        // A post that very many have reshared: asking each actor is cheaper from here on.
        for actor in actors.actors where !actors.withoutReshares.contains(actor) {
            let reshare = try ReshareStore.Reader(reader).reshareID(of: post, by: actor).map(
                FeedPosition.init(rawValue:))
            if let reshare { found = min(found ?? reshare, reshare) }
        }
        return found
    }

    static let resharesOfPostQuery = "SELECT id, user_id FROM reshare WHERE post_id = ?1 ORDER BY id LIMIT ?2"
}

/// One reshare of a post.
package struct Reshare: Sendable, Equatable {
    package let position: FeedPosition
    package let user: UserID

    package init(position: FeedPosition, user: UserID) {
        self.position = position
        self.user = user
    }
}
