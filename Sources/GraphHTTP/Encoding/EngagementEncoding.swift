import Database
import GraphAPI
import GraphServices
import SocialGraph
import Timeline

extension JSONWriter {
    /// `{likesCount, commentsCount, sharesCount}`
    package mutating func counts(_ counts: EngagementCounts) {
        beginObject()
        countMembers(counts)
        endObject()
    }

    package mutating func countMembers(_ counts: EngagementCounts) {
        member("likesCount", counts.likes)
        member("commentsCount", counts.comments)
        member("sharesCount", counts.shares)
    }

    /// A comment. A deleted one reveals neither its text nor its author.
    package mutating func comment(_ comment: PostComment, _ details: ItemDetails) {
        beginObject()
        member("commentId", id: comment.id.rawValue)
        member("postId", id: comment.post.rawValue)
        key("author")
        if comment.isDeleted { null() } else { raw(details.author.json) }
        member("content", comment.isDeleted ? nil : comment.content)
        member("parentCommentId", id: comment.parent?.rawValue)
        member("depth", comment.depth)
        member("repliesCount", comment.repliesCount)
        member("deleted", comment.isDeleted)
        member("createdAt", time: comment.createdAt)
        member("updatedAt", time: comment.updatedAt)
        if comment.isHeld {
            member("held", true)
        }
        viewerMember(comment.isDeleted ? nil : details.viewer)
        endObject()
    }

    /// `{postId, likedAt}`
    mutating func ownLike(_ like: Like) {
        beginObject()
        member("postId", id: like.post.rawValue)
        member("likedAt", time: IDSequence.milliseconds(of: like.id))
        endObject()
    }

    mutating func externalShare(_ share: ExternalShare, by user: UserID, sharesCount: Int64) {
        beginObject()
        member("shareId", id: share.id)
        member("postId", id: share.post.rawValue)
        member("userId", id: user.rawValue)
        member("platform", share.platform)
        member("createdAt", time: IDSequence.milliseconds(of: share.id))
        member("sharesCount", sharesCount)
        endObject()
    }
}
