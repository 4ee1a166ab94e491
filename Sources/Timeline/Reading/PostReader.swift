import SocialGraph

/// Posts that are asked for by themselves, and what belongs to several posts, such as a file.
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

    /// Of each of `posts` what `viewer` is shown where it is asked for by itself, in their order; nil where the post is
    /// gone or hidden.
    package func shown(_ posts: [PostID], to viewer: UserID) async throws -> [PostFragment?] {
        let rule = try await caches.rule(for: viewer)
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
        let rule = try await caches.rule(for: viewer)
        return try await caches.fragments(of: posts).contains { $0.map(rule.isShownByItself) == true }
    }
}
