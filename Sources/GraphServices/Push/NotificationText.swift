import Moderation
import SocialGraph

/// The texts of notifications.
package enum NotificationText {
    package static func message(of notification: Notification) -> String {
        message(who: notification.actorUsername, notification)
    }

    package static func message(of notification: Notification, _ notice: ModerationNotice?) -> String {
        notice?.message ?? message(of: notification)
    }

    package static func message(of group: NotificationGroup, _ notice: ModerationNotice?) -> String {
        notice?.message ?? message(of: group)
    }

    /// "ann", "ann and bob", "ann and 12 others".
    package static func message(of group: NotificationGroup) -> String {
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
        case .followRequest: "\(who) asked to follow you"
        case .followAccepted: "\(who) approved your request to follow"
        // The notice has the text of its own.
        case .moderation: "Moderators made a decision that concerns you"
        case .mention:
            notification.comment == nil ? "\(who) mentioned you in a post" : "\(who) mentioned you in a comment"
        case .collaboration:
            notification.isOfOwnPost
                ? "\(who) joined your post as a collaborator" : "\(who) invited you to collaborate on a post"
        }
    }
}
