import Database

/// A comment on a post, or a reply to another comment.
package struct PostComment: Sendable, Equatable {
    package let id: CommentID
    package let post: PostID
    package let author: UserID
    package let authorUsername: String
    package let parent: CommentID?
    /// 0 for a comment on the post itself.
    package let depth: Int64
    package var content: String
    /// Milliseconds since 1970.
    package let createdAt: Int64
    package let updatedAt: Int64
    /// The text is gone; the comment stays as long as it has replies.
    package var isDeleted: Bool
    /// Direct replies that are not deleted.
    package let repliesCount: Int64
    /// Held for review; visible only to its author, by direct link.
    package let isHeld: Bool
    /// Removed by its community's moderators; visible to them and to its author.
    package let isRemoved: Bool
    package let isTakenDown: Bool
    package let isAuthorSuspended: Bool
    package let isAuthorSilenced: Bool

    /// The empty place that a deleted comment leaves.
    package var tombstone: PostComment {
        var comment = self
        comment.content = ""
        comment.isDeleted = true
        return comment
    }
}

/// The part of a post's comments that a list shows.
package enum CommentThread: Sendable, Hashable {
    /// All comments, replies included.
    case everything
    case topLevel
    case replies(to: CommentID)
}

/// A user in a list of those who like a post. The id of the like is its place and its time.
package struct Like: Sendable, Equatable {
    package let id: Int64
    package let post: PostID
    package let user: UserID
    package let username: String
}

/// A post that was shared on another platform.
package struct ExternalShare: Sendable, Equatable {
    package let id: Int64
    package let post: PostID
    package let platform: String

    package init(id: Int64, post: PostID, platform: String) {
        self.id = id
        self.post = post
        self.platform = platform
    }
}

/// The kind of engagement that an hour counts.
package enum EngagementKind: String, Sendable, CaseIterable { case likes, comments, shares }

/// The hours in which engagement is counted.
package enum EngagementClock {
    package static let millisecondsPerHour: Int64 = 60 * Milliseconds.minute

    /// Hour since 1970 of the act with the id `id`.
    package static func hour(of id: Int64) -> Int64 { IDSequence.milliseconds(of: id) / millisecondsPerHour }
}
