import GraphAPI
import SocialGraph

extension JSONWriter {
    /// `{notificationId, type, actors, actorsCount, postId, commentId, message, isRead, createdAt}`
    mutating func notificationGroup(_ group: NotificationGroup) {
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
    mutating func notification(_ notification: Notification) {
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

/// Notifications in words.
enum NotificationText {
    static func message(of notification: Notification) -> String {
        message(who: notification.actorUsername, notification)
    }

    /// "ann", "ann and bob", "ann and 12 others".
    static func message(of group: NotificationGroup) -> String {
        let first = group.latest.actorUsername
        let others = group.actorsCount - 1
        let who =
            switch others {
            case 0: first
            case 1: "\(first) and " + (group.actors.first { $0.id != group.latest.actor }?.username ?? "another")
            default: "\(first) and \(others) others"
            }
        return message(who: who, group.latest)
    }

    private static func message(who: String, _ notification: Notification) -> String {
        switch notification.kind {
        case .like: "\(who) liked your post"
        case .comment: notification.isReply ? "\(who) replied to your comment" : "\(who) commented on your post"
        case .share: "\(who) shared your post"
        case .follow: "\(who) followed you"
        case .mention:
            notification.comment == nil ? "\(who) mentioned you in a post" : "\(who) mentioned you in a comment"
        case .collaboration:
            notification.isOfOwnPost
                ? "\(who) joined your post as a collaborator" : "\(who) invited you to collaborate on a post"
        }
    }
}
