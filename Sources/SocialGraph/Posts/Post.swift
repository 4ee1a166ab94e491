/// The users who may see a post.
package enum PostVisibility: String, Sendable, CaseIterable {
    case everyone = "public"
    /// The authors and their followers.
    case followers
}

/// A new post, after validation. Limits: ``SocialGraphLimits``.
package struct NewPost: Sendable {
    package var author: UserID
    package var caption: String
    package var mediaURL: String
    package var category: String?
    /// The tags in the order given; of tags that differ in case only, the first is kept.
    package var algorithmTags: [String]
    package var collaborators: [UserID]
    package var link: String?
    package var title: String?
    package var thumbnailURL: String?
    /// The stored files that `mediaURL` and `thumbnailURL` name, if they are stored here.
    package var media: MediaID?
    package var thumbnail: MediaID?
    package var attributes: [String: AttributeValue]
    package var visibility: PostVisibility
    /// The community in which the post is published.
    package var community: CommunityID?
    /// Milliseconds since 1970, for imported posts; nil: now. The position in timelines is always that of the import.
    package var createdAt: Int64?

    package init(
        author: UserID, caption: String, mediaURL: String, category: String? = nil, algorithmTags: [String] = [],
        collaborators: [UserID] = [], link: String? = nil, title: String? = nil, thumbnailURL: String? = nil,
        media: MediaID? = nil, thumbnail: MediaID? = nil, attributes: [String: AttributeValue] = [:],
        visibility: PostVisibility = .everyone, community: CommunityID? = nil, createdAt: Int64? = nil
    ) {
        self.author = author
        self.caption = caption
        self.mediaURL = mediaURL
        self.category = category
        self.algorithmTags = algorithmTags
        self.collaborators = collaborators
        self.link = link
        self.title = title
        self.thumbnailURL = thumbnailURL
        self.media = media
        self.thumbnail = thumbnail
        self.attributes = attributes
        self.visibility = visibility
        self.community = community
        self.createdAt = createdAt
    }
}

/// A live post with everything that a timeline shows of it.
package struct Post: Sendable, Equatable {
    package let id: PostID
    package let author: UserID
    package let authorUsername: String
    package let caption: String
    package let mediaURL: String
    package let category: String?
    package var algorithmTags: [String]
    /// All collaborators and invited users. Other users see ``collaborators(shownTo:)``.
    package var collaborators: [Collaborator]
    package let link: String?
    package let title: String?
    package let thumbnailURL: String?
    /// Other forms of its file, as a JSON array; nil if there are none.
    package var renditions: String?
    package var attributes: [String: AttributeValue]
    package let visibility: PostVisibility
    package let community: PostCommunity?
    /// Topics of its category and its tags, ascending.
    package var topics: [TopicID]
    /// Topic of its category; nil without one.
    package var categoryTopic: TopicID?
    package let counts: EngagementCounts
    /// The people behind the counts: each user counts once for each.
    package var people = EngagementCounts(likes: 0, comments: 0, shares: 0)
    /// Milliseconds since 1970.
    package let createdAt: Int64
    package let updatedAt: Int64
    /// Held for review; visible only to its authors, by direct link.
    package var isHeld = false
    package var isAuthorSuspended = false
    package var isAuthorSilenced = false
    /// The account of the user who created the post is private.
    package var isAuthorPrivate = false

    /// The author and accepted collaborators, without the suspended. The post reaches their followers.
    package var authors: [UserID] { (isAuthorSuspended ? [] : [author]) + partners.map(\.user) }

    /// True if all of `authors` are silenced: the post is shown only to them and to their followers.
    package var isSilenced: Bool {
        (isAuthorSuspended || isAuthorSilenced) && partners.allSatisfy(\.isSilenced)
    }

    /// True if only authors and their followers may see the post: by its visibility, or because its creator's account
    /// is private. A post in a community follows the community's rule instead of the account's.
    package var isForFollowers: Bool { visibility == .followers || isAuthorPrivate && community == nil }

    /// The collaborators that `viewer` may see. The author and every user whom the post names see all, invitations
    /// included; other users see those who have accepted.
    package func collaborators(shownTo viewer: UserID) -> [Collaborator] {
        viewer == author || collaborators.contains { $0.user == viewer } ? collaborators : partners
    }

    /// Invitations that have not been accepted yet.
    package var invitations: [Collaborator] { collaborators.filter { $0.status == .pending } }

    package var partners: [Collaborator] { collaborators.filter { $0.status == .accepted } }
}

/// The properties of a post's community that decide who sees the post.
package struct PostCommunity: Sendable, Equatable {
    package let id: CommunityID
    package let name: String
    /// The post is for members: the community is private, or was when the post was written.
    package let isForMembers: Bool
    /// Removed by the community's moderators; visible only to them and to the authors.
    package let isRemoved: Bool
}

package struct Collaborator: Sendable, Equatable {
    package enum Status: String, Sendable, CaseIterable { case pending, accepted }
    package let user: UserID
    package let username: String
    package let status: Status
    package var isSilenced = false
}

package struct EngagementCounts: Sendable, Equatable {
    package let likes: Int64
    package let comments: Int64
    package let shares: Int64

    package init(likes: Int64, comments: Int64, shares: Int64) {
        self.likes = likes
        self.comments = comments
        self.shares = shares
    }
}
