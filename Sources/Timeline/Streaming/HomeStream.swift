import SocialGraph

/// The stream of one connection: first what was missed since the last event that the client has seen, then what comes,
/// each once.
package struct HomeStream: Sendable {
    package enum Message: Sendable {
        case event(StreamEvent)
        /// Nothing has come for a while: the connection is shown to be alive.
        case quiet
        /// What was missed is not in the log any more: the client reads its timeline anew, and goes on here.
        case reset
        /// The stream ends, as its reader was too slow.
        case tooSlow
        /// The stream ends, as the server is stopping.
        case ended
    }

    let broker: StreamBroker
    let subscription: StreamSubscription
    let start: Int64
    let lastEvent: Int64?
    /// To a client that reads its timeline anew, what was committed up to here is not news.
    let opened: Int64

    /// Hands every message to `send`, until the task is cancelled, the reader is too slow, or `send` throws.
    package func run(heartbeat: Duration, send: (Message) async throws -> Void) async throws {
        defer { broker.unsubscribe(subscription) }
        // The broker may still be telling others of what was committed before this stream was opened.
        var told = ToldItems(latest: max(start, opened))
        if let lastEvent { try await replay(after: lastEvent, &told, send) }
        while !Task.isCancelled {
            switch await subscription.next(patience: heartbeat) {
            case .event(let event): try await tell(event, &told, send)
            case .quiet: if !Task.isCancelled { try await send(.quiet) }
            case .overflowed: return try await send(.tooSlow)
            case .ended: return try await send(.ended)
            }
        }
    }

    /// Ends the stream from outside.
    package func end() {
        // Its place is free at once: whoever has gone may come again before the connection is seen to be over.
        broker.unsubscribe(subscription)
        subscription.end()
    }

    private func replay(
        after lastEvent: Int64, _ told: inout ToldItems, _ send: (Message) async throws -> Void
    ) async throws {
        guard try await broker.remembers(lastEvent) else { return try await send(.reset) }
        // The broker may still be telling others of what this client has seen.
        told.latest = lastEvent
        var cursor = lastEvent
        while cursor < start {
            let (events, lookedUpTo) = try await broker.replay(for: subscription.viewer, after: cursor, upTo: start)
            for event in events { try await tell(event, &told, send) }
            cursor = lookedUpTo
        }
    }

    private func tell(
        _ event: StreamEvent, _ told: inout ToldItems, _ send: (Message) async throws -> Void
    ) async throws {
        guard told.isNews(event) else { return }
        // Hidden, or gone to another place, since it was looked at.
        guard try await broker.judge.stillStands(event, for: subscription.viewer) else { return }
        try await send(.event(event))
        told.add(event)
    }
}

/// What a stream has told its client. Two changes may be seen to have brought one item, where both were there before
/// either was looked at: a post, and the joining of the author by whom it reaches the reader.
private struct ToldItems {
    /// Items that are remembered.
    static let capacity = 64

    var latest: Int64
    private var positions: Set<FeedPosition> = []

    init(latest: Int64) { self.latest = latest }

    func isNews(_ event: StreamEvent) -> Bool {
        guard event.sequence > latest else { return false }
        guard case .item(let item) = event.news else { return true }
        return !positions.contains(item.position)
    }

    mutating func add(_ event: StreamEvent) {
        latest = event.sequence
        guard case .item(let item) = event.news else { return }
        if positions.count == Self.capacity { positions = [] }
        positions.insert(item.position)
    }
}

extension StreamBroker {
    /// Opens a stream for `viewer` that goes on after `lastEvent`, or else after the change `opened`. Nil: too many are
    /// open.
    package func open(for viewer: UserID, lastEvent: Int64?, opened: Int64 = 0) -> HomeStream? {
        guard let (subscription, after) = subscribe(viewer) else { return nil }
        return HomeStream(
            broker: self, subscription: subscription, start: after, lastEvent: lastEvent, opened: opened)
    }
}
