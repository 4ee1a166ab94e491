import ServiceTestSupport
import Synchronization
import Testing

@testable import StrictJSON

/// Clients that publish over HTTP, each one post after the other. Half of them repeat a post under its idempotency key
/// until it is acknowledged; the others go on to the next one.
struct PublishingLoad: Sendable {
    let server: GraphdServer
    let people: [Person]
    let history: PublishingHistory
    /// Tells the captions of one load from those of an earlier one over the same database.
    let name: String
    private let isOver = Flag()

    init(_ server: GraphdServer, _ people: [Person], _ history: PublishingHistory, name: String = "post") {
        self.server = server
        self.people = people
        self.history = history
        self.name = name
    }

    /// Runs `body` under load, and returns once all clients have ended.
    func run<T>(_ body: () async throws -> T) async throws -> T {
        try await withThrowingTaskGroup(of: Void.self) { group in
            for index in people.indices { group.addTask { try await publish(index) } }
            defer { isOver.set() }
            return try await body()
        }
    }

    /// Returns once `count` more posts have been acknowledged than before.
    func progress(by count: Int) async throws {
        let wanted = history.acknowledged.count + count
        while history.acknowledged.count < wanted { try await Self.pause() }
    }

    /// Returns once a client has been refused.
    func refusal() async throws {
        let before = history.refusals
        while history.refusals == before { try await Self.pause() }
    }

    private static func pause() async throws {
        // Not for synchronisation: a busy loop would take processor time from the server.
        try await Task.sleep(for: .milliseconds(10))
    }

    private func publish(_ index: Int) async throws {
        var number = 0
        while !isOver.isSet {
            number += 1
            let caption = "\(name)-\(index)-\(number)"
            let repeats = index.isMultiple(of: 2)
            while try await !attempt(caption, by: people[index], hasKey: repeats), repeats, !isOver.isSet {
                try await Self.pause()
            }
        }
    }

    /// Returns true if the post was acknowledged.
    private func attempt(_ caption: String, by person: Person, hasKey: Bool) async throws -> Bool {
        let body = #"{"caption":"\#(caption)","mediaUrl":"https://example.org/v"}"#
        let headers = hasKey ? [("Idempotency-Key", caption)] : []
        guard let answer = try? await server.client(person).post("/v1/posts", body, headers: headers) else {
            // Nobody listens, or the server was killed amid the request.
            try await Self.pause()
            return false
        }
        guard answer.status == 201, let id = try answer.json["postId"]?.text else {
            history.refuse(answer)
            return false
        }
        try history.acknowledge(caption, as: id)
        return true
    }
}

/// A flag that is set once.
private final class Flag: Sendable {
    private let state = Atomic(false)
    var isSet: Bool { state.load(ordering: .relaxed) }
    func set() { state.store(true, ordering: .relaxed) }
}
