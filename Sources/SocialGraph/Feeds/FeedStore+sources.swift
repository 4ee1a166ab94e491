import Database

/// A feed that home timelines and public pages are merged from.
package enum FeedSource: Hashable, Sendable {
    /// Posts and reshares by a user.
    case actor(UserID)
    case topic(TopicID)
    case community(CommunityID)
    /// Posts that have the text, folded, as a value of the attribute.
    case attribute(name: String, key: String)
    /// Posts that have the attribute, with any value.
    case attributed(name: String)
    case everything
}

extension FeedStore {
    /// Up to `limit` entries of a source strictly below `cursor`.
    package func slice(of source: FeedSource, below cursor: FeedPosition, limit: Int) async throws -> FeedSlice {
        try await slices(of: [source], below: cursor, limit: limit)[0]
    }

    /// Up to `limit` entries of each of `sources`, on one snapshot.
    package func slices(of sources: [FeedSource], below cursor: FeedPosition, limit: Int) async throws -> [FeedSlice] {
        try await database.read { try Reader($0).slices(of: sources, below: cursor, limit: limit) }
    }

    /// The newest entries of all of `sources` together, strictly below `cursor`: at least `limit` unless `end` is the
    /// beginning.
    package func slice(ofAny sources: [FeedSource], below cursor: FeedPosition, limit: Int) async throws -> FeedSlice {
        FeedSlice.merged(try await slices(of: sources, below: cursor, limit: limit))
    }
}

extension FeedStore.Reader {
    /// Up to `limit` entries of each of `sources` strictly below `cursor`, in one round trip.
    func slices(of sources: [FeedSource], below cursor: FeedPosition, limit: Int) throws -> [FeedSlice] {
        let range: [SQLValue] = [.position(cursor), .integer(Int64(limit))]
        var queries: [SQLQuery] = []
        for source in sources {
            queries.append(Self.postsQuery(of: source, range))
            if case .actor(let user) = source { queries.append(SQLQuery(Self.resharesQuery, [.user(user)] + range)) }
        }
        var found = [[FeedEntry]](repeating: [], count: queries.count)
        try reader.fetch(queries) { index, row in
            let position = FeedPosition(rawValue: row.integer(0))
            let isReshare = queries[index].sql == Self.resharesQuery
            let post = PostID(rawValue: isReshare ? row.integer(1) : position.rawValue)
            found[index].append(FeedEntry(position: position, post: post))
            return true
        }
        var slices = found.map { FeedSlice($0, limit: limit) }[...]
        return sources.map { source in
            let posts = slices.removeFirst()
            guard case .actor = source else { return posts }
            return FeedSlice.merged([posts, slices.removeFirst()]).prefix(limit)
        }
    }

    /// - Parameter range: the cursor and the limit.
    private static func postsQuery(of source: FeedSource, _ range: [SQLValue]) -> SQLQuery {
        switch source {
        case .everything: SQLQuery(everythingQuery, range)
        case .topic(let topic): SQLQuery(topicQuery, [.topic(topic)] + range)
        case .attribute(let name, let key): SQLQuery(attributeQuery, [.text(name), .text(key)] + range)
        case .attributed(let name): SQLQuery(attributedQuery, [.text(name)] + range)
        case .community(let community): SQLQuery(communityFeedQuery, [.community(community)] + range)
        case .actor(let user): SQLQuery(authorFeedQuery, [.user(user)] + range)
        }
    }

    package static let everythingQuery =
        "SELECT id FROM post WHERE id < ?1 AND deleted_at IS NULL ORDER BY id DESC LIMIT ?2"
    static let topicQuery =
        "SELECT post_id FROM topic_post WHERE topic_id = ?1 AND post_id < ?2 ORDER BY post_id DESC LIMIT ?3"
    static let attributeQuery = """
        SELECT post_id FROM post_attribute WHERE name = ?1 AND text_key IS NOT NULL AND text_key = ?2 AND post_id < ?3
        ORDER BY post_id DESC LIMIT ?4
        """
    package static let attributedQuery = """
        SELECT post_id FROM post_attribute WHERE name = ?1 AND ordinal = 0 AND post_id < ?2
        ORDER BY post_id DESC LIMIT ?3
        """
    package static let communityFeedQuery = """
        SELECT id FROM post WHERE community_id IS NOT NULL AND community_id = ?1 AND id < ?2 AND deleted_at IS NULL
        ORDER BY id DESC LIMIT ?3
        """
}
