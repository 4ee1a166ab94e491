import SocialGraph

/// A post or comment in the queue.
package struct HeldItem: Sendable, Equatable {
    package let subject: ModerationSubject
    package let user: UserID
    package let username: String
    package let community: CommunityID?
    package let communityName: String?
    package let text: String
    /// Of a post.
    package let mediaURL: String?
    /// Milliseconds since 1970.
    package let createdAt: Int64
    package let heldAt: Int64
    /// Of the entry by which it is held.
    package var reason: String
    /// The name of the rule that holds it; nil: moderators or a classifier do.
    package var rule: String?
    package var entry: ModlogEntryID?
    /// Authority that can release the item: the site's alone where the site holds it, even if a community does too.
    package var scope: ModerationScope
}

/// Which held things are asked for.
package struct QueueFilter: Sendable, Equatable {
    package enum Kind: String, Sendable, CaseIterable { case post, comment }

    package var community: CommunityID?
    /// Nil: both.
    package var kind: Kind?

    package init(community: CommunityID? = nil, kind: Kind? = nil) {
        self.community = community
        self.kind = kind
    }
}
