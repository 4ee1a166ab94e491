import SocialGraph

/// Reads posts by direct link, and resources shared by several posts, such as files.
package struct PostReader: Sendable {
    let caches: TimelineCaches

    /// One live post as `viewer` sees it, or nil.
    package func post(_ id: PostID, for viewer: UserID) async throws -> PostFragment? {
        guard let post = try await caches.fragments(of: [id])[0] else { return nil }
        return try await caches.rule(for: viewer).isShownByItself(post) ? post : nil
    }

    func rule(for viewer: UserID) async throws -> VisibilityRule {
        VisibilityRule(context: try await caches.viewer(viewer).context)
    }

    /// The items shown to `viewer` by direct link to each of `posts`, in their order; nil if the post is gone or
    /// hidden.
    package func shown(_ posts: [PostID], to viewer: UserID) async throws -> [PostFragment?] {
        let rule = try await caches.rule(for: viewer)
        return try await caches.fragments(of: posts).map { post in
            post.flatMap { rule.isShownByItself($0) ? $0 : nil }
        }
    }

    /// Returns whether at least one of `posts` is public, hence visible without an account.
    package func isPublic(anyOf posts: [PostID]) async throws -> Bool {
        try await caches.fragments(of: posts).contains { $0?.isPublic == true }
    }

    /// Returns whether `viewer` may see at least one of `posts` by direct link.
    package func isShown(anyOf posts: [PostID], to viewer: UserID) async throws -> Bool {
        let rule = try await caches.rule(for: viewer)
        return try await caches.fragments(of: posts).contains { $0.map(rule.isShownByItself) == true }
    }
}
