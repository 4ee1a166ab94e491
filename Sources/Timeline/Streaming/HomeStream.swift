import SocialGraph

/// The event stream of one connection: first the events missed since the client's last event, then new ones, each once.
package struct HomeStream: Sendable {
    package enum Message: Sendable {
        case event(StreamEvent)
        /// A heartbeat after a period without events.
        case quiet
        /// The missed events are no longer in the log. The client reads its timeline again and continues from here.
        case reset
        /// The end of the stream, because its reader was too slow.
        case tooSlow
        /// The end of the stream, because the server is stopping.
        case ended
    }

    let broker: StreamBroker
    let subscription: StreamSubscription
    let start: Int64
    let lastEvent: Int64?
    /// Changes committed up to here are not news to a client that reads its timeline again.
    let opened: Int64

    /// Passes every message to `send`, until the task is cancelled, the reader is too slow, or `send` throws.
    package func run(heartbeat: Duration, send: (Message) async throws -> Void) async throws {
        defer { broker.unsubscribe(subscription) }
        // The broker may still be offering changes committed before this stream was opened.
        var sent = SentItems(latest: max(start, opened))
        if let lastEvent { try await replay(after: lastEvent, &sent, send) }
        while !Task.isCancelled {
            switch await subscription.next(patience: heartbeat) {
            case .event(let event): try await tell(event, &sent, send)
            case .quiet: if !Task.isCancelled { try await send(.quiet) }
            case .overflowed: return try await send(.tooSlow)
            case .ended: return try await send(.ended)
            }
        }
    }

    /// Ends the stream from outside.
    package func end() {
        // Frees the place at once: the client may reconnect before the connection is seen to be over.
        broker.unsubscribe(subscription)
        subscription.end()
    }

    private func replay(
        after lastEvent: Int64, _ sent: inout SentItems, _ send: (Message) async throws -> Void
    ) async throws {
        guard try await broker.remembers(lastEvent) else { return try await send(.reset) }
        // The broker may still be offering events that this client has seen.
        sent.latest = lastEvent
        var cursor = lastEvent
        while cursor < start {
            let (events, lookedUpTo) = try await broker.replay(for: subscription.viewer, after: cursor, upTo: start)
            // Changes that a slow client had not reached may have been forgotten meanwhile.
            guard try await broker.remembers(cursor) else { return try await send(.reset) }
            for event in events { try await tell(event, &sent, send) }
            cursor = lookedUpTo
        }
    }

    private func tell(
        _ event: StreamEvent, _ sent: inout SentItems, _ send: (Message) async throws -> Void
    ) async throws {
        guard sent.isNew(event) else { return }
        // The item may have been edited, hidden, or moved to another position, since it was judged.
        guard let event = try await broker.judge.standing(event, for: subscription.viewer) else { return }
        try await send(.event(event))
        if sent.add(event) { sent.settle(upTo: try await broker.latestChange()) }
    }
}

/// The items sent by a stream. Two changes may both appear to have brought one item if both precede the judging of
/// either: a post, and the joining of the author through whom it reaches the reader, or its release from a queue.
/// An item is therefore remembered until the stream has passed every change that preceded its judging, however many
/// these are. A stream that keeps up with the log remembers two times `batch` items.
private struct SentItems {
    /// Number of items after which the end of the log is read, to forget those before.
    static let batch = 64

    var latest: Int64
    /// Items judged before the log ended at `settledEnd`.
    private var settled: Set<FeedPosition> = []
    private var settledEnd: Int64 = 0
    /// Items sent since.
    private var recent: Set<FeedPosition> = []

    init(latest: Int64) { self.latest = latest }

    func isNew(_ event: StreamEvent) -> Bool {
        guard event.sequence > latest else { return false }
        guard case .item(let item) = event.news else { return true }
        return !recent.contains(item.position) && !settled.contains(item.position)
    }

    /// Returns true if `settle` should be called.
    mutating func add(_ event: StreamEvent) -> Bool {
        latest = event.sequence
        guard case .item(let item) = event.news else { return false }
        recent.insert(item.position)
        return recent.count >= Self.batch && latest >= settledEnd
    }

    /// Forgets the items whose changes have all been passed, and notes the end of the log for those sent since.
    mutating func settle(upTo end: Int64) { (settled, settledEnd, recent) = (recent, end, []) }
}

extension StreamBroker {
    /// Opens a stream for `viewer` that continues after `lastEvent`, or otherwise after the change `opened`. Returns
    /// nil if too many streams are open.
    package func open(for viewer: UserID, lastEvent: Int64?, opened: Int64 = 0) -> HomeStream? {
        guard let (subscription, after) = subscribe(viewer) else { return nil }
        return HomeStream(
            broker: self, subscription: subscription, start: after, lastEvent: lastEvent, opened: opened)
    }
}
