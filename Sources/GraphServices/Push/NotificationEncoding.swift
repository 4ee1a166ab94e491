import Database
import GraphAPI
import Moderation
import SocialGraph

extension JSONWriter {
    /// `{userId, username}`
    package mutating func userReference(_ user: UserID, _ username: String) {
        beginObject()
        member("userId", id: user.rawValue)
        member("username", username)
        endObject()
    }

    /// `{notificationId, type, actors, actorsCount, postId, commentId, message, isRead, createdAt, moderation}`
    package mutating func notificationGroup(_ group: NotificationGroup, _ notice: ModerationNotice?) {
        beginObject()
        notificationMembers(group, notice) { json in
            for actor in group.actors { json.userReference(actor.id, actor.username) }
        }
        endObject()
    }

    /// The members of a group of notifications; `actors` writes the latest actors, unless moderators acted.
    package mutating func notificationMembers(
        _ group: NotificationGroup, _ notice: ModerationNotice?, actors: (inout JSONWriter) -> Void
    ) {
        let isNamed = group.kind != .moderation
        member("notificationId", id: group.id)
        member("type", group.kind.rawValue)
        key("actors")
        beginArray()
        if isNamed { actors(&self) }
        endArray()
        member("actorsCount", isNamed ? group.actorsCount : 0)
        subject(of: group.latest)
        member("message", NotificationText.message(of: group, notice))
        member("isRead", group.isRead)
        member("createdAt", time: IDSequence.milliseconds(of: group.latest.id))
        key("moderation")
        moderationNotice(notice)
    }

    /// One act, in the encoding of a stream: `{notificationId, type, actor, postId, commentId, message, isRead,
    /// createdAt, moderation}`
    package mutating func notification(_ notification: Notification, _ notice: ModerationNotice?) {
        beginObject()
        notificationMembers(notification, notice) {
            $0.userReference(notification.actor, notification.actorUsername)
        }
        endObject()
    }

    /// The members of one notification; `actor` writes its actor, unless moderators acted.
    package mutating func notificationMembers(
        _ notification: Notification, _ notice: ModerationNotice?, actor: (inout JSONWriter) -> Void
    ) {
        member("notificationId", id: notification.group)
        member("type", notification.kind.rawValue)
        key("actor")
        if notification.kind == .moderation { null() } else { actor(&self) }
        subject(of: notification)
        member("message", NotificationText.message(of: notification, notice))
        member("isRead", notification.isRead)
        member("createdAt", time: IDSequence.milliseconds(of: notification.id))
        key("moderation")
        moderationNotice(notice)
    }

    /// `{entryId, action, endedAction, subject, communityId, communityName, reason, expiresAt, resolution, decision}`,
    /// or null. The moderator is not named.
    private mutating func moderationNotice(_ notice: ModerationNotice?) {
        guard let notice else { return null() }
        beginObject()
        member("entryId", id: notice.entry.rawValue)
        member("action", notice.action.rawValue)
        member("endedAction", notice.orderedAction == notice.action ? nil : notice.orderedAction.rawValue)
        key("subject")
        subject(notice.subject)
        member("communityId", id: notice.community?.rawValue)
        member("communityName", notice.communityName)
        member("reason", notice.reason)
        member("expiresAt", time: notice.endsAt)
        member("resolution", notice.resolution?.rawValue)
        member("decision", notice.decision?.rawValue)
        endObject()
    }

    /// `{postId}`, `{userId}` and so on.
    package mutating func subject(_ subject: ModerationSubject) {
        beginObject()
        switch subject.kind {
        case .post: key("postId")
        case .comment: key("commentId")
        case .user: key("userId")
        case .community: key("communityId")
        case .report: key("reportId")
        case .appeal: key("appealId")
        }
        id(subject.rawValue)
        endObject()
    }

    private mutating func subject(of notification: Notification) {
        member("postId", id: notification.post?.rawValue)
        member("commentId", id: notification.comment?.rawValue)
    }
}
