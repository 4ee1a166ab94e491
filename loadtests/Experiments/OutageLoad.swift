import Foundation
import GraphdClient
import Synchronization

/// Clients that publish and read through an outage, and try again whenever they are refused.
final class OutageLoad: Sendable {
    private struct State {
        /// The ids of acknowledged posts, and the time of the last acknowledgement and of the last page.
        var posts: [String] = []
        var lastPost: ContinuousClock.Instant?
        var lastPage: ContinuousClock.Instant?
        var mayRead = false
    }

    /// The pause of a client that was refused, and between two looks of the measurement.
    private static let pause = Duration.milliseconds(10)

    private let authors: [GraphdClient]
    private let readers: [GraphdClient]
    private let state = Mutex(State())

    init(authors: [GraphdClient], readers: [GraphdClient]) {
        self.authors = authors
        self.readers = readers
    }

    /// Runs `body` under load.
    func run<T: Sendable>(_ body: () async throws -> T) async throws -> T {
        try await withThrowingTaskGroup(of: Void.self) { group in
            for (number, author) in authors.enumerated() {
                group.addTask {
                    try await self.repeatedly {
                        try await author.publish(SampleGraph.draft(number))
                    } done: { state, id in
                        state.posts.append(id)
                        state.lastPost = .now
                    }
                }
            }
            group.addTask { try await self.read() }
            defer { group.cancelAll() }
            return try await body()
        }
    }

    /// Begins to ask for pages. They are cold: each is of another reader.
    func startReading() { state.withLock { $0.mayRead = true } }

    private func read() async throws {
        while !state.withLock({ $0.mayRead }) { try await Task.sleep(for: Self.pause) }
        var number = 0
        try await repeatedly {
            number += 1
            _ = try await self.readers[number % self.readers.count].timelines.home()
        } done: { state, _ in
            state.lastPage = .now
        }
    }

    private func repeatedly<T: Sendable>(
        _ act: () async throws -> T, done: (inout State, T) -> Void
    ) async throws {
        while !Task.isCancelled {
            do {
                let value = try await act()
                state.withLock { done(&$0, value) }
            } catch {
                try? await Task.sleep(for: Self.pause)
            }
        }
    }

    /// Seconds from `instant` to the first acknowledgement after it.
    func firstPost(after instant: ContinuousClock.Instant) async throws -> Double {
        try await first(after: instant) { $0.lastPost }
    }

    /// Seconds from `instant` to the first page after it.
    func firstPage(after instant: ContinuousClock.Instant) async throws -> Double {
        try await first(after: instant) { $0.lastPage }
    }

    private func first(
        after instant: ContinuousClock.Instant, _ last: (State) -> ContinuousClock.Instant?
    ) async throws -> Double {
        while true {
            if let time = state.withLock({ last($0) }), time > instant {
                return instant.duration(to: time) / .seconds(1)
            }
            try await Task.sleep(for: .milliseconds(1))
        }
    }

    /// Fails unless the database has every acknowledged post.
    func check(_ server: PostgreSQL) throws {
        let stored = try StoredPosts.ids(on: server, in: "graph")
        let lost = state.withLock { $0.posts }.filter { !stored.contains($0) }
        guard lost.isEmpty else {
            throw Program.Failure(description: "acknowledged posts were lost: \(lost.prefix(5))")
        }
    }
}
