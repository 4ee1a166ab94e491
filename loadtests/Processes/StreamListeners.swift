import Algorithms
import GraphdClient
import Synchronization

/// An event received from a stream.
struct StreamArrival: Sendable {
    let post: String
    let time: ContinuousClock.Instant
}

/// Many clients that each keep a stream open until it has received so many events.
struct StreamListeners: Sendable {
    let clients: [GraphdClient]
    let events: Int
    private let opened = OpenedStreams()

    /// Number of streams opened at a time.
    private static let batch = 100

    init(clients: [GraphdClient], events: Int) {
        self.clients = clients
        self.events = events
    }

    /// Opens all streams, runs `body`, and waits until every stream has received its events. Returns them in the order
    /// of the clients.
    func during(_ body: () async throws -> Void) async throws -> [[StreamArrival]] {
        try await withThrowingTaskGroup(of: (Int, [StreamArrival]).self) { group in
            for part in clients.indices.chunks(ofCount: Self.batch) {
                for number in part { group.addTask { (number, try await listen(number)) } }
                try await opened.wait(until: part.upperBound)
            }
            Progress.say("\(clients.count) streams open")
            try await body()
            var arrivals = Array(repeating: [StreamArrival](), count: clients.count)
            for try await (number, stream) in group { arrivals[number] = stream }
            return arrivals
        }
    }

    private func listen(_ number: Int) async throws -> [StreamArrival] {
        var arrivals: [StreamArrival] = []
        for try await event in clients[number].timelines.homeStream().onOpen({ opened.add() }) {
            guard let post = event.postId, !event.followsInterruption else {
                throw Program.Failure(description: "the stream broke off, or brought \(event.name): \(event.data)")
            }
            arrivals.append(StreamArrival(post: post, time: .now))
            if arrivals.count == events { break }
        }
        return arrivals
    }
}

extension ServerEvent {
    /// The post of a `home` event; nil for others. To decode the whole post would delay the events behind it.
    fileprivate var postId: String? {
        // The key is the first of the object, so the rest need not be read.
        let parts = data.split(separator: "\"", maxSplits: 4, omittingEmptySubsequences: false)
        return name == "home" && parts.count > 3 && parts[1] == "postId" ? String(parts[3]) : nil
    }
}

/// The number of open streams.
private final class OpenedStreams: Sendable {
    private let count = Atomic(0)

    func add() { count.add(1, ordering: .relaxed) }

    /// Waits for a number of open streams. Fails after a minute.
    func wait(until wanted: Int) async throws {
        let deadline = ContinuousClock.now + .seconds(60)
        while count.load(ordering: .relaxed) < wanted {
            guard ContinuousClock.now < deadline else {
                throw Program.Failure(description: "only \(count.load(ordering: .relaxed)) streams could be opened")
            }
            try await Task.sleep(for: .milliseconds(10))
        }
    }
}
