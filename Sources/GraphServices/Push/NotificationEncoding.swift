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
        notificationMembers(group) { json in
            for actor in group.actors { json.userReference(actor.id, actor.username) }
        }
        endObject()
    }

    /// The members of a group of notifications; `actors` writes the latest actors.
    package mutating func notificationMembers(
        _ group: NotificationGroup, actors: (inout JSONWriter) -> Void
    ) {
        member("notificationId", id: group.id)
        member("type", group.kind.rawValue)
        key("actors")
        beginArray()
        actors(&self)
        endArray()
        member("actorsCount", group.actorsCount)
        subject(of: group.latest)
        member("message", NotificationText.message(of: group))
        member("isRead", group.isRead)
        member("createdAt", time: IDSequence.milliseconds(of: group.latest.id))
    }

    /// One act, in the encoding of a stream: `{notificationId, type, actor, postId, commentId, message, isRead,
    /// createdAt}`
    package mutating func notification(_ notification: Notification) {
        beginObject()
        notificationMembers(notification) { $0.userReference(notification.actor, notification.actorUsername) }
        endObject()
    }

    /// The members of one notification; `actor` writes its actor.
    package mutating func notificationMembers(_ notification: Notification, actor: (inout JSONWriter) -> Void) {
        member("notificationId", id: notification.group)
        member("type", notification.kind.rawValue)
        key("actor")
        actor(&self)
        subject(of: notification)
        member("message", NotificationText.message(of: notification))
        member("isRead", notification.isRead)
        member("createdAt", time: IDSequence.milliseconds(of: notification.id))
    }

    private mutating func subject(of notification: Notification) {
        member("postId", id: notification.post?.rawValue)
        member("commentId", id: notification.comment?.rawValue)
    }
}
