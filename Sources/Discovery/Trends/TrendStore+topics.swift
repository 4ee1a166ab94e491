import Database
import SocialGraph

/// Topics for trends.
extension TrendStore {
    /// Returns the public topics of each of `posts`. A post that is not public has none, so results reveal nothing
    /// private.
    package func publicTopics(of posts: [PostID]) async throws -> [[TopicID]] {
        try await database.read { reader in
            try reader.rows(of: posts.map { SQLQuery(Self.publicTopicsQuery, [.post($0)]) }) {
                TopicID(rawValue: $0.integer(0))
            }
        }
    }

    static let publicTopicsQuery = """
        SELECT tp.topic_id FROM topic_post tp JOIN post p ON p.id = tp.post_id JOIN account a ON a.id = p.author_id
            LEFT JOIN community c ON c.id = p.community_id
        WHERE tp.post_id = ?1 AND p.visibility = \(PostVisibility.everyone.literal) AND p.deleted_at IS NULL
            AND p.taken_down_at IS NULL AND p.held_at IS NULL AND a.deleted_at IS NULL
            AND (p.community_id IS NOT NULL OR a.is_private = 0)
            AND (p.community_id IS NULL OR c.is_private = 0 AND p.members_only = 0 AND p.removed_at IS NULL)
            AND EXISTS (SELECT 1 FROM author_post ap JOIN account u ON u.id = ap.author_id WHERE ap.post_id = p.id
                AND u.deleted_at IS NULL AND u.suspended_at IS NULL AND u.silenced_at IS NULL)
        """

    /// Returns the kind and name of each of `topics`, spelt as in the latest post with the topic.
    package func topicNames(_ topics: [TopicID]) async throws -> [TopicID: (kind: TopicKind, name: String)] {
        try await database.read { reader in
            let found = try reader.first(
                of: topics.map { SQLQuery("SELECT kind, topic_key FROM topic WHERE id = ?1", [.topic($0)]) }
            ) { (kind: try $0.choice(0, of: TopicKind.self), key: $0.text(1)) }
            let known = zip(topics, found).compactMap { topic, known in known.map { (topic: topic, known: $0) } }
            let spellings = try reader.first(
                of: known.map { topic, known in
                    switch known.kind {
                    case .category: SQLQuery(Self.categorySpellingQuery, [.topic(topic)])
                    case .tag: SQLQuery(Self.tagSpellingQuery, [.topic(topic), .text(known.key)])
                    }
                }
            ) { $0.optionalText(0) }
            var names: [TopicID: (kind: TopicKind, name: String)] = [:]
            for ((topic, known), spelling) in zip(known, spellings) {
                names[topic] = (known.kind, (spelling ?? nil) ?? known.key)
            }
            return names
        }
    }

    static let categorySpellingQuery = """
        SELECT p.category FROM topic_post tp JOIN post p ON p.id = tp.post_id
        WHERE tp.topic_id = ?1 ORDER BY tp.post_id DESC LIMIT 1
        """

    static let tagSpellingQuery = """
        SELECT t.tag FROM topic_post tp JOIN post_tag t ON t.post_id = tp.post_id
        WHERE tp.topic_id = ?1 AND t.tag_key = ?2 ORDER BY tp.post_id DESC LIMIT 1
        """
}
