import SocialGraph

/// Shows what others have put in order: lists that were searched, ranked or recommended.
package struct ListReader: Sendable {
    let caches: TimelineCaches

    /// Of each of `posts` the item that a list shows `viewer`, in their order, also where it is not for everybody; nil
    /// where the post is gone or hidden from the viewer, by a mute as well; posts of the silenced for themselves alone.
    package func listed(_ posts: [PostID], for viewer: UserID) async throws -> [TimelineItem?] {
        let rule = try await caches.rule(for: viewer)
        return zip(posts, try await caches.fragments(of: posts)).map { id, post in
            guard let post, rule.conceals(post) == nil, !post.isSilenced || rule.isAuthor(of: post) else { return nil }
            return TimelineItem(post: post, position: FeedPosition(id))
        }
    }

    /// Of each of `posts` the item that a ranked feed of everybody's public posts shows `viewer`, in their order; nil
    /// where the post is gone, not public, hidden from the viewer, or does not match `filter`.
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
