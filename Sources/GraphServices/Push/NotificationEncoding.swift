import Database
import GraphAPI
import SocialGraph

extension JSONWriter {
    /// `{userId, username}`
    package mutating func userReference(_ user: UserID, _ username: String) {
        beginObject()
        member("userId", id: user.rawValue)
        member("username", username)
        endObject()
    }

    /// `{notificationId, type, actors, actorsCount, postId, commentId, message, isRead, createdAt}`
    package mutating func notificationGroup(_ group: NotificationGroup) {
        beginObject()
        member("notificationId", id: group.id)
        member("type", group.kind.rawValue)
        key("actors")
        beginArray()
        for actor in group.actors { userReference(actor.id, actor.username) }
        endArray()
        member("actorsCount", group.actorsCount)
        subject(of: group.latest)
        member("message", NotificationText.message(of: group))
        member("isRead", group.isRead)
        member("createdAt", time: IDSequence.milliseconds(of: group.latest.id))
        endObject()
    }

    /// One act, in the encoding of a stream: `{notificationId, type, actor, postId, commentId, message, isRead,
    /// createdAt}`
    package mutating func notification(_ notification: Notification) {
        beginObject()
        member("notificationId", id: notification.group)
        member("type", notification.kind.rawValue)
        key("actor")
        userReference(notification.actor, notification.actorUsername)
        subject(of: notification)
        member("message", NotificationText.message(of: notification))
        member("isRead", notification.isRead)
        member("createdAt", time: IDSequence.milliseconds(of: notification.id))
        endObject()
    }

    private mutating func subject(of notification: Notification) {
        member("postId", id: notification.post?.rawValue)
        member("commentId", id: notification.comment?.rawValue)
    }
}
