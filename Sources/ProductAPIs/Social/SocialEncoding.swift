import Database
import GraphAPI
import GraphHTTP
import GraphServices
import SocialGraph

/// Answers in the words of the social app's contract.
extension JSONWriter {
    /// `{status: "success"}`
    mutating func statusSuccess() {
        beginObject()
        statusMember()
        endObject()
    }

    mutating func statusMember() {
        key("status")
        string("success")
    }

    mutating func social(post: Post, for viewer: UserID, _ publicURL: (String) -> String) {
        beginObject()
        key("postId")
        id(post.id.rawValue)
        key("userId")
        id(post.author.rawValue)
        key("mediaUrl")
        string(publicURL(post.mediaURL))
        key("caption")
        string(post.caption)
        key("category")
        string(post.category)
        key("link")
        string(post.link)
        key("collaborators")
        ids(post.collaborators(shownTo: viewer).map(\.user))
        countMembers(post.counts)
        key("createdAt")
        timestamp(milliseconds: post.createdAt)
        key("updatedAt")
        timestamp(milliseconds: post.updatedAt)
        endObject()
    }

    /// The object is left open. `followers` and `following` hold ids up to a bound, the latest first; the true counts
    /// stand beside them.
    mutating func social(
        user: Account, isOwn: Bool, followers: [UserID], following: [UserID], _ publicURL: (String) -> String
    ) {
        beginObject()
        key("userId")
        id(user.id.rawValue)
        key("username")
        string(user.username)
        key("email")
        string(isOwn ? user.email : nil)
        key("profilePicture")
        string(user.pictureURL.map(publicURL))
        key("bio")
        string(user.bio)
        key("followers")
        ids(followers)
        key("followersCount")
        integer(user.followersCount)
        key("following")
        ids(following)
        key("followingCount")
        integer(user.followingCount)
        key("createdAt")
        timestamp(milliseconds: user.createdAt)
        key("updatedAt")
        timestamp(milliseconds: user.updatedAt)
    }

    mutating func social(comment: PostComment) {
        beginObject()
        key("commentId")
        id(comment.id.rawValue)
        key("postId")
        id(comment.post.rawValue)
        key("userId")
        if comment.isDeleted { null() } else { id(comment.author.rawValue) }
        key("text")
        string(comment.isDeleted ? nil : comment.content)
        key("createdAt")
        timestamp(milliseconds: comment.createdAt)
        endObject()
    }

    /// `{<name>: "…", postId, userId, createdAt}`, left open.
    mutating func social(act name: StaticString, _ act: Int64, on post: PostID, by user: UserID) {
        beginObject()
        key(name)
        id(act)
        key("postId")
        id(post.rawValue)
        key("userId")
        id(user.rawValue)
        key("createdAt")
        timestamp(milliseconds: IDSequence.milliseconds(of: act))
    }

    mutating func social(notification: Notification) {
        beginObject()
        key("notificationId")
        id(notification.id)
        key("userId")
        id(notification.recipient.rawValue)
        key("type")
        string(notification.kind.rawValue)
        key("fromUserId")
        id(notification.actor.rawValue)
        key("postId")
        if let post = notification.post { id(post.rawValue) } else { null() }
        key("message")
        string(NotificationText.message(of: notification))
        key("isRead")
        bool(notification.isRead)
        key("createdAt")
        timestamp(milliseconds: IDSequence.milliseconds(of: notification.id))
        endObject()
    }

    /// `{<name>: […], nextCursor}`
    mutating func social<Item>(
        page name: StaticString, _ items: [Item], next: Int64?, item: (inout JSONWriter, Item) -> Void
    ) {
        beginObject()
        key(name)
        beginArray()
        for element in items { item(&self, element) }
        endArray()
        key("nextCursor")
        if let next { id(next) } else { null() }
        endObject()
    }
}
