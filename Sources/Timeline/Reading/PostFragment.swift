import SocialGraph

/// A post encoded for the wire once, with what the visibility rule asks of it. Whatever changes the post, its counts
/// included, makes another fragment.
package final class PostFragment: Sendable {
    package let id: PostID
    /// The author, then accepted collaborators, without the suspended.
    package let authors: [UserID]
    /// Who has made it, also where suspended.
    package let publisher: UserID
    /// Waits for moderators.
    package let isHeld: Bool
    /// All of its authors are silenced.
    package let isSilenced: Bool
    package let visibility: PostVisibility
    package let community: PostCommunity?
    /// Ascending: its category and its tags.
    package let topics: [TopicID]
    package let category: TopicID?
    package let attributes: [String: AttributeValue]
    package let counts: EngagementCounts
    /// Its JSON object without the closing brace, so that members can follow.
    package let json: [UInt8]

    package init(post: Post, json: [UInt8]) {
        id = post.id
        authors = post.authors
        publisher = post.author
        isHeld = post.isHeld
        isSilenced = post.isSilenced
        visibility = post.visibility
        community = post.community
        topics = post.topics
        category = post.categoryTopic
        counts = post.counts
        attributes = post.attributes
        self.json = json
    }
}

/// A post on a page.
package struct TimelineItem: Sendable {
    package let post: PostFragment
    package let position: FeedPosition
}

/// A page of a timeline: newest first; `next` is nil at the true end only, and a page with a `next` is never empty.
package struct TimelinePage: Sendable {
    package let items: [TimelineItem]
    package let next: FeedPosition?
}
