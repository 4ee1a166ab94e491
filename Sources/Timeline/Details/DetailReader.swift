import SocialGraph

/// Reads the details of items: the card of the author, and the reader's own acts and relation. One query a page at
/// most, for what is not in memory.
package struct DetailReader: Sendable {
    let caches: TimelineCaches
    let details: DetailCaches

    /// The details of each of `posts`, which `viewer` may see.
    package func details(of posts: [PostFragment], for viewer: UserID) async throws -> [ItemDetails] {
        guard !posts.isEmpty else { return [] }
        let context = try await caches.viewer(viewer).context
        if let known = details.warmDetails(of: posts, for: context) { return known }
        let loaded = try await details.details(of: posts.map(\.publisher), posts.map(\.id), for: viewer)
        return posts.indices.map { index in
            ItemDetails(
                author: loaded.cards[index], viewer: loaded.acts[index].union(context.relation(to: posts[index])))
        }
    }

    /// The details of one post, which `viewer` may see.
    package func details(of post: PostFragment, for viewer: UserID) async throws -> ItemDetails {
        try await details(of: [post], for: viewer)[0]
    }

    /// The details of each of `comments`. Nobody can like, save or reshare a comment.
    package func details(of comments: [PostComment], for viewer: UserID) async throws -> [ItemDetails] {
        guard !comments.isEmpty else { return [] }
        let context = try await caches.viewer(viewer).context
        let cards = try await details.details(of: comments.map(\.author), [], for: viewer).cards
        return zip(comments, cards).map { comment, card in
            ItemDetails(
                author: card, viewer: context.relation(to: comment.author, isAuthor: comment.author == viewer))
        }
    }

    /// The details of one comment.
    package func details(of comment: PostComment, for viewer: UserID) async throws -> ItemDetails {
        try await details(of: [comment], for: viewer)[0]
    }

    /// The details of each of `groups` of `viewer`'s notifications.
    package func details(
        of groups: [NotificationGroup], for viewer: UserID
    ) async throws -> [NotificationDetails] {
        try await details(of: groups.map { ($0.actors.map(\.id), $0.post) }, for: viewer)
    }

    /// The details of one notification of `viewer`.
    package func details(of notification: Notification, for viewer: UserID) async throws -> NotificationDetails {
        try await details(of: [([notification.actor], notification.post)], for: viewer)[0]
    }

    /// The details of an item that `author` is about to create, as the author sees it.
    package func ofNewItem(by author: UserID) async throws -> ItemDetails {
        ItemDetails(author: try await cards(of: [author], for: author)[0], viewer: .isAuthor)
    }

    /// The card of each of `users`.
    package func cards(of users: [UserID], for viewer: UserID) async throws -> [AuthorCard] {
        users.isEmpty ? [] : try await details.details(of: users, [], for: viewer).cards
    }

    private func details(
        of acts: [(actors: [UserID], post: PostID?)], for viewer: UserID
    ) async throws -> [NotificationDetails] {
        guard !acts.isEmpty else { return [] }
        let context = try await caches.viewer(viewer).context
        let posts = acts.compactMap(\.post)
        let loaded = try await details.details(of: acts.flatMap(\.actors), posts, for: viewer)
        let fragments = try await caches.fragments(of: posts)
        var (cards, states) = (loaded.cards[...], zip(loaded.acts, fragments).makeIterator())
        return acts.map { actors, post in
            let own = Array(cards.prefix(actors.count))
            cards = cards.dropFirst(actors.count)
            let (act, fragment) = post.flatMap { _ in states.next() } ?? ([], nil)
            let isAuthor = fragment.map { context.relation(to: $0).contains(.isAuthor) } ?? false
            let relation = actors.first.map { context.relation(to: $0, isAuthor: isAuthor) } ?? []
            return NotificationDetails(actors: own, viewer: act.union(relation))
        }
    }
}

extension ViewerContext {
    /// The viewer's relation to a post and its publisher.
    func relation(to post: PostFragment) -> ViewerState {
        relation(to: post.publisher, isAuthor: post.publisher == viewer || post.authors.contains(viewer))
    }

    fileprivate func relation(to author: UserID, isAuthor: Bool) -> ViewerState {
        var state: ViewerState = isAuthor ? .isAuthor : []
        if follows(author) { state.insert(.following) }
        return state
    }
}
