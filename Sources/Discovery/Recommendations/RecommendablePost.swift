import SocialGraph

/// What recommendations know of a live post.
package struct RecommendablePost: Sendable, Equatable {
    package let id: PostID
    /// The author, then accepted collaborators.
    package let authors: [UserID]
    /// Its category and its tags.
    package let topics: [TopicID]
    package let category: TopicID?
    package let attributes: [String: AttributeValue]
    package let counts: EngagementCounts

    package init(
        id: PostID, authors: [UserID], topics: [TopicID], category: TopicID?, attributes: [String: AttributeValue],
        counts: EngagementCounts
    ) {
        self.id = id
        self.authors = authors
        self.topics = topics
        self.category = category
        self.attributes = attributes
        self.counts = counts
    }

    /// What it has got so far, as ``TrendingScore`` weighs acts.
    var engagement: Double {
        Double(counts.likes) * TrendingScore.like + Double(counts.comments) * TrendingScore.comment
            + Double(counts.shares) * TrendingScore.share
    }

    /// What it is about, in an order that is the same each time: sums over it are then the same to the last bit.
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

/// Something that a post can have in common with others.
enum PostTrait: Hashable, Sendable {
    case topic(TopicID)
    /// A text among its attributes, folded.
    case text(name: String, key: String)
}
