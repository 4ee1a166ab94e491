import Database
import GraphAPI
import GraphServices
import SocialGraph

extension JSONWriter {
    /// `{likesCount, commentsCount, sharesCount}`
    package mutating func counts(_ counts: EngagementCounts) {
        beginObject()
        countMembers(counts)
        endObject()
    }

    package mutating func countMembers(_ counts: EngagementCounts) {
        key("likesCount")
        integer(counts.likes)
        key("commentsCount")
        integer(counts.comments)
        key("sharesCount")
        integer(counts.shares)
    }

    /// A deleted comment tells neither what it said nor whose it was.
    package mutating func comment(_ comment: PostComment) {
        beginObject()
        key("commentId")
        id(comment.id.rawValue)
        key("postId")
        id(comment.post.rawValue)
        key("author")
        if comment.isDeleted { null() } else { userReference(comment.author, comment.authorUsername) }
        key("content")
        string(comment.isDeleted ? nil : comment.content)
        key("parentCommentId")
        if let parent = comment.parent { id(parent.rawValue) } else { null() }
        key("depth")
        integer(comment.depth)
        key("repliesCount")
        integer(comment.repliesCount)
        key("deleted")
        bool(comment.isDeleted)
        key("createdAt")
        timestamp(milliseconds: comment.createdAt)
        key("updatedAt")
        timestamp(milliseconds: comment.updatedAt)
        if comment.isHeld {
            key("held")
            bool(true)
        }
        endObject()
    }

    /// `{postId, likedAt}`
    mutating func ownLike(_ like: Like) {
        beginObject()
        key("postId")
        id(like.post.rawValue)
        key("likedAt")
        timestamp(milliseconds: IDSequence.milliseconds(of: like.id))
        endObject()
    }

    mutating func externalShare(_ share: ExternalShare, by user: UserID, sharesCount: Int64) {
        beginObject()
        key("shareId")
        id(share.id)
        key("postId")
        id(share.post.rawValue)
        key("userId")
        id(user.rawValue)
        key("platform")
        string(share.platform)
        key("createdAt")
        timestamp(milliseconds: IDSequence.milliseconds(of: share.id))
        key("sharesCount")
        integer(sharesCount)
        endObject()
    }
}
