import Database

/// The conditions of a filter as streams of posts: each is an index that lists posts newest first.
extension SearchStore.Reader {
    /// What `filter` and `words` ask for, over one snapshot. Without any condition, all live posts.
    func intersection(_ filter: PostFilter, words: TextQuery?, _ budget: ScanBudget) throws -> PostIntersection {
        var conditions: [PostCondition] = []
        var checks: [PostIntersection.Check] = []
        if let words {
            // To enter a search may mean to merge what all words have that begin alike, from the newest post on.
            conditions.append(
                PostCondition(anyOf: [
                    PostStream(budget, readAhead: 64...65_536, isEntryDear: true) {
                        PostStream.Chunk(try reader.text.matches(words, below: $0, limit: $1), limit: $1)
                    }
                ]))
        }
        if let category = filter.category {
            conditions.append(try topics(.category, [category], budget))
        }
        if let tags = filter.algorithms { conditions.append(try topics(.tag, tags, budget)) }
        let attributes = filter.attributes + (filter.duration.map { [$0.condition] } ?? [])
        for condition in attributes { conditions.append(try self.condition(condition, budget)) }
        if let names = filter.carriesAnyOf {
            conditions.append(
                PostCondition(anyOf: names.map { stream(FeedStore.Reader.attributedQuery, [.text($0)], budget) }))
        }
        if let author = filter.author {
            conditions.append(PostCondition(anyOf: [stream(FeedStore.Reader.authorFeedQuery, [.user(author)], budget)]))
        }
        if let community = filter.community {
            conditions.append(
                PostCondition(anyOf: [stream(FeedStore.Reader.communityFeedQuery, [.community(community)], budget)]))
        }
        if filter.since != nil || filter.until != nil {
            let since = filter.since ?? .min
            // Nothing is from before its beginning: a range that ends earlier is empty.
            let range = since..<max(since, filter.until ?? .max)
            if conditions.isEmpty {
                conditions.append(PostCondition(anyOf: [created(range, budget)]))
            } else {
                checks.append { id in
                    try reader.first(Self.creationQuery, [.integer(id)]) { range.contains($0.integer(0)) } ?? false
                }
            }
        }
        if conditions.isEmpty {
            conditions.append(PostCondition(anyOf: [stream(FeedStore.Reader.everythingQuery, [], budget)]))
        }
        return PostIntersection(of: conditions, checks: checks, budget)
    }

    private func topics(_ kind: TopicKind, _ names: [String], _ budget: ScanBudget) throws -> PostCondition {
        let topics = try Set(names.map(NameFolding.key)).compactMap { key in
            try reader.first(TopicStore.topicProbe, [.text(key), .text(kind.rawValue)]) {
                TopicID(rawValue: $0.integer(0))
            }
        }
        return anyOf(topics, budget)
    }

    func anyOf(_ topics: [TopicID], _ budget: ScanBudget) -> PostCondition {
        PostCondition(anyOf: topics.map { stream(FeedStore.Reader.topicQuery, [.topic($0)], budget) })
    }

    /// The same posts as ``AttributeCondition/matches(_:)``. A name that every product understands has one kind of
    /// value; of others, what is asked for may be a text, a number or a flag.
    func condition(_ condition: AttributeCondition, _ budget: ScanBudget) throws -> PostCondition {
        let (name, kind) = (SQLValue.text(condition.name), AttributeVocabulary.posts[condition.name])
        var streams: [PostStream] = []
        if let key = condition.key, kind != .number, kind != .flag {
            streams.append(stream(FeedStore.Reader.attributeQuery, [name, .text(key)], budget))
        }
        if let key = condition.key, key == "true" || key == "false", kind == nil || kind == .flag {
            streams.append(stream(Self.valueQuery, [name, .text("flag"), .real(key == "true" ? 1 : 0)], budget))
        }
        if let range = condition.range, kind == nil || kind == .number {
            streams.append(try numbers(range, named: name, budget))
        }
        return PostCondition(anyOf: streams)
    }

