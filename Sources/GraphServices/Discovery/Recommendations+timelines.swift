import Discovery
import SocialGraph
import Timeline

extension RecommendablePost {
    package init(_ post: PostFragment) {
        self.init(
            id: post.id, authors: post.authors, topics: post.topics, category: post.category,
            attributes: post.attributes, people: post.people)
    }
}

extension Recommendations {
    /// Creates recommendations from the posts that `timelines` shows in a feed of everybody's posts.
    package convenience init(
        graph: GraphStore, rankings: Rankings, index: NeighbourIndex, timelines: Timelines,
        clock: @escaping @Sendable () -> Int64
    ) {
        self.init(graph: graph, rankings: rankings, index: index, clock: clock) { posts, viewer in
            try await timelines.lists.ranked(posts, for: viewer).map { $0.map { RecommendablePost($0.post) } }
        }
    }
}
