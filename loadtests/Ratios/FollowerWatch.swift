import GraphAPI
import Synchronization

/// Looks at one follower's home again and again, and notes when each post is first there.
final class FollowerWatch: Sendable {
    private struct State {
        var isOver = false
        var firstSeen: [String: ContinuousClock.Instant] = [:]
    }

    private static let page = 20
    private static let pause = Duration.milliseconds(1)

    private let follower: GraphClient
    private let state = Mutex(State())

    init(of follower: GraphClient) { self.follower = follower }

    /// Runs until ``end()``.
    func run() async throws {
        // What is there already is nothing new.
        note(try await follower.home(limit: Self.page).items)
        while !state.withLock({ $0.isOver }) {
            try await look()
            try await Task.sleep(for: Self.pause)
        }
        // A look that was under way at the end may have begun before the last post was there.
        try await look()
    }

    private func look() async throws {
        var cursor: String?
        repeat {
            let answer = try await follower.home(limit: Self.page, cursor: cursor)
            cursor = note(answer.items) ? answer.nextCursor : nil
        } while cursor != nil
    }

    /// Whether all of them are new, so that there may be more below them.
    @discardableResult
    private func note(_ items: [PostReference]) -> Bool {
        let now = ContinuousClock.now
        return state.withLock { state in
            let new = items.map(\.postId).filter { state.firstSeen[$0] == nil }
            for post in new { state.firstSeen[post] = now }
            return !items.isEmpty && new.count == items.count
        }
    }

    /// One look that begins after this is the last.
    func end() { state.withLock { $0.isOver = true } }

    /// When `post` was there; nil: it has not been seen.
    func firstSeen(_ post: String) -> ContinuousClock.Instant? { state.withLock { $0.firstSeen[post] } }
}
