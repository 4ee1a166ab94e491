import SocialGraph
import Timeline

/// Keeps acts on posts from telling of posts that the caller may not see: those are answered as if there were none.
package struct PostVisibilityCheck: Sendable {
    package let timelines: Timelines

    package init(timelines: Timelines) {
        self.timelines = timelines
    }

    /// Throws ``GraphError/postNotFound`` unless `user` may see the post.
    package func require(_ post: PostID, for user: UserID) async throws {
        guard try await timelines.posts.post(post, for: user) != nil else { throw GraphError.postNotFound }
    }

    /// Does what the graph lets some users do only. Where it refuses somebody who may not even see the post, throws
    /// ``GraphError/postNotFound`` in place of the refusal.
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
