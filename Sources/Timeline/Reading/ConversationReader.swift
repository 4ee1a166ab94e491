import Database
import SocialGraph

/// Comments, by the same rule as timelines.
package struct ConversationReader: Sendable {
    let comments: CommentStore
    let posts: PostReader

    /// A page of comments on a post that `viewer` may see, the latest first. A deleted comment is there as long as
    /// replies hang from it. Throws ``GraphError/postNotFound``.
    package func comments(
        on post: PostID, _ thread: CommentThread, for viewer: UserID, below cursor: Int64?, limit: Int
    ) async throws -> Page<PostComment, Int64> {
        guard let fragment = try await posts.post(post, for: viewer) else { throw GraphError.postNotFound }
        let rule = try await posts.caches.rule(for: viewer)
        return try await Page.filled(below: cursor, limit: limit, place: { $0.id.rawValue }) { cursor, count in
            try await comments.comments(of: post, thread, below: cursor, limit: count)
        } shown: { comments in
            comments.map { rule.shown($0, on: fragment) }
        }
    }

    /// A page of all comments on a post that `viewer` may see, in the order in which they were made, without deleted
    /// ones. Throws ``GraphError/postNotFound``.
    package func firstComments(
        on post: PostID, for viewer: UserID, above cursor: Int64?, limit: Int
    ) async throws -> Page<PostComment, Int64> {
        guard let fragment = try await posts.post(post, for: viewer) else { throw GraphError.postNotFound }
        let rule = try await posts.caches.rule(for: viewer)
        return try await Page.filled(below: cursor, limit: limit, place: { $0.id.rawValue }) { cursor, count in
            try await comments.firstComments(of: post, above: cursor, limit: count)
        } shown: { comments in
            comments.map { rule.shown($0, on: fragment).flatMap { $0.isDeleted ? nil : $0 } }
        }
    }

    /// Whether `viewer` may see `comment` and the post that it is on.
    package func isShown(_ comment: PostComment, to viewer: UserID) async throws -> Bool {
        guard let post = try await posts.post(comment.post, for: viewer) else { return false }
        return try await posts.caches.rule(for: viewer).isShownByItself(comment, on: post)
    }
}
