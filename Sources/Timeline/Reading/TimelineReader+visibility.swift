import SocialGraph

/// Questions about several posts at once, for what belongs to posts and is asked for by itself, such as a file.
extension TimelineReader {
    /// Of each of `posts` what `viewer` is shown where it is asked for by itself, in their order; nil where the post is
    /// gone or hidden.
    package func shown(_ posts: [PostID], to viewer: UserID) async throws -> [PostFragment?] {
        let rule = try await rule(for: viewer)
        return try await caches.fragments(of: posts).map { post in
            post.flatMap { rule.isShownByItself($0) ? $0 : nil }
        }
    }

    /// Whether one of `posts` is for everybody, also for those without an account.
    package func isPublic(anyOf posts: [PostID]) async throws -> Bool {
        try await caches.fragments(of: posts).contains { $0?.isPublic == true }
    }

    /// Whether `viewer` may see one of `posts` where it is asked for by itself.
    package func isShown(anyOf posts: [PostID], to viewer: UserID) async throws -> Bool {
        let rule = try await rule(for: viewer)
        return try await caches.fragments(of: posts).contains { $0.map(rule.isShownByItself) == true }
    }
}
