import Moderation
import Push
import SocialGraph

/// The texts of pushes.
struct PushText: Sendable, Equatable {
    let title: String
    let body: String

    init(_ group: NotificationGroup, _ notice: ModerationNotice?) {
        title =
            switch group.kind {
            case .like: "New Like"
            case .comment: "New Comment"
            case .share: "New Share"
            case .follow: "New Follower"
            case .mention: "New Mention"
            case .collaboration: "Collaboration"
            case .followRequest: "New Follow Request"
            case .followAccepted: "Follow Request Approved"
            case .moderation: "Moderation"
            }
        body = NotificationText.message(of: group, notice)
    }

    /// Creates the text for a post that matches a user's preferences, or of which the user asked to be reminded.
    init(_ kind: PushKind, _ post: Post) {
        switch kind {
        case .reminder: (title, body) = ("New routines for you", Self.name(of: post))
        case .trending:
            let count = post.counts.comments
            title = "Trending discussion"
            body = "\(count) \(count == 1 ? "comment" : "comments") on \(Self.name(of: post))"
        default: (title, body) = Self.upload(post)
        }
    }

    private static func upload(_ post: Post) -> (String, String) {
        if case .text(let type)? = post.attributes["workoutType"] {
            return ("New Workout Video!", "A new \(type) routine has been uploaded that matches your interests.")
        }
        if case .text(let type)? = post.attributes["cuisineType"] {
            return ("New Recipe Video!", "A new \(type) recipe has been uploaded that matches your interests.")
        }
        let type = (post.category ?? post.algorithmTags.first).map { " \($0)" } ?? ""
        return ("New Video!", "A new\(type) video has been uploaded that matches your interests.")
    }

    /// The title, or else the beginning of the caption.
    private static func name(of post: Post) -> String {
        if let title = post.title { return title }
        return post.caption.count > 80 ? post.caption.prefix(79) + "…" : post.caption
    }
}
