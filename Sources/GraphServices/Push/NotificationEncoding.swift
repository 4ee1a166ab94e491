import Database
import GraphAPI
import SocialGraph

extension JSONWriter {
    /// `{userId, username}`
    package mutating func userReference(_ user: UserID, _ username: String) {
        beginObject()
        key("userId")
        id(user.rawValue)
        key("username")
        string(username)
        endObject()
    }

    /// `{notificationId, type, actors, actorsCount, postId, commentId, message, isRead, createdAt}`
    package mutating func notificationGroup(_ group: NotificationGroup) {
        beginObject()
        key("notificationId")
        id(group.id)
        key("type")
        string(group.kind.rawValue)
        key("actors")
        beginArray()
        for actor in group.actors { userReference(actor.id, actor.username) }
        endArray()
        key("actorsCount")
        integer(group.actorsCount)
        subject(of: group.latest)
        key("message")
        string(NotificationText.message(of: group))
        key("isRead")
        bool(group.isRead)
        key("createdAt")
        timestamp(milliseconds: IDSequence.milliseconds(of: group.latest.id))
        endObject()
    }

    /// One act, as a stream tells it: `{notificationId, type, actor, postId, commentId, message, isRead, createdAt}`
    package mutating func notification(_ notification: Notification) {
        beginObject()
        key("notificationId")
        id(notification.group)
        key("type")
        string(notification.kind.rawValue)
        key("actor")
        userReference(notification.actor, notification.actorUsername)
        subject(of: notification)
        key("message")
        string(NotificationText.message(of: notification))
        key("isRead")
        bool(notification.isRead)
        key("createdAt")
        timestamp(milliseconds: IDSequence.milliseconds(of: notification.id))
        endObject()
    }

    private mutating func subject(of notification: Notification) {
        key("postId")
        if let post = notification.post { id(post.rawValue) } else { null() }
        key("commentId")
        if let comment = notification.comment { id(comment.rawValue) } else { null() }
    }
}
