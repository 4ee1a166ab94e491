import SocialGraph

/// A post encoded for the wire once, in two pieces between which its counts are spliced at write-out.
package final class PostFragment: Sendable {
    package let id: PostID
    package let authors: [UserID]
    package let head: [UInt8]
    package let counts: EngagementCounts
    package let tail: [UInt8]

    package init(post: Post, head: [UInt8], tail: [UInt8]) {
        id = post.id
        authors = post.authors
        counts = post.counts
        self.head = head
        self.tail = tail
    }
}

/// A page of a timeline: newest first; `next` is nil at the true end only, and a page with a `next` is never empty.
package struct TimelinePage: Sendable {
    package let items: [PostFragment]
    package let next: PostID?
}
