import GraphdClient
import Synchronization

/// Polls one follower's home timeline, and records when each post first appears.
final class FollowerWatch: Sendable {
    private struct State {
        var isOver = false
        var firstSeen: [String: ContinuousClock.Instant] = [:]
        var failure: String?
        /// Time at which the last look ended.
        var looked = ContinuousClock.now
    }

    private static let page = 20
    private static let pause = Duration.milliseconds(1)
    /// Longest wait for a post.
    private static let limit = Duration.seconds(60)

    private let follower: GraphdClient
    private let state = Mutex(State())

    init(of follower: GraphdClient) { self.follower = follower }

    /// Runs until ``end()``. An error also ends it, and every wait for a post.
    func run() async throws {
        do {
            try await watch()
        } catch {
            state.withLock { $0.failure = "\(error)" }
            throw error
        }
    }

    private func watch() async throws {
        // Items that are already there are not new.
        note(try await follower.homePage(limit: Self.page).items)
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
            let answer = try await follower.homePage(limit: Self.page, cursor: cursor)
            cursor = note(answer.items) ? answer.nextCursor : nil
        } while cursor != nil
        state.withLock { $0.looked = .now }
    }

    /// Reads one page. Returns true if an item is new, so that there may be more below it: a post may arrive after
    /// later ones of other authors.
    @discardableResult
    private func note(_ items: [HomePage.Item]) -> Bool {
        let now = ContinuousClock.now
        return state.withLock { state in
            let new = items.map(\.postId).filter { state.firstSeen[$0] == nil }
            for post in new { state.firstSeen[post] = now }
            return !new.isEmpty
        }
    }

    /// Ends the watch: one look that begins after this call is the last.
    func end() { state.withLock { $0.isOver = true } }

    /// Waits until `post` has appeared, and returns the time at which it did.
    func waitUntilSeen(_ post: String) async throws -> ContinuousClock.Instant {
        let deadline = ContinuousClock.now + Self.limit
        while ContinuousClock.now < deadline {
            let (seen, failure) = state.withLock { ($0.firstSeen[post], $0.failure) }
            if let seen { return seen }
            if let failure { throw Program.Failure(description: "the last follower's page was refused: \(failure)") }
            try await Task.sleep(for: Self.pause)
        }
        let pause = state.withLock { $0.looked }.duration(to: .now)
        throw Program.Failure(
            description: "post \(post) was not seen within \(Self.limit); the last look at the page ended \(pause) ago")
    }
}
