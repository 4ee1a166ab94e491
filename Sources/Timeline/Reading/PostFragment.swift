import SocialGraph

/// A post encoded for the wire once, in two pieces between which its counts are spliced at write-out, with what the
/// visibility rule asks of it.
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
    package let head: [UInt8]
    package let counts: EngagementCounts
    package let tail: [UInt8]

    package init(post: Post, head: [UInt8], tail: [UInt8]) {
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
        self.head = head
        self.tail = tail
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
