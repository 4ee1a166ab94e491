/// The conditions of a filter as streams of posts: each is an index that lists posts newest first.
extension GraphStore {
    /// What `filter` and `words` ask for, over one snapshot. Without any condition, all live posts.
    static func intersection(
        _ filter: PostFilter, words: TextQuery?, _ reader: any SQLReader
    ) throws -> PostIntersection {
        var conditions: [PostCondition] = []
        if let words {
            // To enter a search may mean to merge what all words have that begin alike, from the newest post on.
            conditions.append(
                PostCondition(anyOf: [
                    PostStream(readAhead: 64...65_536, isEntryDear: true) {
                        try reader.text.matches(words, below: $0, limit: $1)
                    }
                ]))
        }
        if let category = filter.category {
            conditions.append(try topics(.category, [category], reader))
        }
        if let tags = filter.algorithms { conditions.append(try topics(.tag, tags, reader)) }
        let attributes = filter.attributes + (filter.duration.map { [$0.condition] } ?? [])
        for condition in attributes { conditions.append(PostCondition(anyOf: streams(condition, reader))) }
        if let names = filter.carriesAnyOf {
            conditions.append(PostCondition(anyOf: names.map { stream(attributedQuery, [.text($0)], reader) }))
        }
        if let author = filter.author {
            conditions.append(PostCondition(anyOf: [stream(authorFeedQuery, [.user(author)], reader)]))
        }
        if let community = filter.community {
            conditions.append(PostCondition(anyOf: [stream(communityFeedQuery, [.community(community)], reader)]))
        }
        if filter.since != nil || filter.until != nil {
            let range: [SQLValue] = [.integer(filter.since ?? .min), .integer(filter.until ?? .max)]
            conditions.append(PostCondition(anyOf: [stream(createdQuery, range, reader)]))
        }
        if conditions.isEmpty { conditions.append(PostCondition(anyOf: [stream(everythingQuery, [], reader)])) }
        return PostIntersection(of: conditions)
    }

    private static func topics(
        _ kind: TopicKind, _ names: [String], _ reader: any SQLReader
    ) throws -> PostCondition {
        let topics = try Set(names.map(NameFolding.key)).compactMap { key in
            try reader.first(topicProbe, [.text(key), .text(kind.rawValue)]) { TopicID(rawValue: $0.integer(0)) }
        }
        return PostCondition(anyOf: topics.map { stream(topicQuery, [.topic($0)], reader) })
    }

    /// The same posts as ``AttributeCondition/matches(_:)``. A name that every product understands has one kind of
    /// value; of others, what is asked for may be a text, a number or a flag.
    private static func streams(_ condition: AttributeCondition, _ reader: any SQLReader) -> [PostStream] {
        let (name, kind) = (SQLValue.text(condition.name), AttributeVocabulary.posts[condition.name])
        var streams: [PostStream] = []
        if let key = condition.key, kind != .number, kind != .flag {
            streams.append(stream(attributeQuery, [name, .text(key)], reader))
        }
        if let range = condition.range, kind == nil || kind == .number {
            streams.append(
                stream(numberQuery, [name, .real(range.lowerBound), .real(range.upperBound)], reader))
        }
        if let key = condition.key, key == "true" || key == "false", kind == nil || kind == .flag {
            streams.append(stream(flagQuery, [name, .real(key == "true" ? 1 : 0)], reader))
        }
        return streams
    }

    /// `query` takes a place and a limit after its own arguments.
    private static func stream(_ query: String, _ arguments: [SQLValue], _ reader: any SQLReader) -> PostStream {
        PostStream { bound, limit in
            try reader.rows(query, arguments + [.integer(bound), .integer(Int64(limit))]) { $0.integer(0) }
        }
    }

    static let numberQuery = """
        SELECT post_id FROM post_attribute
        WHERE ordinal = 0 AND name = ?1 AND kind = 'number' AND number_value >= ?2 AND number_value <= ?3
            AND post_id < ?4
        ORDER BY post_id DESC LIMIT ?5
        """
    static let flagQuery = """
        SELECT post_id FROM post_attribute
        WHERE ordinal = 0 AND name = ?1 AND kind = 'flag' AND number_value = ?2 AND post_id < ?3
        ORDER BY post_id DESC LIMIT ?4
        """
    static let createdQuery = """
        SELECT id FROM post WHERE created_at >= ?1 AND created_at < ?2 AND id < ?3 AND deleted_at IS NULL
        ORDER BY id DESC LIMIT ?4
        """
}
