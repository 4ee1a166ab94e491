import SocialGraph

/// The reason for an item's presence on a page.
package enum Reason: Sendable, Equatable {
    /// The reader is an author, or has reshared it.
    case own
    case follows(UserID, username: String)
    /// A followed user is an accepted collaborator.
    case collaborator(UserID, username: String)
    case reshare(by: UserID, username: String)
    case topic(name: String)
    case community(CommunityID, name: String)
    /// A tag of the algorithm filter that the post has.
    case algorithm(tag: String)
    case category(name: String)
    /// An item of the feed of all public posts.
    case everybody
    /// Ranked by recent engagement. `window`: such as 24h.
    case trending(window: String)
    /// Ranked by the growth of its likes. `window`: such as 7d.
    case businessTrend(window: String)

    /// A stable identifier for programs.
    package var kind: String {
        switch self {
        case .own: "own"
        case .follows: "follows"
        case .collaborator: "collaborator"
        case .reshare: "reshare"
        case .topic: "topic"
        case .community: "community"
        case .algorithm: "algorithm"
        case .category: "category"
        case .everybody: "public"
        case .trending: "trending"
        case .businessTrend: "business_trend"
        }
    }
}

/// An answer, in words for the reader, to why a post is, or is not, in the home timeline.
package struct Verdict: Sendable, Equatable {
    package struct Ground: Sendable, Equatable {
        /// A stable identifier for programs.
        package let kind: String
        package let text: String
    }

    package let isVisible: Bool
    package let grounds: [Ground]
}

/// A filter together with the names in the request.
package struct NamedFilter: Sendable {
    package let filter: FeedFilter
    package let names: [TopicID: String]

    package static let none = NamedFilter(filter: .none, names: [:])
}

/// The feed that is being explained.
package enum ExplainedFeed: Sendable {
    case home, everybody, community
    /// All public posts in an order other than by time. The reason names the order.
    case ranked(Reason)
}
