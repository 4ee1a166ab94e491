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
    /// The people behind the counts.
    package let people: EngagementCounts
    /// Its JSON object as everyone may see it, without the closing brace, so that members can follow.
    package let json: [UInt8]
    /// Invitations to collaborate that are pending: not in `json`, and shown to those whom the post names.
    package let invitations: [Collaborator]
    /// Position in `json` of the bracket that closes the list of collaborators.
    package let collaboratorsEnd: Int

    package init(post: Post, json: [UInt8], collaboratorsEnd: Int = 0) {
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
        people = post.people
        attributes = post.attributes
        self.json = json
        self.collaboratorsEnd = collaboratorsEnd
        invitations = post.invitations
    }

    /// The invitations that `viewer` may see: all for those whom the post names, else none.
    package func invitations(shownTo viewer: UserID) -> [Collaborator] {
        guard !invitations.isEmpty else { return [] }
        let isNamed =
            viewer == publisher || authors.contains(viewer) || invitations.contains { $0.user == viewer }
        return isNamed ? invitations : []
    }
}

/// A post on a page.
package struct TimelineItem: Sendable {
    package let post: PostFragment
    package let position: FeedPosition
}

/// A page of a timeline: newest first; `next` is nil at the true end only. A page with a `next` is full, unless as many
/// rows have been examined as one request may cost.
package struct TimelinePage: Sendable {
    package let items: [TimelineItem]
    package let next: FeedPosition?
}
