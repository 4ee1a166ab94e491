import Database

/// Conditions as streams of posts, over one snapshot: each is an index that lists posts newest first. All of them share
/// one budget of examined rows.
package struct PostConditions {
    /// Largest number of posts with a number in a range that are listed by the number. Beyond it, the posts with the
    /// attribute are scanned.
    static let postsOfRange = 1_024

    let reader: any SQLReader
    let budget: ScanBudget

    package init(_ reader: any SQLReader, _ budget: ScanBudget) {
        self.reader = reader
        self.budget = budget
    }

    /// The posts that are in one of `topics`.
    package func anyOf(_ topics: [TopicID]) -> PostCondition {
        PostCondition(anyOf: topics.map { stream(FeedStore.Reader.topicQuery, [.topic($0)]) })
    }

    /// The same posts as ``AttributeCondition/matches(_:)``. A name of ``AttributeVocabulary`` has one kind of value;
    /// for other names, the value may be a text, a number or a flag.
    package func condition(_ condition: AttributeCondition) throws -> PostCondition {
        let (name, kind) = (SQLValue.text(condition.name), AttributeVocabulary.posts[condition.name])
        var streams: [PostScan] = []
        if let key = condition.key, kind != .number, kind != .flag {
            streams.append(stream(FeedStore.Reader.attributeQuery, [name, .text(key)]))
        }
        if let key = condition.key, key == "true" || key == "false", kind == nil || kind == .flag {
            streams.append(stream(Self.valueQuery, [name, .text("flag"), .real(key == "true" ? 1 : 0)]))
        }
        if let range = condition.range, kind == nil || kind == .number {
            streams.append(try numbers(range, named: name))
        }
        return PostCondition(anyOf: streams)
    }

    /// Posts with a number. One number has an index that lists its posts newest first. A range has an index that lists
    /// its posts by the number, which serves a range with few posts. For a range with many, the posts with the
    /// attribute are scanned, newest first.
    private func numbers(
        _ range: ClosedRange<Double>, named name: SQLValue
    ) throws -> PostScan {
        if range.lowerBound == range.upperBound {
            return stream(
                Self.valueQuery, [name, .text(AttributeValue.Kind.number.rawValue), .real(range.lowerBound)])
        }
        let limit = Self.postsOfRange
        let bounds: [SQLValue] = [name, .real(range.lowerBound), .real(range.upperBound), .integer(Int64(limit))]
        // With many ranges, the last ones must not use up the budget before the search has begun.
        let few = budget.left < 4 * limit ? nil : try reader.rows(Self.rangeQuery, bounds) { $0.integer(0) }
        budget.spend(few?.count ?? 0)
        if let few, few.count < limit {
            let posts = few.sorted(by: >)
            return PostScan(budget) { bound, limit in
                PostScan.Chunk(Array(posts.lazy.filter { $0 < bound }.prefix(limit)), limit: limit)
            }
        }
        return filtered(Self.numbersQuery, [name]) { row in
            try row.choice(1, of: AttributeValue.Kind.self) == .number
                && row.optionalReal(2).map(range.contains) == true
        }
    }

    /// The rows of `query`, newest first, for which `isWanted` holds; all rows are examined.
    package func filtered(
        _ query: String, _ arguments: [SQLValue],
        _ isWanted: @escaping (any SQLRow) throws -> Bool
    ) -> PostScan {
        let lookUp = lookUp(query, arguments, isWanted)
        return PostScan(budget, lookUp: lookUp) { bound, limit in
            var ids: [Int64] = []
            var (last, rows) = (Int64?.none, 0)
            try reader.forEach(query, arguments + [.integer(bound), .integer(Int64(limit))]) { row in
                rows += 1
                last = row.integer(0)
                if try isWanted(row) { ids.append(row.integer(0)) }
                return true
            }
            return PostScan.Chunk(ids: ids, end: rows < limit ? nil : last, examined: rows)
        }
    }

    /// `query` takes a place and a limit after its own arguments.
    package func stream(_ query: String, _ arguments: [SQLValue]) -> PostScan {
        PostScan(budget, lookUp: lookUp(query, arguments) { _ in true }) { bound, limit in
            PostScan.Chunk(
                try reader.rows(query, arguments + [.integer(bound), .integer(Int64(limit))]) { $0.integer(0) },
                limit: limit)
        }
    }

    /// Looks many posts up in the index of `query` in one round trip.
    private func lookUp(
        _ query: String, _ arguments: [SQLValue], _ isWanted: @escaping (any SQLRow) throws -> Bool
    ) -> PostScan.LookUp {
        { ids in
            let queries = ids.map { SQLQuery(query, arguments + [.integer($0 + 1), .integer(1)]) }
            let found = try reader.first(of: queries) { try isWanted($0) ? $0.integer(0) : nil }
            return zip(ids, found).map { $0 == $1 }
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
}
