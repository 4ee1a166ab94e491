import SocialGraph

/// An event or entry that may be news to somebody.
enum StreamCandidate: Sendable {
    /// An entry of timelines.
    case entry(FeedEntry, StreamOrigin)
    case notification(Int64, of: UserID)

    /// Fails if the change is news to nobody.
    init?(_ change: GraphChange) {
        switch change {
        case .postPublished(let post, _), .postReleased(let post, _): self = .entry(FeedEntry(post), .post)
        case .reshared(let position, let post): self = .entry(FeedEntry(position: position, post: post), .reshare)
        case .collaborationAccepted(let post, let user): self = .entry(FeedEntry(post), .newcomer(user))
        case .notified(let notification, let user): self = .notification(notification, of: user)
        default: return nil
        }
    }
}

/// The cause of an entry.
enum StreamOrigin: Sendable {
    case post, reshare
    /// An author whose joining is the change. It is news only to readers without another reason.
    case newcomer(UserID)
}

/// Decides which changes are news, and to whom.
protocol StreamJudge: Sendable {
    /// Returns the viewers whom `candidate` may concern; nobody else needs to be checked.
    func audience(of candidate: StreamCandidate) async throws -> StreamAudience
    /// Returns every source that can bring a post to `viewer`.
    func sources(of viewer: UserID) async throws -> [FeedSource]
    /// Returns the event for `viewer` that results from `candidate`; nil if it is no news.
    func news(_ candidate: StreamCandidate, for viewer: UserID) async throws -> StreamEvent.News?
    /// Reads what the texts of an event for `viewers` need, in one query for all of them.
    func prepare(_ news: StreamEvent.News, for viewers: [UserID]) async throws
    /// Returns an event in its present state; nil: it is no longer visible. Called right before it is sent.
    func standing(_ event: StreamEvent, for viewer: UserID) async throws -> StreamEvent?
}

/// Decides by the visibility rule of pages.
struct TimelineJudge: StreamJudge {
    let caches: TimelineCaches
    let details: DetailCaches
    let reshares: ReshareStore
    let notifications: NotificationReader

    func audience(of candidate: StreamCandidate) async throws -> StreamAudience {
        switch candidate {
        case .notification(_, let recipient): return .reader(recipient)
        case .entry(_, .newcomer(let user)): return .readers(of: [.actor(user)])
        case .entry(let entry, .reshare):
            return .readers(of: try await reshares.resharer(at: entry.position).map { [.actor($0)] } ?? [])
        case .entry(let entry, .post):
            guard let post = try await caches.fragments(of: [entry.post])[0] else { return .readers(of: []) }
            var sources = post.authors.map(FeedSource.actor) + post.topics.map(FeedSource.topic)
            if let community = post.community { sources.append(.community(community.id)) }
            return .readers(of: sources)
        }
    }

    func sources(of viewer: UserID) async throws -> [FeedSource] { try await caches.viewer(viewer).sources }

    func prepare(_ news: StreamEvent.News, for viewers: [UserID]) async throws {
        if case .item(let item) = news { try await details.load(item.post, for: viewers) }
    }

    func standing(_ event: StreamEvent, for viewer: UserID) async throws -> StreamEvent? {
        switch event.news {
        case .item(let item):
            return try await standing(item, for: viewer).map { StreamEvent(sequence: event.sequence, news: .item($0)) }
        case .notification(let notification):
            guard try await notifications.store.notification(notification.id) != nil else { return nil }
            return try await notifications.isShown(notification) ? event : nil
        }
    }

    func news(_ candidate: StreamCandidate, for viewer: UserID) async throws -> StreamEvent.News? {
        switch candidate {
        case .entry(let entry, let origin):
            return try await item(entry, origin, for: viewer).map(StreamEvent.News.item)
        case .notification(let id, let recipient):
            guard recipient == viewer, let notification = try await notifications.store.notification(id),
                try await notifications.isShown(notification)
            else { return nil }
            return .notification(notification)
        }
    }

    /// Returns the item for `viewer` that results from `entry`; nil if it is hidden or no news.
    private func item(_ entry: FeedEntry, _ origin: StreamOrigin, for viewer: UserID) async throws -> TimelineItem? {
        guard let post = try await caches.fragments(of: [entry.post])[0] else { return nil }
        let rule = try await caches.rule(for: viewer)
        guard rule.conceals(post) == nil, try await caches.place(of: post, rule) == entry.position else { return nil }
        if case .newcomer(let newcomer) = origin, try await isReached(post, without: newcomer, rule) { return nil }
        return TimelineItem(post: post, position: entry.position)
    }

    private func isReached(_ post: PostFragment, without author: UserID, _ rule: VisibilityRule) async throws -> Bool {
        if rule.reachesDirectly(post, leavingOut: author) { return true }
        return try await caches.firstReshare(of: post.id, rule) != nil
    }

    private func standing(_ item: TimelineItem, for viewer: UserID) async throws -> TimelineItem? {
        guard let post = try await caches.fragments(of: [item.post.id])[0] else { return nil }
        let rule = try await caches.rule(for: viewer)
        guard rule.conceals(post) == nil, try await caches.place(of: post, rule) == item.position else { return nil }
        return TimelineItem(post: post, position: item.position)
    }
}
