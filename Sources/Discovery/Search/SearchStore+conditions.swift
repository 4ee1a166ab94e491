import Database
import SocialGraph
import Text

/// Conditions of a filter as streams of posts.
extension SearchStore.Reader {
    /// Returns the posts that match `filter` and `words` on one snapshot; all live posts without a condition.
    func intersection(_ filter: PostFilter, words: TextQuery?, _ budget: ScanBudget) throws -> PostIntersection {
        let indexes = PostConditions(reader, budget)
        var conditions: [PostCondition] = []
        var checks: [PostIntersection.Check] = []
        if let words {
            // A prefix may have to merge the postings of many words, from the newest post on.
            conditions.append(
                PostCondition(anyOf: [
                    PostScan(budget, readAhead: 64...65_536, isEntryDear: true) {
                        PostScan.Chunk(try reader.text.matches(words, below: $0, limit: $1), limit: $1)
                    }
                ]))
        }
        if let category = filter.category {
            conditions.append(indexes.anyOf(try topics(.category, [category])))
        }
        if let tags = filter.algorithms { conditions.append(indexes.anyOf(try topics(.tag, tags))) }
        let attributes = filter.attributes + (filter.duration.map { [$0.condition] } ?? [])
        for condition in attributes { conditions.append(try indexes.condition(condition)) }
        if let names = filter.carriesAnyOf {
            conditions.append(
                PostCondition(anyOf: names.map { indexes.stream(FeedStore.Reader.attributedQuery, [.text($0)]) }))
        }
        if let author = filter.author {
            conditions.append(PostCondition(anyOf: [indexes.stream(FeedStore.Reader.authorFeedQuery, [.user(author)])]))
        }
        if let community = filter.community {
            conditions.append(
                PostCondition(anyOf: [indexes.stream(FeedStore.Reader.communityFeedQuery, [.community(community)])]))
        }
        if filter.since != nil || filter.until != nil {
            let since = filter.since ?? .min
            // A range that ends before its start is empty.
            let range = since..<max(since, filter.until ?? .max)
            if conditions.isEmpty {
                conditions.append(PostCondition(anyOf: [created(range, indexes)]))
            } else {
                checks.append { ids in
                    try reader.first(of: ids.map { SQLQuery(Self.creationQuery, [.integer($0)]) }) {
                        range.contains($0.integer(0))
                    }.map { $0 ?? false }
                }
            }
        }
        if conditions.isEmpty {
            conditions.append(PostCondition(anyOf: [indexes.stream(FeedStore.Reader.everythingQuery, [])]))
        }
        return PostIntersection(of: conditions, checks: checks, budget)
    }

    private func topics(_ kind: TopicKind, _ names: [String]) throws -> [TopicID] {
        let keys = Set(names.map(NameFolding.key))
        return try reader.first(
            of: keys.map { SQLQuery(TopicStore.topicProbe, [.text($0), .text(kind.rawValue)]) }
        ) { TopicID(rawValue: $0.integer(0)) }.compactMap(\.self)
    }

    /// Returns the posts created in `range` (milliseconds since 1970).
    private func created(_ range: Range<Int64>, _ indexes: PostConditions) -> PostScan {
        indexes.filtered(Self.creationsQuery, []) { range.contains($0.integer(1)) }
    }

    static let creationQuery = "SELECT created_at FROM post WHERE id = ?1 AND deleted_at IS NULL"
    static let creationsQuery = """
        SELECT id, created_at FROM post WHERE id < ?1 AND deleted_at IS NULL ORDER BY id DESC LIMIT ?2
        """
}
