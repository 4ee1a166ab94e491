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
    package func run(
        of conditions: FeedConditions, below cursor: FeedPosition, limit: Int, budget: Int
    ) async throws -> FeedRun {
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
            let run = try PostIntersection(of: all, indexes.budget)
                .newest(below: PostID(rawValue: cursor.rawValue), limit: limit)
            return FeedRun(
                entries: run.posts.map { FeedEntry($0) }, end: run.end.map { FeedPosition($0) } ?? .beginning,
                examined: run.examined)
        }
    }

    /// Candidates for the reader's home timeline with one of `topics`, strictly below `cursor`. Examines about `budget`
    /// rows. There may be no entry above `end`.
    package func filteredRun(
        of context: ViewerContext, topics: [TopicID], below cursor: FeedPosition, budget: Int
    ) async throws -> FeedRun {
        let actors = context.actors
        // More rows than one post can have; otherwise a scan could not get past that post.
        let share = max(budget / max(topics.count, 1), SocialGraphLimits.collaboratorsPerPost + 2)
        return try await database.read { reader in
            var runs: [FeedRun] = []
            for topic in topics {
                runs.append(
                    try Reader(reader).scan(
                        Self.topicAuthorsQuery, topic, below: cursor, limit: share
                    ) { entry, author in
                        try actors.contains(author) || Reader(reader).isMerged(entry.post, into: context)
                    })
                runs.append(
                    try Reader(reader).scan(
                        Self.topicResharesQuery, topic, below: cursor, limit: share
                    ) { _, user in actors.reshareCounts(of: user) })
            }
            return FeedRun.merged(runs)
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
                rawValue: try reader.first("SELECT last FROM id_sequence WHERE only = 1", []) { $0.integer(0) } ?? 0)
        }
    }
}

extension FeedStore.Reader {
    fileprivate func scan(
        _ query: String, _ topic: TopicID, below cursor: FeedPosition, limit: Int,
        where isWanted: (FeedEntry, UserID) throws -> Bool
    ) throws -> FeedRun {
        var found: [FeedEntry] = []
        var last = cursor
        var looked = 0
        try reader.forEach(query, [.topic(topic), .position(cursor), .integer(Int64(limit))]) { row in
            looked += 1
            let entry = FeedEntry(
                position: FeedPosition(rawValue: row.integer(0)), post: PostID(rawValue: row.integer(1)))
            last = entry.position
            if found.last != entry, try isWanted(entry, UserID(rawValue: row.integer(2))) { found.append(entry) }
            return true
        }
        guard looked == limit else { return FeedRun(entries: found, end: .beginning, examined: looked) }
        // Co-authors of the last post may lie beyond the budget, so the next slice asks for that post again.
        if found.last?.position == last { found.removeLast() }
        return FeedRun(entries: found, end: FeedPosition(rawValue: last.rawValue + 1), examined: looked)
    }

    /// Returns whether a topic or a community brings the post into the reader's home timeline.
    fileprivate func isMerged(_ post: PostID, into context: ViewerContext) throws -> Bool {
        if !context.homeCommunities.isEmpty {
            let community = try reader.first("SELECT community_id FROM post WHERE id = ?1", [.post(post)]) {
                $0.optionalInteger(0)
            }
            if let id = community ?? nil, context.homeCommunities.binaryContains(CommunityID(rawValue: id)) {
                return true
            }
        }
        guard !context.homeTopics.isEmpty else { return false }
        var isFound = false
        try reader.forEach("SELECT topic_id FROM topic_post WHERE post_id = ?1", [.post(post)]) { row in
            isFound = context.homeTopics.binaryContains(TopicID(rawValue: row.integer(0)))
            return !isFound
        }
        return isFound
    }
}
