import Database
import SocialGraph

/// Reads comments under the visibility rule of timelines.
package struct ConversationReader: Sendable {
    package let comments: CommentStore
    let posts: PostReader

    /// A page of comments on a post that `viewer` may see, the latest first. A deleted comment is listed as long as it
    /// has replies. Throws ``GraphError/postNotFound``.
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

    /// A page of all comments on a post that `viewer` may see, in order of creation, without deleted ones. Throws
    /// ``GraphError/postNotFound``.
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

    /// Returns whether `viewer` may see `comment` and its post.
    package func isShown(_ comment: PostComment, to viewer: UserID) async throws -> Bool {
        guard let post = try await posts.post(comment.post, for: viewer) else { return false }
        return try await posts.caches.rule(for: viewer).isShownByItself(comment, on: post)
    }
}
