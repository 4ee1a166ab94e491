import SocialGraph
import TestSupport
import Testing

@testable import Discovery

/// Recommendations over the graph of a ``DiscoveryFixture``, composed like in the server except for visibility: a live
/// post is shown to everybody unless the test hides it.
final class RecommendationFixture: Sendable {
    let discovery: DiscoveryFixture
    let index: NeighbourIndex
    let recommendations: Recommendations
    private let hiding: Hiding

    actor Hiding {
        var posts: Set<PostID> = []
        func set(_ hidden: Set<PostID>) { posts = hidden }
    }

    init(_ discovery: DiscoveryFixture) {
        self.discovery = discovery
        let (graph, hiding, index) = (discovery.graph, Hiding(), NeighbourIndex(graph: discovery.graph))
        self.hiding = hiding
        self.index = index
        let clock = discovery.clock
        recommendations = Recommendations(
            graph: graph, rankings: discovery.rankings, index: index, clock: { clock.now }
        ) { posts, _ in
            let hidden = await hiding.posts
            let live = Dictionary(uniqueKeysWithValues: try await graph.posts.posts(posts).map { ($0.id, $0) })
            return posts.map { id in
                guard let post = live[id], post.visibility == .everyone, !hidden.contains(id) else { return nil }
                return RecommendablePost(
                    id: id, authors: post.authors, topics: post.topics, category: post.categoryTopic,
                    attributes: post.attributes, people: post.people)
            }
        }
    }

    var graph: GraphStore { discovery.graph }

    func hide(_ posts: Set<PostID>) async { await hiding.set(posts) }

    func user(_ name: String) async throws -> UserID { try await discovery.user(name) }

    func post(
        by author: String = "author", category: String? = nil, tags: [String] = [],
        _ attributes: [String: AttributeValue] = [:]
    ) async throws -> PostID {
        try await graph.posts.publish(
            NewPost(
                author: try await user(author), caption: "c", mediaURL: "https://example.org/1", category: category,
                algorithmTags: tags, attributes: attributes)
        ).id
    }

    func prefer(_ preferences: [String: AttributeValue], _ user: UserID) async throws {
        var change = ProfileChange()
        change.preferences = preferences
        try await graph.accounts.changeProfile(of: user, change)
    }

    func list(_ user: UserID, _ scope: RecommendationScope = .everything, limit: Int = 100) async throws -> [PostID] {
        try await recommendations.list(for: user, scope: scope, limit: limit).map(\.post)
    }

    func recommendation(_ post: PostID, for user: UserID) async throws -> Recommendation {
        let list = try await recommendations.list(for: user, limit: 300)
        return try #require(list.first { $0.post == post })
    }
}

func withRecommendations(_ body: (RecommendationFixture) async throws -> Void) async throws {
    try await withDiscovery { try await body(RecommendationFixture($0)) }
}