    /// One number has an index that lists its posts newest first. A range has one that lists its posts by the number:
    /// it answers where they are few. Of many, the posts that have the attribute are looked through, newest first.
    private func numbers(
        _ range: ClosedRange<Double>, named name: SQLValue, _ budget: ScanBudget
    ) throws -> PostStream {
        if range.lowerBound == range.upperBound {
            return stream(
                Self.valueQuery, [name, .text(AttributeValue.Kind.number.rawValue), .real(range.lowerBound)], budget)
        }
        let limit = SocialGraphLimits.postsOfRange
        let bounds: [SQLValue] = [name, .real(range.lowerBound), .real(range.upperBound), .integer(Int64(limit))]
        // With many ranges, the last ones must not use up the budget before the search has begun.
        let few = budget.left < 4 * limit ? nil : try reader.rows(Self.rangeQuery, bounds) { $0.integer(0) }
        budget.spend(few?.count ?? 0)
        if let few, few.count < limit {
            let posts = few.sorted(by: >)
            return PostStream(budget) { bound, limit in
                PostStream.Chunk(Array(posts.lazy.filter { $0 < bound }.prefix(limit)), limit: limit)
            }
        }
        return filtered(Self.numbersQuery, [name], budget) { row in
            try row.choice(1, of: AttributeValue.Kind.self) == .number
                && row.optionalReal(2).map(range.contains) == true
        }
    }

    /// Posts created in `range` (milliseconds since 1970).
    private func created(_ range: Range<Int64>, _ budget: ScanBudget) -> PostStream {
        filtered(Self.creationsQuery, [], budget) { range.contains($0.integer(1)) }
    }

    /// Returns those rows that `query` lists, newest first, for which `isWanted` holds: all of them are examined.
    private func filtered(
        _ query: String, _ arguments: [SQLValue], _ budget: ScanBudget,
        _ isWanted: @escaping (any SQLRow) throws -> Bool
    ) -> PostStream {
        PostStream(budget) { bound, limit in
            var ids: [Int64] = []
            var (last, rows) = (Int64?.none, 0)
            try reader.forEach(query, arguments + [.integer(bound), .integer(Int64(limit))]) { row in
                rows += 1
                last = row.integer(0)
                if try isWanted(row) { ids.append(row.integer(0)) }
                return true
            }
            return PostStream.Chunk(ids: ids, end: rows < limit ? nil : last, examined: rows)
        }
    }

    /// `query` takes a place and a limit after its own arguments.
    func stream(_ query: String, _ arguments: [SQLValue], _ budget: ScanBudget) -> PostStream {
        PostStream(budget) { bound, limit in
            PostStream.Chunk(
                try reader.rows(query, arguments + [.integer(bound), .integer(Int64(limit))]) { $0.integer(0) },
                limit: limit)
        }
    }

    static let valueQuery = """
        SELECT post_id FROM post_attribute
        WHERE name = ?1 AND kind = ?2 AND number_value IS NOT NULL AND number_value = ?3 AND post_id < ?4
        ORDER BY post_id DESC LIMIT ?5
        """
    static let rangeQuery = """
        SELECT post_id FROM post_attribute
        WHERE name = ?1 AND kind = \(AttributeValue.Kind.number.literal)
            AND number_value IS NOT NULL AND number_value >= ?2 AND number_value <= ?3
        LIMIT ?4
        """
    static let numbersQuery = """
        SELECT post_id, kind, number_value FROM post_attribute WHERE name = ?1 AND ordinal = 0 AND post_id < ?2
        ORDER BY post_id DESC LIMIT ?3
        """
    static let creationQuery = "SELECT created_at FROM post WHERE id = ?1 AND deleted_at IS NULL"
    static let creationsQuery = """
        SELECT id, created_at FROM post WHERE id < ?1 AND deleted_at IS NULL ORDER BY id DESC LIMIT ?2
        """
}
