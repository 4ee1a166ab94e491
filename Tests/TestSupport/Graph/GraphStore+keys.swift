import Database
import Idempotency
import SocialGraph

extension GraphStore {
    /// Publishes a post by a request with an idempotency key, whose answer is the post's id. Throws
    /// `IdempotencyRefusal` for a key that was used before.
    package func publish(_ post: NewPost, key: String, fingerprint: [UInt8] = [1]) async throws -> Post {
        let claim = IdempotencyClaim(.publishing(key, by: post.author), fingerprint: fingerprint)
        return try await claim.joining(answer: { (post: Post) in KeptAnswer(published: post) }) {
            try await posts.publish(post)
        }
    }
}

extension IdempotentRequest {
    package static func publishing(_ key: String, by user: UserID) -> IdempotentRequest {
        IdempotentRequest(user: user, key: key, operation: "POST /v1/posts")
    }
}

extension KeptAnswer {
    package init(published post: Post) {
        self.init(
            status: 201, location: "/v1/posts/\(post.id.rawValue)", body: Array(String(post.id.rawValue).utf8),
            created: .post(post.id))
    }
}
