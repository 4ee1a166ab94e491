import SocialGraph

/// The set of posts that a list of recommendations is drawn from.
package struct RecommendationScope: Sendable {
    /// Identity of the scope: scopes of one name are the same.
    package let name: String
    /// Feeds that together contain every post of the scope.
    package let sources: [FeedSource]
    package let includes: @Sendable (RecommendablePost) -> Bool

    package init(
        name: String, sources: [FeedSource], includes: @escaping @Sendable (RecommendablePost) -> Bool
    ) {
        self.name = name
        self.sources = sources
        self.includes = includes
    }

    /// All public posts.
    package static let everything = RecommendationScope(name: "", sources: [.everything]) { _ in true }

    /// Returns the scope of posts with at least one of the attributes.
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
