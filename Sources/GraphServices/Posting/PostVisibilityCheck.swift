import SocialGraph
import Timeline

/// Hides posts that the caller may not see from acts on them: the answer is the same as for a post that does not exist.
package struct PostVisibilityCheck: Sendable {
    package let timelines: Timelines

    package init(timelines: Timelines) {
        self.timelines = timelines
    }

    /// Throws ``GraphError/postNotFound`` unless `user` may see the post.
    package func require(_ post: PostID, for user: UserID) async throws {
        guard try await timelines.posts.post(post, for: user) != nil else { throw GraphError.postNotFound }
    }

    /// Throws ``GraphError/postNotFound`` unless `user` may see the post, and ``GraphError/commentNotFound`` unless
    /// also the comment `parent` on it, if there is one.
    package func require(_ post: PostID, withReplyTo parent: CommentID?, for user: UserID) async throws {
        try await require(post, for: user)
        guard let parent else { return }
        let conversations = timelines.conversations
        guard let comment = try await conversations.comments.comment(parent),
            try await conversations.isShown(comment, to: user)
        else { throw GraphError.commentNotFound }
    }

    /// Takes a like back, also that of a post that has become invisible, whose counts are not returned: then throws
    /// ``GraphError/postNotFound``.
    package func unlike(_ post: PostID, by user: UserID, in graph: GraphStore) async throws -> EngagementCounts {
        let counts = try await graph.likes.unlike(post, by: user)
        try await require(post, for: user)
        return counts
    }

    /// Performs an act that the graph allows only some users. Replaces its refusal with ``GraphError/postNotFound`` for
    /// a user who may not even see the post.
    package func hidingUnseen<Value>(
        _ post: PostID, from user: UserID, _ act: () async throws -> Value
    ) async throws -> Value {
        do {
            return try await act()
        } catch let refusal as GraphError where Self.tellsOfThePost(refusal) {
            try await require(post, for: user)
            throw refusal
        }
    }

    private static func tellsOfThePost(_ refusal: GraphError) -> Bool {
        refusal == .notAuthor || refusal == .notInvited || refusal == .notCollaborator
    }
}
