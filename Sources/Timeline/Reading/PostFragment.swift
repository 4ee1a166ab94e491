import SocialGraph
import Synchronization
import Text

/// A post that is encoded once, with the inputs of the visibility rule. Every change of the post, its counts included,
/// makes another fragment.
package final class PostFragment: Sendable {
    package let id: PostID
    /// The author, then accepted collaborators, without suspended users.
    package let authors: [UserID]
    /// The user who created the post, even if suspended.
    package let publisher: UserID
    /// True if the post is held for review.
    package let isHeld: Bool
    /// True if all of its authors are silenced.
    package let isSilenced: Bool
    /// True if only authors and their followers may see the post.
    package let isForFollowers: Bool
    package let community: PostCommunity?
    /// Ascending: its category and its tags.
    package let topics: [TopicID]
    package let category: TopicID?
    package let attributes: [String: AttributeValue]
    package let counts: EngagementCounts
    /// The distinct users behind the counts.
    package let people: EngagementCounts
    // The texts in which muted words are searched for.
    let title: String?
    let caption: String
    let categoryName: String?
    let tags: [String]
    /// These texts, folded at the first search.
    let folded = Mutex<FoldedText?>(nil)
    /// The JSON object of the post with the public members, without the value of its author, and without the closing
    /// brace, so that members can follow.
    package let json: [UInt8]
    /// Position in `json` of the value of the author.
    package let authorPlace: Int
    /// Pending invitations to collaborate. They are not in `json`, and are shown only to the users named by the post.
    package let invitations: [Collaborator]
    /// Position in `json` of the bracket that closes the list of collaborators.
    package let collaboratorsEnd: Int

    package init(post: Post, json: [UInt8], authorPlace: Int = 0, collaboratorsEnd: Int = 0) {
        id = post.id
        authors = post.authors
        publisher = post.author
        isHeld = post.isHeld
        isSilenced = post.isSilenced
        isForFollowers = post.isForFollowers
        community = post.community
        topics = post.topics
        category = post.categoryTopic
        counts = post.counts
        people = post.people
        attributes = post.attributes
        title = post.title
        caption = post.caption
        categoryName = post.category
        tags = post.algorithmTags
        self.json = json
        self.authorPlace = authorPlace
        self.collaboratorsEnd = collaboratorsEnd
        invitations = post.invitations
    }

    /// The invitations that `viewer` may see: all for users named by the post, none for others.
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

/// A page of a timeline, newest first. `next` is nil only at the true end. A page with a `next` is full, unless the
/// request has examined the maximum number of rows.
package struct TimelinePage: Sendable {
    package let items: [TimelineItem]
    package let next: FeedPosition?
}
