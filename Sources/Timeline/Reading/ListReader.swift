import SocialGraph

/// Reads lists that other components have ordered: search results, rankings and recommendations.
package struct ListReader: Sendable {
    let caches: TimelineCaches

    /// The items shown to `viewer` in a list of `posts`, in their order, including posts that are not public. Nil for a
    /// post that is gone or hidden from the viewer, also by a mute. Posts of silenced users are shown only to
    /// themselves.
    package func listed(_ posts: [PostID], for viewer: UserID) async throws -> [TimelineItem?] {
        let rule = try await caches.rule(for: viewer)
        return zip(posts, try await caches.fragments(of: posts)).map { id, post in
            guard let post, rule.conceals(post) == nil, !post.isSilenced || rule.isAuthor(of: post) else { return nil }
            return TimelineItem(post: post, position: FeedPosition(id))
        }
    }

    /// The items shown to `viewer` in a ranked feed of public `posts`, in their order. Nil for a post that is gone, not
    /// public, hidden from the viewer, or does not match `filter`.
    package func ranked(
        _ posts: [PostID], for viewer: UserID, filter: FeedFilter = .none
    ) async throws -> [TimelineItem?] {
        if filter.matchesNothing { return posts.map { _ in nil } }
        let rule = try await caches.rule(for: viewer)
        return zip(posts, try await caches.fragments(of: posts)).map { id, post in
            guard let post, rule.conceals(post) == nil, post.isPublic, filter.matches(post) else { return nil }
            return TimelineItem(post: post, position: FeedPosition(id))
        }
    }
}
