import Database
import Text

@testable import Discovery
@testable import Privacy
@testable import SocialGraph

extension EveryOperation {
    /// Queries of searches, with every condition of a filter in turn.
    static func search(_ graph: GraphStore, _ ann: UserID, _ group: CommunityID) async throws {
        let filters = [
            PostFilter(), PostFilter(category: "c"), PostFilter(algorithms: ["t"]),
            PostFilter(attributes: [AttributeCondition(name: "workoutType", text: "HIIT")]),
            PostFilter(attributes: [AttributeCondition(name: "own", text: "true")]),
            PostFilter(carriesAnyOf: ["workoutType"]), PostFilter(duration: .short), PostFilter(author: ann),
            PostFilter(community: group), PostFilter(since: 0, until: .max),
        ]
        let words = SearchWords("ann c")
        for filter in filters {
            _ = try await graph.search.newestPosts(having: words, filter, below: nil, limit: 5)
            _ = try await graph.search.popularPosts(filter, below: nil, limit: 5)
        }
        _ = try await graph.search.bestPosts(having: words, PostFilter(), limit: 5)
        _ = try await graph.search.popularPosts(having: words, PostFilter(), limit: 5)
        _ = try await graph.search.knownWords(among: ["ann"], limit: 9)
        // The query for a range that contains very many posts.
        _ = try await graph.database.read { reader in
            try reader.rows(PostConditions.numbersQuery, [.text("n"), .integer(.max), .integer(1)]) {
                $0.integer(0)
            }
        }
        _ = try await graph.search.newestPosts(having: nil, PostFilter(since: 0), below: nil, limit: 5)
        _ = try await graph.search.newestPosts(
            having: nil, PostFilter(attributes: [AttributeCondition(name: "n", text: "1..2")]), below: nil, limit: 5)
        _ = try await graph.feeds.slice(
            of: FeedConditions(
                topics: [[TopicID(rawValue: 1)]], attributes: [AttributeCondition(name: "n", text: "1")],
                community: group),
            below: .end, limit: 5, budget: 100)
        _ = try await graph.search.accounts(matching: SearchWords("a"), for: ann, limit: 5)
        _ = try await graph.database.read { reader in
            let query = TextQuery(.names, [TextQuery.Term(word: "a", isBeginning: true)])
            let users = try [0, 1].map { try AccountStore.Reader(reader).mostFollowed(query, limit: $0, walked: 0) }
            let documents = try [.account(ann), .community(group)].map { try TextDocument.texts(of: $0, reader) }
            return (users, documents)
        }
        for post in try await graph.exports.ownPosts(of: ann, below: nil, limit: 1).items {
            _ = try await graph.database.read { try TextDocument.texts(of: .post(post.id), $0) }
        }
    }
}
