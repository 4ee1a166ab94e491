import Database
import GraphAPI
import GraphHTTP
import GraphServices
import SocialGraph

/// Answers in the format of the social app's API.
extension JSONWriter {
    /// `{status: "success"}`
    mutating func statusSuccess() {
        beginObject()
        statusMember()
        endObject()
    }

    mutating func statusMember() {
        member("status", "success")
    }

    mutating func social(post: Post, for viewer: UserID, _ urls: PublicURL) {
        beginObject()
        member("postId", id: post.id.rawValue)
        member("userId", id: post.author.rawValue)
        member("mediaUrl", urls.file(post.mediaURL, of: post))
        member("caption", post.caption)
        member("category", post.category)
        member("link", post.link)
        member("collaborators", ids: post.collaborators(shownTo: viewer).map(\.user))
        countMembers(post.counts)
        member("createdAt", time: post.createdAt)
        member("updatedAt", time: post.updatedAt)
        endObject()
    }

    /// A user, whose object is left open. `followers` and `following` hold ids up to a bound, the latest first; the
    /// exact counts are separate members.
    mutating func social(
        user: Account, isOwn: Bool, followers: [UserID], following: [UserID], _ urls: PublicURL
    ) {
        beginObject()
        member("userId", id: user.id.rawValue)
        member("username", user.username)
        member("email", isOwn ? user.email : nil)
        member("profilePicture", user.pictureURL.map(urls.shared))
        member("bio", user.bio)
        member("followers", ids: followers)
        member("followersCount", user.followersCount)
        member("following", ids: following)
        member("followingCount", user.followingCount)
        member("createdAt", time: user.createdAt)
        member("updatedAt", time: user.updatedAt)
    }

    mutating func social(comment: PostComment) {
        beginObject()
        member("commentId", id: comment.id.rawValue)
        member("postId", id: comment.post.rawValue)
        key("userId")
        if comment.isDeleted { null() } else { id(comment.author.rawValue) }
        member("text", comment.isDeleted ? nil : comment.content)
        member("createdAt", time: comment.createdAt)
        endObject()
    }

    /// `{<name>: "…", postId, userId, createdAt}`, left open.
    mutating func social(act name: StaticString, _ act: Int64, on post: PostID, by user: UserID) {
        beginObject()
        key(name)
        id(act)
        member("postId", id: post.rawValue)
        member("userId", id: user.rawValue)
        member("createdAt", time: IDSequence.milliseconds(of: act))
    }

    mutating func social(notification: Notification) {
        beginObject()
        member("notificationId", id: notification.id)
        member("userId", id: notification.recipient.rawValue)
        member("type", notification.kind.rawValue)
        member("fromUserId", id: notification.actor.rawValue)
        member("postId", id: notification.post?.rawValue)
        member("message", NotificationText.message(of: notification))
        member("isRead", notification.isRead)
        member("createdAt", time: IDSequence.milliseconds(of: notification.id))
        endObject()
    }

    /// `{<name>: […], nextCursor}`
    mutating func social<Item>(
        page name: StaticString, _ items: [Item], next: Int64?, item: (inout JSONWriter, Item) -> Void
    ) {
        beginObject()
        member(name, listing: items, item)
        member("nextCursor", id: next)
        endObject()
    }
}
