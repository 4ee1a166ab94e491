import Database

/// Conditions that every post of a filtered feed meets, as far as indexes cover them.
package struct FeedConditions: Sendable, Hashable {
    /// Sets of topics; a post has a topic of each set.
    package var topics: [[TopicID]]
    package var attributes: [AttributeCondition]
    package var community: CommunityID?

    package init(topics: [[TopicID]], attributes: [AttributeCondition], community: CommunityID? = nil) {
        self.topics = topics
        self.attributes = attributes
        self.community = community
    }
}

/// Home timelines read from the topics of a filter, to find the few posts that match a rare one. Instead of walking the
/// reader's timeline in search of the topic, the query walks the topic's posts and reshares in search of the reader's.
extension FeedStore {
    /// Up to `limit` posts that meet all of `conditions` (at least one), strictly below `cursor`, at their own places.
    /// Examines about `budget` rows.
    package func slice(
        of conditions: FeedConditions, below cursor: FeedPosition, limit: Int, budget: Int
    ) async throws -> FeedSlice {
        try await database.read { reader in
            let indexes = PostConditions(reader, ScanBudget(budget))
            var all = conditions.topics.map { indexes.anyOf($0) }
            for attribute in conditions.attributes { all.append(try indexes.condition(attribute)) }
            if let community = conditions.community {
                all.append(
                    PostCondition(anyOf: [
                        indexes.stream(FeedStore.Reader.communityFeedQuery, [.community(community)])
                    ]))
            }
            let slice = try PostIntersection(of: all, indexes.budget)
                .newest(below: PostID(rawValue: cursor.rawValue), limit: limit)
            return FeedSlice(
                entries: slice.posts.map { FeedEntry($0) }, end: slice.end.map { FeedPosition($0) } ?? .beginning,
                examined: slice.examined)
        }
    }

    /// Candidates for the reader's home timeline with one of `topics`, strictly below `cursor`. Examines about `budget`
    /// rows. There may be no entry above `end`.
    package func filteredSlice(
        of context: ViewerContext, topics: [TopicID], below cursor: FeedPosition, budget: Int
    ) async throws -> FeedSlice {
        let actors = context.actors
        // More rows than one post can have; otherwise a scan could not get past that post.
        let share = max(budget / max(topics.count, 1), SocialGraphLimits.collaboratorsPerPost + 2)
        return try await database.read { reader in
            let range: [SQLValue] = [.position(cursor), .integer(Int64(share))]
            let rows = try reader.rows(
                of: topics.flatMap { topic in
                    [Self.topicAuthorsQuery, Self.topicResharesQuery].map { SQLQuery($0, [.topic(topic)] + range) }
                }
            ) { row in
                TopicRow(
                    entry: FeedEntry(
                        position: FeedPosition(rawValue: row.integer(0)), post: PostID(rawValue: row.integer(1))),
                    user: UserID(rawValue: row.integer(2)))
            }
            var others: Set<PostID> = []
            for index in stride(from: 0, to: rows.count, by: 2) {
                for row in rows[index] where !actors.contains(row.user) { others.insert(row.entry.post) }
            }
            let merged = try Reader(reader).merged(others, into: context)
            let slices = rows.enumerated().map { index, rows in
                FeedSlice(rows, below: cursor, limit: share) { row in
                    index.isMultiple(of: 2)
                        ? actors.contains(row.user) || merged.contains(row.entry.post)
                        : actors.reshareCounts(of: row.user)
                }
            }
            return FeedSlice.merged(slices)
        }
    }

    static let topicAuthorsQuery = """
        SELECT t.post_id, t.post_id, a.author_id FROM topic_post t JOIN author_post a ON a.post_id = t.post_id
        WHERE t.topic_id = ?1 AND t.post_id < ?2 ORDER BY t.post_id DESC LIMIT ?3
        """

    static let topicResharesQuery = """
        SELECT reshare_id, post_id, user_id FROM topic_reshare
        WHERE topic_id = ?1 AND reshare_id < ?2 ORDER BY reshare_id DESC LIMIT ?3
        """

    /// The largest position that has been assigned: everything committed so far stands at or below it.
    package func latestPosition() async throws -> FeedPosition {
        try await database.read { reader in
            FeedPosition(
                rawValue: try reader.first(IDSequence.lastQuery, []) { $0.integer(0) } ?? 0)
        }
    }
}

/// An author's post or a reshare with a topic.
private struct TopicRow {
    let entry: FeedEntry
    let user: UserID
}

extension FeedSlice {
    /// The wanted ones of `rows`, which a query for `limit` rows below `cursor` has found.
    fileprivate init(
        _ rows: [TopicRow], below cursor: FeedPosition, limit: Int, where isWanted: (TopicRow) -> Bool
    ) {
        var found: [FeedEntry] = []
        for row in rows where found.last != row.entry && isWanted(row) { found.append(row.entry) }
        guard rows.count == limit, let last = rows.last?.entry.position else {
            self.init(entries: found, end: .beginning, examined: rows.count)
            return
        }
        // Co-authors of the last post may lie beyond the budget, so the next slice asks for that post again.
        if found.last?.position == last { found.removeLast() }
        self.init(entries: found, end: FeedPosition(rawValue: last.rawValue + 1), examined: rows.count)
    }
}

extension FeedStore.Reader {
    /// Those of `posts` that a topic or a community brings into the reader's home timeline.
    fileprivate func merged(_ posts: Set<PostID>, into context: ViewerContext) throws -> Set<PostID> {
        let posts = posts.sorted().map(SQLValue.post)
        var queries: [SQLQuery] = []
        if !context.homeCommunities.isEmpty { queries += Self.communitiesOfPosts.queries(posts) }
        let ofTopics = queries.count
        if !context.homeTopics.isEmpty { queries += Self.topicsOfPosts.queries(posts) }
        var merged: Set<PostID> = []
        try reader.fetch(queries) { index, row in
            let isMerged =
                index < ofTopics
                ? context.homeCommunities.binaryContains(CommunityID(rawValue: row.integer(1)))
                : context.homeTopics.binaryContains(TopicID(rawValue: row.integer(1)))
            if isMerged { merged.insert(PostID(rawValue: row.integer(0))) }
            return true
        }
        return merged
    }

    static let communitiesOfPosts = ListQuery { list in
        "SELECT id, community_id FROM post WHERE id IN (\(list)) AND community_id IS NOT NULL"
    }
    static let topicsOfPosts = ListQuery { "SELECT post_id, topic_id FROM topic_post WHERE post_id IN (\($0))" }
}
