@testable import SocialGraph

extension EveryOperation {
    /// What searches ask, every condition of a filter in turn.
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
            _ = try await graph.newestPosts(having: words, filter, below: nil, limit: 5)
            _ = try await graph.popularPosts(filter, below: nil, limit: 5)
        }
        _ = try await graph.bestPosts(having: words, PostFilter(), limit: 5)
        _ = try await graph.popularPosts(having: words, PostFilter(), limit: 5)
        _ = try await graph.knownWords(among: ["ann"])
        _ = try await graph.accounts(matching: SearchWords("a"), for: ann, limit: 5)
        _ = try await graph.database.read { reader in
            let query = TextQuery(.names, [TextQuery.Term(word: "a", isBeginning: true)])
            let users = try GraphStore.mostFollowed(query, limit: 0, reader)
            let documents = try [.account(ann), .community(group)].map { try TextDocument.texts(of: $0, reader) }
            return (users, documents)
        }
        for post in try await graph.ownPosts(of: ann, below: nil, limit: 1).items {
            _ = try await graph.database.read { try TextDocument.texts(of: .post(post.id), $0) }
        }
    }
}
