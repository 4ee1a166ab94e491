import SocialGraph

/// Why an item is on a page.
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
    /// In the feed of everybody's public posts.
    case everybody
    /// Ranked by what it got of late. `window`: such as 24h.
    case trending(window: String)
    /// Ranked by how its likes rise. `window`: such as 7d.
    case businessTrend(window: String)

    /// Stable, for programs.
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

/// Why a post is, or is not, in a reader's home timeline, in words for the reader.
package struct Verdict: Sendable, Equatable {
    package struct Ground: Sendable, Equatable {
        /// Stable, for programs.
        package let kind: String
        package let text: String
    }

    package let isVisible: Bool
    package let grounds: [Ground]
}

/// A filter together with the names that it was asked for by.
package struct NamedFilter: Sendable {
    package let filter: FeedFilter
    package let names: [TopicID: String]

    package static let none = NamedFilter(filter: .none, names: [:])
}

/// The feed that is being explained.
package enum ExplainedFeed: Sendable {
    case home, everybody, community
    /// Everybody's public posts in another order than by time, for a reason of that order.
    case ranked(Reason)
}
