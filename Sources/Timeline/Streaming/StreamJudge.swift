import SocialGraph

/// What a change may have brought to somebody.
enum StreamCandidate: Sendable {
    /// An entry of timelines. `newcomer`: the author whose joining is the change, which is news only to those who had
    /// no other reason.
    case entry(FeedEntry, newcomer: UserID?)
    case notification(Int64, of: UserID)

    func mayConcern(_ subscription: StreamSubscription) -> Bool {
        switch self {
        case .entry: true
        case .notification(_, let recipient): subscription.viewer == recipient
        }
    }
}

/// Says what of the changes is news for whom, by the rule that makes pages.
struct StreamJudge: Sendable {
    let caches: TimelineCaches
    let notifications: NotificationReader

    /// Whether an event is still to be shown, asked right before it is sent.
    func stillStands(_ event: StreamEvent, for viewer: UserID) async throws -> Bool {
        switch event.news {
        case .item(let item): return try await stands(item, for: viewer)
        case .notification(let notification):
            guard try await notifications.store.notification(notification.id) != nil else { return false }
            return try await notifications.isShown(notification)
        }
    }

    func news(_ candidate: StreamCandidate, for viewer: UserID) async throws -> StreamEvent.News? {
        switch candidate {
        case .entry(let entry, let newcomer):
            return try await item(entry, newcomer: newcomer, for: viewer).map(StreamEvent.News.item)
        case .notification(let id, let recipient):
            guard recipient == viewer, let notification = try await notifications.store.notification(id),
                try await notifications.isShown(notification)
            else { return nil }
            return .notification(notification)
        }
    }

    /// The item that `entry` is for `viewer`; nil: none, or no news.
    private func item(_ entry: FeedEntry, newcomer: UserID?, for viewer: UserID) async throws -> TimelineItem? {
        guard let post = try await caches.fragments(of: [entry.post])[0] else { return nil }
        let rule = try await caches.rule(for: viewer)
        guard rule.conceals(post) == nil, try await caches.place(of: post, rule) == entry.position else { return nil }
        if let newcomer, try await isReached(post, without: newcomer, rule) { return nil }
        return TimelineItem(post: post, position: entry.position)
    }

    private func isReached(_ post: PostFragment, without author: UserID, _ rule: VisibilityRule) async throws -> Bool {
        if rule.reachesDirectly(post, leavingOut: author) { return true }
        return try await caches.firstReshare(of: post.id, rule) != nil
    }

    private func stands(_ item: TimelineItem, for viewer: UserID) async throws -> Bool {
        guard let post = try await caches.fragments(of: [item.post.id])[0] else { return false }
        let rule = try await caches.rule(for: viewer)
        guard rule.conceals(post) == nil else { return false }
        return try await caches.place(of: post, rule) == item.position
    }
}
