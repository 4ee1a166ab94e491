/// Who may see a post.
package enum PostVisibility: String, Sendable, CaseIterable {
    case everyone = "public"
    /// The authors and those who follow one of them.
    case followers
}

/// A post as it is accepted. Limits: ``SocialGraphLimits``.
package struct NewPost: Sendable {
    package var author: UserID
    package var caption: String
    package var mediaURL: String
    package var category: String?
    /// In the order given; of tags that differ in case only, the first is kept.
    package var algorithmTags: [String]
    package var collaborators: [UserID]
    package var link: String?
    package var title: String?
    package var thumbnailURL: String?
    /// The stored files that `mediaURL` and `thumbnailURL` name, where they are ours.
    package var media: MediaID?
    package var thumbnail: MediaID?
    package var attributes: [String: AttributeValue]
    package var visibility: PostVisibility
    /// The community that the post is made in.
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

/// A live post with what a timeline shows of it.
package struct Post: Sendable, Equatable {
    package let id: PostID
    package let author: UserID
    package let authorUsername: String
    package let caption: String
    package let mediaURL: String
    package let category: String?
    package var algorithmTags: [String]
    /// Everyone whom the post names: for others than those, ``collaborators(shownTo:)``.
    package var collaborators: [Collaborator]
    package let link: String?
    package let title: String?
    package let thumbnailURL: String?
    package var attributes: [String: AttributeValue]
    package let visibility: PostVisibility
    package let community: PostCommunity?
    /// Ascending: its category and its tags.
    package var topics: [TopicID]
    /// Of its category; nil without one.
    package var categoryTopic: TopicID?
    package let counts: EngagementCounts
    /// The people behind the counts: each user once for each.
    package var people = EngagementCounts(likes: 0, comments: 0, shares: 0)
    /// Milliseconds since 1970.
    package let createdAt: Int64
    package let updatedAt: Int64
    /// Waits for moderators: only its authors see it, where it is asked for by itself.
    package var isHeld = false
    package var isAuthorSuspended = false
    package var isAuthorSilenced = false

    /// The author and accepted collaborators, without the suspended: whose followers the post reaches.
    package var authors: [UserID] { (isAuthorSuspended ? [] : [author]) + partners.map(\.user) }

    /// All of `authors` are silenced: the post is shown to those who are, or follow, one of them.
    package var isSilenced: Bool {
        (isAuthorSuspended || isAuthorSilenced) && partners.allSatisfy(\.isSilenced)
    }

    /// The collaborators that `viewer` may see: everyone sees those who have accepted; the author and whoever the post
    /// names, invitations included, see all.
    package func collaborators(shownTo viewer: UserID) -> [Collaborator] {
        viewer == author || collaborators.contains { $0.user == viewer } ? collaborators : partners
    }

    /// Invitations that have not been accepted yet.
    package var invitations: [Collaborator] { collaborators.filter { $0.status == .pending } }

    package var partners: [Collaborator] { collaborators.filter { $0.status == .accepted } }
}

/// What a post's community means for who sees it.
package struct PostCommunity: Sendable, Equatable {
    package let id: CommunityID
    package let name: String
    /// The post is for members: the community is private, or was when the post was written.
    package let isForMembers: Bool
    /// Taken out of the community by its moderators: only they and the authors see the post.
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

/// A client's promise that two requests with this key are one request.
package struct IdempotencyKey: Sendable {
    package let key: String
    /// A digest of the request, so that a key used for something else is noticed.
    package let fingerprint: [UInt8]

    package init(key: String, fingerprint: [UInt8]) {
        self.key = key
        self.fingerprint = fingerprint
    }
}
