@testable import Moderation
@testable import SocialGraph
import Database

extension EveryOperation {
    /// Likes, comments, shares, notifications, and joining by consent.
    static func engage(
        on graph: GraphStore, _ post: PostID, _ ann: UserID, _ bob: UserID, _ cat: UserID
    ) async throws {
        var change = PostChange()
        (change.caption, change.title) = ("hello @cat", .set("t"))
        (change.link, change.thumbnailURL) = (PostChange.Text.none, .set("u"))
        _ = try await graph.posts.editPost(post, by: ann, change)
        try await graph.likes.like(post, by: bob)
        try await graph.likes.like(post, by: cat)
        _ = try await graph.likes.likeID(of: post, by: bob)
        _ = try await graph.likes.likes(of: post, below: nil, limit: 5)
        _ = try await graph.likes.likes(by: bob, below: nil, limit: 5)
        try await graph.likes.unlike(post, by: cat)
        _ = try await graph.engagement.counts(of: post)
        let comment = try await graph.comments.comment(on: post, by: bob, content: "hello @cat")
        let reply = try await graph.comments.comment(on: post, by: cat, content: "hello", parent: comment.id)
        _ = try await graph.comments.editComment(reply.id, by: cat, content: "hello @bob")
        for thread in [CommentThread.everything, .topLevel, .replies(to: comment.id)] {
            _ = try await graph.comments.comments(of: post, thread, below: nil, limit: 5)
        }
        _ = try await graph.comments.comments(by: bob, below: nil, limit: 5)
        _ = try await graph.comments.firstComments(of: post, above: nil, limit: 5)
        _ = try await graph.accounts.displayNames(of: [bob])
        try await graph.comments.deleteComment(comment.id, by: bob)
        try await graph.comments.deleteComment(reply.id, by: cat)
        try await graph.engagement.shareExternally(post, by: bob, platform: "elsewhere")
        _ = try await graph.engagement.externalShares(by: bob, below: nil, limit: 5)
        _ = try await graph.reshares.reshareID(of: post, by: bob)
        try await notify(on: graph, ann)
    }

    private static func notify(on graph: GraphStore, _ ann: UserID) async throws {
        for isUnread in [true, false] {
            _ = try await graph.notifications.notificationGroups(of: ann, below: nil, limit: 5, onlyUnread: isUnread)
        }
        let told = try await graph.notifications.notifications(of: ann, below: nil, limit: 5)
        for notification in told {
            try await graph.notifications.markNotificationRead(notification.id, of: ann)
            try await graph.notifications.markGroupRead(notification.group, of: ann)
        }
        try await graph.notifications.markAllNotificationsRead(of: ann)
        while try await graph.notifications.pruneNotifications(limit: 2) {}
        // Rows old enough to be pruned cannot be made through the API, so they are changed directly.
        try await graph.database.write { transaction in
            if let notification = told.first {
                try NotificationStore.Writer(transaction).forget(group: notification.group, limit: 100)
            }
        }
    }

    static func gather(on graph: GraphStore, _ ann: UserID, _ bob: UserID, _ cat: UserID) async throws {
        let secret = try await graph.communities.createCommunity(
            name: "a secret place", description: "", by: ann, isPrivate: true
        )
        .id
        for user in [bob, cat] { try await graph.communities.joinCommunity(secret, by: user) }
        _ = try await graph.joinRequests.joinRequests(to: secret, for: ann, below: nil, limit: 5)
        try await graph.joinRequests.approveRequest(of: bob, to: secret, by: ann)
        try await graph.joinRequests.declineRequest(of: cat, to: secret, by: ann)
        _ = try await graph.joinRequests.changeCommunity(secret, by: ann, description: "d", isPrivate: false)
        _ = try await graph.communities.communities(below: nil, limit: 5)
        _ = try await graph.communities.communities(matching: "secret pl", below: nil, limit: 5)
        _ = try await graph.communities.communities(of: bob)
        _ = try await graph.communities.memberships(of: bob)
        _ = try await graph.communities.members(of: secret, below: nil, limit: 5)
        _ = try await graph.communities.moderators(of: secret, limit: 5)
    }
}
