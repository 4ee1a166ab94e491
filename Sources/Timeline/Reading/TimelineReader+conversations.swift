import SocialGraph

/// Comments and notifications, by the same rule as timelines.
extension TimelineReader {
    /// A page of comments on a post that `viewer` may see, the latest first. A deleted comment is there as long as
    /// replies hang from it. Throws ``GraphError/postNotFound``.
    package func comments(
        on post: PostID, _ thread: CommentThread, for viewer: UserID, below cursor: Int64?, limit: Int
    ) async throws -> Page<PostComment, Int64> {
        guard let fragment = try await self.post(post, for: viewer) else { throw GraphError.postNotFound }
        let rule = try await rule(for: viewer)
        return try await Self.page(below: cursor, limit: limit, place: { $0.id.rawValue }) { cursor, count in
            try await graph.comments(of: post, thread, below: cursor, limit: count)
        } shown: { comments in
            comments.map { rule.shown($0, on: fragment) }
        }
    }

    /// A page of all comments on a post that `viewer` may see, in the order in which they were made, without deleted
    /// ones. Throws ``GraphError/postNotFound``.
    package func firstComments(
        on post: PostID, for viewer: UserID, above cursor: Int64?, limit: Int
    ) async throws -> Page<PostComment, Int64> {
        guard let fragment = try await self.post(post, for: viewer) else { throw GraphError.postNotFound }
        let rule = try await rule(for: viewer)
        return try await Self.page(below: cursor, limit: limit, place: { $0.id.rawValue }) { cursor, count in
            try await graph.firstComments(of: post, above: cursor, limit: count)
        } shown: { comments in
            comments.map { rule.shown($0, on: fragment).flatMap { $0.isDeleted ? nil : $0 } }
        }
    }

    /// Whether `viewer` may see `comment` and the post that it is on.
    package func isShown(_ comment: PostComment, to viewer: UserID) async throws -> Bool {
        guard let post = try await post(comment.post, for: viewer) else { return false }
        return try await rule(for: viewer).isShownByItself(comment, on: post)
    }

    /// A page of what `viewer` is told, grouped, the latest first: nothing about posts that the viewer may not see.
    package func notificationGroups(
        for viewer: UserID, below cursor: Int64?, limit: Int, onlyUnread: Bool = false
    ) async throws -> Page<NotificationGroup, Int64> {
        try await Self.page(below: cursor, limit: limit, place: \.place) { cursor, count in
            try await graph.notificationGroups(of: viewer, below: cursor, limit: count, onlyUnread: onlyUnread)
        } shown: { groups in
            try await shown(groups, to: viewer, \.act)
        }
    }

    /// A page of what `viewer` is told, act by act.
    package func notifications(
        for viewer: UserID, below cursor: Int64?, limit: Int
    ) async throws -> Page<Notification, Int64> {
        try await Self.page(below: cursor, limit: limit, place: \.id) { cursor, count in
            try await graph.notifications(of: viewer, below: cursor, limit: count)
        } shown: { notifications in
            try await shown(notifications, to: viewer, \.act)
        }
    }

    /// Unread groups that the list shows, counted up to ``TimelineLimits/unreadCounted``.
    package func unreadNotifications(of viewer: UserID) async throws -> Int {
        try await notificationGroups(
            for: viewer, below: nil, limit: TimelineLimits.unreadCounted, onlyUnread: true
        ).items.count
    }

    /// Whether the list shows `viewer` that group.
    package func isShown(_ group: NotificationGroup, to viewer: UserID) async throws -> Bool {
        try await shown([group], to: viewer, \.act) != [nil]
    }

    func isShown(_ notification: Notification) async throws -> Bool {
        try await shown([notification], to: notification.recipient, \.act) != [nil]
    }

    fileprivate typealias ToldAct = (post: PostID?, actor: UserID, isHidden: Bool)

    private func shown<Item>(
        _ items: [Item], to viewer: UserID, _ act: (Item) -> ToldAct
    ) async throws -> [Item?] {
        let rule = try await rule(for: viewer)
        let posts = items.compactMap { act($0).post }
        let fragments = try await caches.fragments(of: posts).compactMap(\.self)
        let visible = Set(fragments.filter(rule.isShownByItself).map(\.id))
        return items.map { item in
            let (post, actor, isHidden) = act(item)
            if isHidden || rule.context.blocked.contains(actor) { return nil }
            return post.map(visible.contains) ?? true ? item : nil
        }
    }

    /// Fills a page from a list of which not everything is shown; `next` is nil at the true end only. `shown` gives
    /// what becomes of each row, nil where it is hidden. Only where as many rows have been examined as one request may
    /// cost, the page ends before it is full.
    static func page<Row, Item>(
        below cursor: Int64?, limit: Int, place: (Row) -> Int64,
        read: (Int64?, Int) async throws -> [Row], shown: ([Row]) async throws -> [Item?]
    ) async throws -> Page<Item, Int64> {
        var items: [(place: Int64, item: Item)] = []
        var cursor = cursor
        var (examined, size) = (0, limit + 1)
        while items.count <= limit {
            let count = max(limit + 1 - items.count, size)
            size = min(size * 2, TimelineLimits.candidatesAtOnce)
            let found = try await read(cursor, count)
            for (row, item) in zip(found, try await shown(found)) {
                if let item { items.append((place(row), item)) }
            }
            guard found.count == count, let last = found.last else {
                cursor = nil
                break
            }
            cursor = place(last)
            examined += found.count
            if examined >= TimelineLimits.examinedRows { break }
            try ClientPresence.check()
        }
        let shown = items.prefix(limit)
        return Page(items: shown.map(\.item), next: items.count > limit ? shown.last?.place : cursor)
    }
}

extension NotificationGroup {
    fileprivate var act: TimelineReader.ToldAct { (post, latest.actor, actorsCount == 0) }
}

extension Notification {
    fileprivate var act: TimelineReader.ToldAct { (post, actor, isHidden) }
}
