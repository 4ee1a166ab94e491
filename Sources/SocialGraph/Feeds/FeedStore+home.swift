import Database

/// The home timeline straight from the truth: the answer below the stored window, the answer while there is no
/// window, and what windows are built from.
///
/// Two ways lead to the same entries, and neither sorts. *Probing* asks each actor's own feed for its newest entries
/// and keeps the best: it costs as much as the reader follows, whatever the network does. *Walking* goes through
/// everybody's posts or reshares, newest first, and looks at each whether its actor is followed: it costs as much as
/// others do in between, so it has a budget, and that is what probing would cost: the wrong way first costs no more
/// than the right one twice (ski rental: Karlin et al., Algorithmica 1988). Reshares, which are fewer, are walked
/// first; posts are probed at once for a reader of few, and walked first for a reader of many. What lies below the end
/// of a walk is probed.
extension FeedStore {
    /// What may be in the reader's home timeline, strictly below `cursor`: at least `limit` entries unless `end` is the
    /// beginning.
    package func homeRun(of context: ViewerContext, below cursor: FeedPosition, limit: Int) async throws -> FeedRun {
        let actors = context.actors
        return try await database.read { reader in
            let merged = context.homeTopics.map(FeedSource.topic) + context.homeCommunities.map(FeedSource.community)
            let runs = try Reader(reader).runs(of: merged, below: cursor, limit: limit)
            return FeedRun.merged([try Reader(reader).actorsRun(actors, below: cursor, limit: limit)] + runs)
        }
    }
}

extension FeedStore.Reader {
    func actorsRun(_ actors: ActorSet, below cursor: FeedPosition, limit: Int) throws -> FeedRun {
        // Of a suspended reader who follows nobody.
        if actors.actors.isEmpty { return .nothing }
        let reshares = try walkReshares(actors, below: cursor, limit: limit)
        if actors.actors.count <= SocialGraphLimits.homeProbeFollowees {
            return try probe(actors, below: cursor, limit: limit, reshares)
        }
        let walked = FeedRun.merged([try walkPosts(actors, below: cursor, limit: limit), reshares])
        if walked.entries.count >= limit || walked.end == .beginning { return walked }
        let rest = try probe(actors, below: walked.end, limit: limit - walked.entries.count, reshares)
        return FeedRun(entries: walked.entries + rest.entries, end: rest.end)
    }

    /// The newest-first walk over everybody's posts.
    private func walkPosts(_ actors: ActorSet, below cursor: FeedPosition, limit: Int) throws -> FeedRun {
        try walk(Self.postsWalkQuery, actors, below: cursor, limit: limit) { row in
            let post = PostID(rawValue: row.integer(0))
            return (FeedEntry(post), actors.contains(UserID(rawValue: row.integer(1))))
        }
    }

    private func walkReshares(_ actors: ActorSet, below cursor: FeedPosition, limit: Int) throws -> FeedRun {
        try walk(Self.resharesWalkQuery, actors, below: cursor, limit: limit) { row in
            let entry = FeedEntry(
                position: FeedPosition(rawValue: row.integer(0)), post: PostID(rawValue: row.integer(2)))
            return (entry, actors.reshareCounts(of: UserID(rawValue: row.integer(1))))
        }
    }

    private func walk(
        _ query: String, _ actors: ActorSet, below cursor: FeedPosition, limit: Int,
        judge: (any SQLRow) -> (FeedEntry, isWanted: Bool)
    ) throws -> FeedRun {
        let budget = min(actors.actors.count * SocialGraphLimits.walkedForProbe, SocialGraphLimits.homeWalkBudget)
        var found: [FeedEntry] = []
        var last = cursor
        var looked = 0
        try reader.forEach(query, [.position(cursor), .integer(Int64(budget))]) { row in
            looked += 1
            let (entry, isWanted) = judge(row)
            last = entry.position
            // Co-authors of one post are neighbours in the walk.
            if isWanted, found.last != entry { found.append(entry) }
            return found.count < limit
        }
        if found.count == limit { return FeedRun(entries: found, end: last) }
        guard looked == budget else { return FeedRun(entries: found, end: .beginning) }
        // Rows of the last post may lie beyond the budget: it is asked for again.
        if found.last?.position == last { found.removeLast() }
        return FeedRun(entries: found, end: FeedPosition(rawValue: last.rawValue + 1))
    }

    static let postsWalkQuery =
        "SELECT post_id, author_id FROM author_post WHERE post_id < ?1 ORDER BY post_id DESC LIMIT ?2"
    static let resharesWalkQuery = "SELECT id, user_id, post_id FROM reshare WHERE id < ?1 ORDER BY id DESC LIMIT ?2"

    /// The `limit` newest posts of each actor, and of their reshares what `walked`, a walk from the cursor or above it,
    /// has found and those below its end: the best `limit` of them all.
    private func probe(
        _ actors: ActorSet, below cursor: FeedPosition, limit: Int, _ walked: FeedRun
    ) throws -> FeedRun {
        guard limit > 0 else { return FeedRun(entries: [], end: cursor) }
        var best = NewestEntries(capacity: limit)
        for entry in walked.entries where entry.position < cursor { _ = best.offer(entry) }
        let rest = SQLValue.position(min(cursor, walked.end))
        let limitValue = SQLValue.integer(Int64(limit))
        var start = 0
        while start < actors.actors.count {
            let part = actors.actors[start..<min(start + SocialGraphLimits.homeProbesAtOnce, actors.actors.count)]
            start = part.endIndex
            var queries = part.map { SQLQuery(Self.authorFeedQuery, [.user($0), .position(cursor), limitValue]) }
            if walked.end != .beginning {
                for actor in part where !actors.withoutReshares.contains(actor) {
                    queries.append(SQLQuery(Self.resharesQuery, [.user(actor), rest, limitValue]))
                }
            }
            try reader.fetch(queries) { index, row in
                let position = FeedPosition(rawValue: row.integer(0))
                let post = PostID(rawValue: index < part.count ? position.rawValue : row.integer(1))
                return best.offer(FeedEntry(position: position, post: post))
            }
        }
        return FeedRun(best.sorted(), limit: limit)
    }

    static let resharesQuery =
        "SELECT id, post_id FROM reshare WHERE user_id = ?1 AND id < ?2 ORDER BY id DESC LIMIT ?3"
}
