import GraphAPI
import Synchronization

/// Polls one follower's home timeline, and records when each post first appears.
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
        // Items that are already there are not new.
        note(try await follower.home(limit: Self.page).items)
        while !state.withLock({ $0.isOver }) {
            try await look()
            try await Task.sleep(for: Self.pause)
        }
        // A look in progress at the end may have begun before the last post was there.
        try await look()
    }

    private func look() async throws {
        var cursor: String?
        repeat {
            let answer = try await follower.home(limit: Self.page, cursor: cursor)
            cursor = note(answer.items) ? answer.nextCursor : nil
        } while cursor != nil
    }

    /// Reads one page. Returns true if all of its items are new, so that there may be more below them.
    @discardableResult
    private func note(_ items: [PostReference]) -> Bool {
        let now = ContinuousClock.now
        return state.withLock { state in
            let new = items.map(\.postId).filter { state.firstSeen[$0] == nil }
            for post in new { state.firstSeen[post] = now }
            return !items.isEmpty && new.count == items.count
        }
    }

    /// Ends the watch: one look that begins after this call is the last.
    func end() { state.withLock { $0.isOver = true } }

    /// Returns the time at which `post` appeared; nil if it has not been seen.
    func firstSeen(_ post: String) -> ContinuousClock.Instant? { state.withLock { $0.firstSeen[post] } }
}
