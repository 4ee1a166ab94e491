import Coordination
import Database
import Logging
import SocialGraph

@testable import Timeline

extension StreamEvent {
    /// The item of an event that has one.
    var item: TimelineItem {
        guard case .item(let item) = news else { preconditionFailure("a notification") }
        return item
    }
}

extension HomeStream.Message {
    /// The event, if it has an item.
    var itemEvent: StreamEvent? {
        guard case .event(let event) = self, case .item = event.news else { return nil }
        return event
    }
}

/// A client of one stream, which keeps the events it received.
final class StreamClient {
    private let task: Task<Void, any Error>
    private var messages: AsyncStream<HomeStream.Message>.AsyncIterator
    /// New items.
    private(set) var events: [StreamEvent] = []

    var posts: [PostID] { events.map(\.item.post.id) }

    init(_ stream: HomeStream) {
        let (messages, continuation) = AsyncStream<HomeStream.Message>.makeStream()
        self.messages = messages.makeAsyncIterator()
        task = Task {
            defer { continuation.finish() }
            try await stream.run(heartbeat: .seconds(60)) { continuation.yield($0) }
        }
    }

    deinit { task.cancel() }

    /// Returns the next message of any kind; nil at the end.
    func next() async -> HomeStream.Message? {
        let message = await messages.next()
        if let event = message?.itemEvent { events.append(event) }
        return message
    }

    /// Reads until `post` has come. Returns false if the stream ends before.
    @discardableResult
    func read(until post: PostID) async -> Bool {
        while let message = await next() {
            if message.itemEvent?.item.post.id == post { return true }
        }
        return false
    }

    /// Cuts the connection and returns once the stream has noticed.
    func disconnect() async {
        task.cancel()
        _ = try? await task.value
    }
}

/// A graph that delays the context of one reader.
final class GatedGraph: CachedGraph {
    let graph: GraphStore
    private let reader: UserID
    let arrivals = AsyncStream<Void>.makeStream()
    let releases = AsyncStream<Void>.makeStream()

    init(graph: GraphStore, waitingFor reader: UserID) {
        self.graph = graph
        self.reader = reader
    }

    var expiryTime: Int64 { graph.expiryTime }

    func viewerContext(of viewer: UserID) async throws -> ViewerContext {
        if viewer == reader {
            arrivals.continuation.yield()
            for await _ in releases.stream { break }
        }
        return try await graph.feeds.viewerContext(of: viewer)
    }

    func posts(_ ids: [PostID]) async throws -> [Post] { try await graph.posts.posts(ids) }
    func reshares(of posts: [PostID], limit: Int) async throws -> [[Reshare]] {
        try await graph.feeds.reshares(of: posts, limit: limit)
    }
    func firstReshare(of post: PostID, for context: ViewerContext) async throws -> Reshare? {
        try await graph.feeds.firstReshare(of: post, for: context)
    }
    func topics(_ kind: TopicKind, named names: [String]) async throws -> [TopicID?] {
        try await graph.topics.topics(kind, named: names)
    }
    func slices(of sources: [FeedSource], below cursor: FeedPosition, limit: Int) async throws -> [FeedSlice] {
        try await graph.feeds.slices(of: sources, below: cursor, limit: limit)
    }
    func hubs() async throws -> [(user: UserID, phase: HubPhase)] { try await graph.hubs.hubs() }
}

extension TimelineHarness {
    func open(_ viewer: UserID, after lastEvent: Int64? = nil) -> StreamClient? {
        service.streams.open(for: viewer, lastEvent: lastEvent).map(StreamClient.init)
    }

    /// Returns once the broker has processed all changes that are in the log now.
    func waitForBroker() async throws {
        let latest = try await graph.changes.latestChange()
        while let (subscription, after) = service.streams.subscribe(UserID(rawValue: 0)) {
            service.streams.unsubscribe(subscription)
            if after >= latest { return }
            // Not for synchronisation: the pause between two polls.
            try await Task.sleep(for: .milliseconds(1))
        }
    }

    /// A separate broker that reads through `graph` with empty caches.
    func broker(_ graph: GatedGraph) async throws -> StreamBroker {
        let caches = TimelineCaches(graph: graph, encode: ItemEncoding.none.post)
        return try await broker(
            TimelineJudge(
                caches: caches, details: service.readers.details.details, reshares: graph.graph.reshares,
                notifications: service.readers.notifications))
    }

    /// A separate broker that uses `judge` and starts at the position `tail` of the log, or at its end.
    func broker(_ judge: any StreamJudge, tail: Int64? = nil) async throws -> StreamBroker {
        let latest = try await graph.changes.latestChange()
        let wakeup = Wakeup()
        graph.database.observeCommits { _ in wakeup.signal() }
        return StreamBroker(
            changes: graph.changes, judge: judge, tail: tail ?? latest, wakeup: wakeup, logger: quiet, catchUp: {})
    }
}
