import Database
import SocialGraph

/// A condition on a timeline: a category, algorithm tags with at least one match, attributes that all must hold.
package struct FeedFilter: Sendable, Hashable {
    package enum Category: Sendable, Hashable {
        case any
        case topic(TopicID)
        /// A category that no post has ever had.
        case unknown
    }

    package let category: Category
    /// Topics of the algorithm tags, ascending. Nil means no condition; empty means that no post has any of the
    /// requested tags.
    package let algorithms: [TopicID]?
    package let attributes: [AttributeCondition]

    package init(
        category: Category = .any, algorithms: [TopicID]? = nil, attributes: [AttributeCondition] = []
    ) {
        self.category = category
        self.algorithms = algorithms.map { $0.sorted() }
        self.attributes = attributes
    }

    package static let none = FeedFilter()

    package var isNone: Bool { category == .any && algorithms == nil && attributes.isEmpty }
    package var matchesNothing: Bool { category == .unknown || algorithms?.isEmpty == true }

    package func matches(_ post: PostFragment) -> Bool {
        matches(category: post.category, topics: post.topics, attributes: post.attributes)
    }

    /// Returns whether a post with that category, those topics (its category and its tags) and attributes matches.
    package func matches(
        category own: TopicID?, topics: [TopicID], attributes values: [String: AttributeValue]
    ) -> Bool {
        switch category {
        case .any: break
        case .topic(let topic): if own != topic { return false }
        case .unknown: return false
        }
        guard attributes.allSatisfy({ $0.matches(values) }) else { return false }
        guard let algorithms else { return true }
        return topics.contains(where: algorithms.binaryContains)
    }

    /// Topics of which every matching post has at least one; nil without a condition.
    var topics: [TopicID]? {
        // The tags are the narrower condition; without tags, the category decides.
        if let algorithms { return algorithms }
        if case .topic(let topic) = category { return [topic] }
        return nil
    }

    /// The conditions of the filter that indexes can answer; nil if there are none. The filter must be able to match a
    /// post.
    package func conditions(in community: CommunityID? = nil) -> FeedConditions? {
        if isNone { return nil }
        var sets: [[TopicID]] = []
        if case .topic(let topic) = category { sets.append([topic]) }
        if let algorithms { sets.append(algorithms) }
        return FeedConditions(topics: sets, attributes: attributes, community: community)
    }

    /// Feeds that together contain every matching post; nil if the filter names none.
    package var sources: [FeedSource]? {
        topics?.map(FeedSource.topic) ?? attributes.lazy.compactMap(\.source).first.map { [$0] }
    }
}
