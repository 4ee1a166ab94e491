import SocialGraph

/// A post encoded for the wire once, in two pieces between which its counts are spliced at write-out, with what the
/// visibility rule asks of it.
package final class PostFragment: Sendable {
    package let id: PostID
    /// The author, then accepted collaborators.
    package let authors: [UserID]
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
