import SocialGraph

/// Which posts a list of recommendations is of.
package struct RecommendationScope: Sendable {
    /// Tells lists apart: two scopes of one name are the same.
    package let name: String
    /// Feeds of which every post of the scope is in one.
    package let sources: [FeedSource]
    package let includes: @Sendable (RecommendablePost) -> Bool

    package init(
        name: String, sources: [FeedSource], includes: @escaping @Sendable (RecommendablePost) -> Bool
    ) {
        self.name = name
        self.sources = sources
        self.includes = includes
    }

    /// Everybody's public posts.
    package static let everything = RecommendationScope(name: "", sources: [.everything]) { _ in true }

    /// The posts that have one of these attributes.
    package static func carrying(anyOf attributes: [String]) -> RecommendationScope {
        RecommendationScope(
            name: "carrying " + attributes.joined(separator: " "),
            sources: attributes.map { .attributed(name: $0) }
        ) { post in
            attributes.contains { post.attributes[$0] != nil }
        }
    }

    var isEverything: Bool { sources == [.everything] }
}
