import Database

/// The entries of a stored window: every live post that the reader or a followee has published or reshared, each at its
/// first place; hubs and suspended users are left out. Posts that a block, a mute, their visibility or moderators hide
/// from the reader stay in. They are filtered at the read, so undoing any of these changes no window.
extension FeedStore {
    /// The largest number of a post's reshares that are searched for the first one by a followee. Beyond it, each
    /// followee is probed instead.
    package static let resharesLookedThrough = 512

    /// The newest `limit` entries of `viewer`'s window; fewer only if there are no more.
    package func windowEntries(of viewer: UserID, limit: Int) async throws -> [FeedEntry] {
        try await windowEntries(of: [viewer], limit: limit)[0]
    }

    /// The newest `limit` entries of the window of each of `viewers`, on one snapshot.
    package func windowEntries(of viewers: [UserID], limit: Int) async throws -> [[FeedEntry]] {
        try await database.read { reader in
            let people = try Reader(reader).pushedPeople(of: viewers)
            return try Reader(reader).windowEntries(of: people, limit: limit)
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

    /// The place of `post` in the windows of `viewers`, on one snapshot; nil: not in the window.
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
    /// The windows of all readers in one round trip; further round trips are for windows that are not full by then.
    fileprivate func windowEntries(of all: [ActorSet], limit: Int) throws -> [[FeedEntry]] {
        var windows = all.map { WindowAhead(actors: $0) }
        while true {
            let open = windows.indices.filter { windows[$0].entries.count < limit && !windows[$0].isAtEnd }
            if open.isEmpty { return windows.map(\.entries) }
            let dry = open.filter { windows[$0].ahead.isEmpty }
            let slices = try actorsSlices(dry.map { windows[$0].question(limit) })
            for (index, slice) in zip(dry, slices) {
                windows[index].ahead = slice.entries[...]
                windows[index].cursor = slice.end
            }
            let next = open.flatMap { index in
                windows[index].take(limit - windows[index].entries.count).map { (window: index, entry: $0) }
            }
            let areFirst = try self.areFirst(next.map { ($0.entry, all[$0.window]) })
            for (place, isFirst) in zip(next, areFirst) where isFirst {
                windows[place.window].entries.append(place.entry)
            }
        }
    }

    /// The users whose posts and reshares are pushed into the window of each of `viewers`, in one round trip.
    fileprivate func pushedPeople(of viewers: [UserID]) throws -> [ActorSet] {
        let everybody = [FeedStore.pulledHubsQuery, AccountStore.Reader.suspendedQuery].map { SQLQuery($0, []) }
        let own = viewers.flatMap { viewer in
            [FollowStore.Reader.followeesQuery, Self.mutedResharesQuery].map { SQLQuery($0, [.user(viewer)]) }
        }
        let found = try reader.rows(of: everybody + own) { UserID(rawValue: $0.integer(0)) }
        let (hubs, suspended) = (Set(found[0]), Set(found[1]))
        let leftOut = hubs.union(suspended)
        return viewers.enumerated().map { number, viewer in
            // A hub's own posts are pushed into its own window.
            let isOwnHub = hubs.contains(viewer) && !suspended.contains(viewer)
            return ActorSet(
                viewer: viewer, followees: found[2 * number + 2], withoutReshares: Set(found[2 * number + 3]),
                leavingOut: isOwnHub ? leftOut.subtracting([viewer]) : leftOut)
        }
    }

    static let mutedResharesQuery = "SELECT muted_id FROM mute WHERE muter_id = ?1 AND reshares = 1"

    /// For each entry, true if no earlier reason brings its post to the reader with the given actors.
    private func areFirst(_ entries: [(entry: FeedEntry, actors: ActorSet)]) throws -> [Bool] {
        let reshares = entries.filter(\.entry.isReshare)
        let authors = try reader.rows(
            of: reshares.map { SQLQuery(PostStore.Reader.authorsQuery, [.post($0.entry.post)]) }
        ) { UserID(rawValue: $0.integer(0)) }
        // A post without authors is deleted.
        let areDoubtful = zip(reshares, authors).map { reshare, authors in
            !authors.isEmpty && !authors.contains(where: reshare.actors.contains)
        }
        let doubtful = zip(reshares, areDoubtful).filter(\.1).map(\.0)
        let first = try firstReshares(of: doubtful.map { ($0.entry.post, $0.actors) })
        var answers = zip(doubtful, first).lazy.map { $0.entry.position == $1 }.makeIterator()
        var isDoubtful = areDoubtful.makeIterator()
        return entries.map { entry, _ in
            !entry.isReshare || isDoubtful.next() == true && answers.next() == true
        }
    }

    fileprivate func firstReshare(of post: PostID, _ actors: ActorSet) throws -> FeedPosition? {
        try firstReshares(of: [(post, actors)])[0]
    }

    /// The first reshare of each post by one of the actors beside it.
    private func firstReshares(of posts: [(post: PostID, actors: ActorSet)]) throws -> [FeedPosition?] {
        let limit = FeedStore.resharesLookedThrough
        var found = [FeedPosition?](repeating: nil, count: posts.count)
        var looked = [Int](repeating: 0, count: posts.count)
        try reader.fetch(
            posts.map { SQLQuery(Self.resharesOfPostQuery, [.post($0.post), .integer(Int64(limit))]) }
        ) { index, row in
            looked[index] += 1
            if posts[index].actors.reshareCounts(of: UserID(rawValue: row.integer(1))) {
                found[index] = FeedPosition(rawValue: row.integer(0))
            }
            return found[index] == nil
        }
        for index in posts.indices where found[index] == nil && looked[index] == limit {
            // Very many users have reshared the post: probing each actor is cheaper from here on.
            let (post, actors) = posts[index]
            let probes = actors.actors.filter { !actors.withoutReshares.contains($0) }.map {
                SQLQuery(ReshareStore.Reader.reshareProbe, [.user($0), .post(post)])
            }
            found[index] = try reader.first(of: probes) { FeedPosition(rawValue: $0.integer(0)) }
                .compactMap(\.self).min()
        }
        return found
    }

    static let resharesOfPostQuery = "SELECT id, user_id FROM reshare WHERE post_id = ?1 ORDER BY id LIMIT ?2"
}

/// A window that is being read: its entries, and entries that were found but not yet examined.
private struct WindowAhead {
    let actors: ActorSet
    var entries: [FeedEntry] = []
    var ahead: ArraySlice<FeedEntry> = []
    /// The place where the next slice starts.
    var cursor = FeedPosition.end

    var isAtEnd: Bool { ahead.isEmpty && cursor == .beginning }

    func question(_ limit: Int) -> ActorsQuestion {
        ActorsQuestion(actors: actors, cursor: cursor, limit: limit - entries.count)
    }

    mutating func take(_ count: Int) -> ArraySlice<FeedEntry> {
        defer { ahead = ahead.dropFirst(count) }
        return ahead.prefix(count)
    }
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
