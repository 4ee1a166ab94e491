@testable import SocialGraph

extension EveryOperation {
    /// Likes, comments, shares, notifications, and joining by consent.
    static func engage(
        on graph: GraphStore, _ post: PostID, _ ann: UserID, _ bob: UserID, _ cat: UserID
    ) async throws {
        var change = PostChange()
        (change.caption, change.title) = ("hello @cat", .set("t"))
        (change.link, change.thumbnailURL) = (PostChange.Text.none, .set("u"))
        _ = try await graph.editPost(post, by: ann, change)
        try await graph.like(post, by: bob)
        try await graph.like(post, by: cat)
        _ = try await graph.likeID(of: post, by: bob)
        _ = try await graph.likes(of: post, below: nil, limit: 5)
        _ = try await graph.likes(by: bob, below: nil, limit: 5)
        try await graph.unlike(post, by: cat)
        _ = try await graph.counts(of: post)
        let comment = try await graph.comment(on: post, by: bob, content: "hello @cat")
        let reply = try await graph.comment(on: post, by: cat, content: "hello", parent: comment.id)
        _ = try await graph.editComment(reply.id, by: cat, content: "hello @bob")
        for thread in [CommentThread.everything, .topLevel, .replies(to: comment.id)] {
            _ = try await graph.comments(of: post, thread, below: nil, limit: 5)
        }
        _ = try await graph.comments(by: bob, below: nil, limit: 5)
        _ = try await graph.firstComments(of: post, above: nil, limit: 5)
        _ = try await graph.displayNames(of: [bob])
        try await graph.deleteComment(comment.id, by: bob)
        try await graph.deleteComment(reply.id, by: cat)
        try await graph.shareExternally(post, by: bob, platform: "elsewhere")
        _ = try await graph.externalShares(by: bob, below: nil, limit: 5)
        _ = try await graph.reshareID(of: post, by: bob)
        try await notify(on: graph, ann)
    }

    private static func notify(on graph: GraphStore, _ ann: UserID) async throws {
        for isUnread in [true, false] {
            _ = try await graph.notificationGroups(of: ann, below: nil, limit: 5, onlyUnread: isUnread)
        }
        let told = try await graph.notifications(of: ann, below: nil, limit: 5)
        for notification in told {
            try await graph.markNotificationRead(notification.id, of: ann)
            try await graph.markGroupRead(notification.group, of: ann)
        }
        try await graph.markAllNotificationsRead(of: ann)
        while try await graph.pruneNotifications(limit: 2) {}
        // What is old enough to be forgotten cannot be made here.
        try await graph.database.write { transaction in
            if let notification = told.first {
                try GraphStore.forget(group: notification.group, limit: 100, in: transaction)
            }
        }
    }

    static func gather(on graph: GraphStore, _ ann: UserID, _ bob: UserID, _ cat: UserID) async throws {
        let secret = try await graph.createCommunity(name: "a secret place", description: "", by: ann, isPrivate: true)
            .id
        for user in [bob, cat] { try await graph.joinCommunity(secret, by: user) }
        _ = try await graph.joinRequests(to: secret, for: ann, below: nil, limit: 5)
        try await graph.approveRequest(of: bob, to: secret, by: ann)
        try await graph.declineRequest(of: cat, to: secret, by: ann)
        _ = try await graph.changeCommunity(secret, by: ann, description: "d", isPrivate: false)
        _ = try await graph.communities(below: nil, limit: 5)
        _ = try await graph.communities(matching: "secret pl", below: nil, limit: 5)
        _ = try await graph.communities(of: bob)
        _ = try await graph.memberships(of: bob)
        _ = try await graph.members(of: secret, below: nil, limit: 5)
        _ = try await graph.moderators(of: secret, limit: 5)
    }
}
