import SocialGraph

/// A post or comment in the queue.
package struct HeldItem: Sendable, Equatable {
    package let subject: ModerationSubject
    package let user: UserID
    package let username: String
    package let community: CommunityID?
    package let communityName: String?
    package let text: String
    /// The media URL of a post.
    package let mediaURL: String?
    package let thumbnailURL: String?
    /// The time of creation in milliseconds since 1970.
    package let createdAt: Int64
    package let heldAt: Int64
    /// The reason given by the entry that holds it.
    package var reason: String
    /// The name of the rule that holds it; nil if moderators or a classifier hold it.
    package var rule: String?
    package var entry: ModlogEntryID?
    /// The authority that can release the item: the site if it holds the item, even if a community does too.
    package var scope: ModerationScope
}

/// A filter for held items.
package struct QueueFilter: Sendable, Equatable {
    package enum Kind: String, Sendable, CaseIterable { case post, comment }

    package var community: CommunityID?
    /// The kind; nil for both.
    package var kind: Kind?

    package init(community: CommunityID? = nil, kind: Kind? = nil) {
        self.community = community
        self.kind = kind
    }
}
