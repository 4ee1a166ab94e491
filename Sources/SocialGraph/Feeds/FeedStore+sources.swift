import Database

/// A feed that home timelines and public pages are merged from.
package enum FeedSource: Hashable, Sendable {
    /// What a user has published and reshared.
    case actor(UserID)
    case topic(TopicID)
    case community(CommunityID)
    /// Posts with that text, folded, among their attributes.
    case attribute(name: String, key: String)
    /// Posts that have that attribute, whatever its value.
    case attributed(name: String)
    case everything
}

extension FeedStore {
    /// Up to `limit` entries of a source strictly below `cursor`.
    package func run(of source: FeedSource, below cursor: FeedPosition, limit: Int) async throws -> FeedRun {
        try await database.read { try Reader($0).run(of: source, below: cursor, limit: limit) }
    }

    /// Up to `limit` entries of each of `sources`, on one snapshot.
    package func runs(of sources: [FeedSource], below cursor: FeedPosition, limit: Int) async throws -> [FeedRun] {
        try await database.read { reader in
            try sources.map { try Reader(reader).run(of: $0, below: cursor, limit: limit) }
        }
    }

    /// The newest entries of all of `sources` together, strictly below `cursor`: at least `limit` unless `end` is the
    /// beginning.
    package func run(ofAny sources: [FeedSource], below cursor: FeedPosition, limit: Int) async throws -> FeedRun {
        FeedRun.merged(try await runs(of: sources, below: cursor, limit: limit))
    }
}

extension FeedStore.Reader {
    func run(of source: FeedSource, below cursor: FeedPosition, limit: Int) throws -> FeedRun {
        let range: [SQLValue] = [.position(cursor), .integer(Int64(limit))]
        func posts(_ query: String, _ arguments: [SQLValue]) throws -> FeedRun {
            FeedRun(try reader.rows(query, arguments) { FeedEntry(PostID(rawValue: $0.integer(0))) }, limit: limit)
        }
        switch source {
        case .everything: return try posts(Self.everythingQuery, range)
        case .topic(let topic): return try posts(Self.topicQuery, [.topic(topic)] + range)
        case .attribute(let name, let key): return try posts(Self.attributeQuery, [.text(name), .text(key)] + range)
        case .attributed(let name): return try posts(Self.attributedQuery, [.text(name)] + range)
        case .community(let community): return try posts(Self.communityFeedQuery, [.community(community)] + range)
        case .actor(let user):
            let reshares = try reader.rows(Self.resharesQuery, [.user(user)] + range) {
                FeedEntry(position: FeedPosition(rawValue: $0.integer(0)), post: PostID(rawValue: $0.integer(1)))
            }
            return FeedRun.merged([
                try posts(Self.authorFeedQuery, [.user(user)] + range), FeedRun(reshares, limit: limit),
            ]).prefix(limit)
        }
    }

    static let everythingQuery =
        "SELECT id FROM post WHERE id < ?1 AND deleted_at IS NULL ORDER BY id DESC LIMIT ?2"
    static let topicQuery =
        "SELECT post_id FROM topic_post WHERE topic_id = ?1 AND post_id < ?2 ORDER BY post_id DESC LIMIT ?3"
    static let attributeQuery = """
        SELECT post_id FROM post_attribute WHERE name = ?1 AND text_key IS NOT NULL AND text_key = ?2 AND post_id < ?3
        ORDER BY post_id DESC LIMIT ?4
        """
    static let attributedQuery = """
        SELECT post_id FROM post_attribute WHERE name = ?1 AND ordinal = 0 AND post_id < ?2
        ORDER BY post_id DESC LIMIT ?3
        """
    static let communityFeedQuery = """
        SELECT id FROM post WHERE community_id IS NOT NULL AND community_id = ?1 AND id < ?2 AND deleted_at IS NULL
        ORDER BY id DESC LIMIT ?3
        """
}
