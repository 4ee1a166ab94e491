import SocialGraph

/// Reads notifications under the visibility rule of timelines.
package struct NotificationReader: Sendable {
    let store: NotificationStore
    let comments: CommentStore
    let caches: TimelineCaches

    /// A page of `viewer`'s notifications, grouped, the latest first. Omits posts that the viewer may not see.
    package func groups(
        for viewer: UserID, below cursor: Int64?, limit: Int, onlyUnread: Bool = false
    ) async throws -> Page<NotificationGroup, Int64> {
        try await Page.filled(below: cursor, limit: limit, place: \.place) { cursor, count in
            try await store.notificationGroups(of: viewer, below: cursor, limit: count, onlyUnread: onlyUnread)
        } shown: { groups in
            try await shown(groups, to: viewer, \.act)
        }
    }

    /// A page of `viewer`'s notifications of other users' acts, ungrouped.
    package func notifications(
        for viewer: UserID, below cursor: Int64?, limit: Int
    ) async throws -> Page<Notification, Int64> {
        try await Page.filled(below: cursor, limit: limit, place: \.id) { cursor, count in
            try await store.notifications(of: viewer, below: cursor, limit: count)
        } shown: { notifications in
            try await shown(notifications, to: viewer, \.act).map { $0?.kind == .moderation ? nil : $0 }
        }
    }

    /// The number of unread groups in the list, counted up to ``TimelineLimits/unreadCounted``.
    package func unreadCount(of viewer: UserID) async throws -> Int {
        try await groups(
            for: viewer, below: nil, limit: TimelineLimits.unreadCounted, onlyUnread: true
        ).items.count
    }

    /// Returns whether the list shows that group to `viewer`.
    package func isShown(_ group: NotificationGroup, to viewer: UserID) async throws -> Bool {
        try await shown([group], to: viewer, \.act) != [nil]
    }

    func isShown(_ notification: Notification) async throws -> Bool {
        try await shown([notification], to: notification.recipient, \.act) != [nil]
    }

    /// `mention`: the comment in which the recipient is mentioned.
    fileprivate typealias ToldAct = (post: PostID?, actor: UserID, mention: CommentID?, isHidden: Bool)

    private func shown<Item>(
        _ items: [Item], to viewer: UserID, _ act: (Item) -> ToldAct
    ) async throws -> [Item?] {
        let rule = try await caches.rule(for: viewer)
        let posts = items.compactMap { act($0).post }
        let fragments = try await caches.fragments(of: posts).compactMap(\.self)
        let visible = Set(fragments.filter { rule.isShownByItself($0) && !rule.mutesWords(of: $0) }.map(\.id))
        let muted = try await mentionsWithMutedWords(items.compactMap { act($0).mention }, rule)
        return items.map { item in
            let (post, actor, mention, isHidden) = act(item)
            if isHidden || rule.context.blocked.contains(actor) { return nil }
            if let mention, muted.contains(mention) { return nil }
            return post.map(visible.contains) ?? true ? item : nil
        }
    }
}

extension NotificationReader {
    /// Those of `mentions` whose text contains a word that the reader has muted.
    private func mentionsWithMutedWords(_ mentions: [CommentID], _ rule: VisibilityRule) async throws -> Set<CommentID>
    {
        guard rule.context.mutedWords != nil, !mentions.isEmpty else { return [] }
        let found = try await comments.comments(mentions)
        return Set(found.lazy.compactMap(\.self).filter { rule.mutesWords(of: $0.content, by: $0.author) }.map(\.id))
    }
}

extension NotificationGroup {
    fileprivate var act: NotificationReader.ToldAct {
        (post, latest.actor, kind == .mention ? latest.comment : nil, actorsCount == 0)
    }
}

extension Notification {
    fileprivate var act: NotificationReader.ToldAct { (post, actor, kind == .mention ? comment : nil, isHidden) }
}
