import SocialGraph
import Text

/// A live post as recommendations see it.
package struct RecommendablePost: Sendable, Equatable {
    package let id: PostID
    /// The author, then the accepted collaborators.
    package let authors: [UserID]
    /// Category and tags.
    package let topics: [TopicID]
    package let category: TopicID?
    package let attributes: [String: AttributeValue]
    /// Numbers of people who like the post, have commented on it, and have shared it.
    package let people: EngagementCounts

    package init(
        id: PostID, authors: [UserID], topics: [TopicID], category: TopicID?, attributes: [String: AttributeValue],
        people: EngagementCounts
    ) {
        self.id = id
        self.authors = authors
        self.topics = topics
        self.category = category
        self.attributes = attributes
        self.people = people
    }

    /// People reached so far, weighted as in ``TrendingScore``.
    var engagement: Double {
        Double(people.likes) * TrendingScore.like + Double(people.comments) * TrendingScore.comment
            + Double(people.shares) * TrendingScore.share
    }

    /// Traits of the post in a fixed order, so that sums over them are equal to the last bit.
    var traits: [PostTrait] {
        var traits = topics.map(PostTrait.topic)
        for (name, value) in attributes.sorted(by: { $0.key < $1.key }) {
            switch value {
            case .text(let text): traits.append(.text(name: name, key: NameFolding.key(text)))
            case .list(let texts): traits += texts.map { .text(name: name, key: NameFolding.key($0)) }
            case .number, .flag: break
            }
        }
        return traits
    }
}

/// A property that a post can share with others.
enum PostTrait: Hashable, Sendable {
    case topic(TopicID)
    /// A folded text among its attributes.
    case text(name: String, key: String)
}
