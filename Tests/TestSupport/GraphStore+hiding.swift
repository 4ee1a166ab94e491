import Database
import SocialGraph

/// Moderation of users, posts, comments and communities, without an order, a reason or a modlog entry.
extension GraphStore {
    package func setSuspended(_ isSuspended: Bool, _ user: UserID) async throws {
        try await set("account", "suspended_at", isSuspended, user.rawValue) {
            try AccountStore.Writer($0).suspensionChanged(user)
        }
    }

    package func setSilenced(_ isSilenced: Bool, _ user: UserID) async throws {
        try await set("account", "silenced_at", isSilenced, user.rawValue) {
            try $0.record(.accountModerated(user))
        }
    }

    /// Makes an account private, or public.
    package func setPrivate(_ isPrivate: Bool, _ user: UserID) async throws {
        var change = ProfileChange()
        change.isPrivate = isPrivate
        try await accounts.changeProfile(of: user, change)
    }

    /// Throws ``GraphError/postNotFound``.
    package func setHeld(_ isHeld: Bool, _ post: PostID) async throws {
        try await set("post", "held_at", isHeld, post.rawValue) {
            try PostStore.Reader($0).requireLive(post)
            try $0.execute(GraphStore.countPostsOfAuthorsStatement, [.post(post)])
            try $0.record(.postModerated(post))
        }
    }

    /// Hides or shows a comment. `column` is held_at, removed_at or taken_down_at.
    package func setHidden(_ isHidden: Bool, _ comment: CommentID, _ column: String, on post: PostID) async throws {
        let wasCounted = try await isCounted(comment)
        try await set("comment", column, isHidden, comment.rawValue) {
            let isCounted = try $0.exists(EngagementStore.countedCommentProbe, [.comment(comment)])
            if isCounted != wasCounted { try CommentStore.Writer($0).count(isCounted ? 1 : -1, comment: comment) }
            try $0.record(.commentModerated(comment, on: post))
        }
    }

    private func isCounted(_ comment: CommentID) async throws -> Bool {
        try await database.read { try $0.exists(EngagementStore.countedCommentProbe, [.comment(comment)]) }
    }

    package func setArchived(_ isArchived: Bool, _ community: CommunityID) async throws {
        try await set("community", "archived_at", isArchived, community.rawValue) {
            try $0.record(.communityChanged(community))
        }
    }

    private func set(
        _ table: String, _ column: String, _ isSet: Bool, _ id: Int64,
        note: @escaping @Sendable (any GraphTransaction) throws -> Void
    ) async throws {
        try await database.write { transaction in
            try transaction.execute(
                "UPDATE \(table) SET \(column) = ?2 WHERE id = ?1",
                [.integer(id), isSet ? .integer(transaction.now) : .null])
            try note(transaction)
        }
    }
}

extension GraphStore {
    /// Recounts the posts of the authors of a post.
    fileprivate static let countPostsOfAuthorsStatement = """
        UPDATE account SET posts_count = (SELECT COUNT(*) FROM author_post ap JOIN post p ON p.id = ap.post_id
            WHERE ap.author_id = account.id AND \(PostStore.Writer.unhiddenPost))
        WHERE id IN (SELECT author_id FROM author_post WHERE post_id = ?1)
        """
}
