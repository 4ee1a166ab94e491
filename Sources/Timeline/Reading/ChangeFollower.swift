import Logging
import SocialGraph
import Synchronization

/// Follows the change log for commits of other processes, such as an import that runs beside the server. Commits of
/// this process reach the caches directly. A gap in its own sequence numbers shows a commit of another process.
final class ChangeFollower: Sendable {
    private struct State {
        /// The sequence number up to which everything, except the gaps, is known.
        var known: Int64
        var gaps: [ClosedRange<Int64>] = []
    }

    private let state: Mutex<State>
    private let turn = KeyedLocks<Int>()
    private let graph: GraphStore
    private let apply: @Sendable (LoggedGroups) -> Void
    private let logger: Logger

    init(graph: GraphStore, known: Int64, logger: Logger, apply: @escaping @Sendable (LoggedGroups) -> Void) {
        self.graph = graph
        self.apply = apply
        self.logger = logger
        state = Mutex(State(known: known))
    }

    /// Notes the sequence numbers of a commit of this process.
    func noteOwn(_ sequence: ClosedRange<Int64>) {
        state.withLock { state in
            if sequence.lowerBound > state.known + 1 { state.gaps.append(state.known + 1...sequence.lowerBound - 1) }
            state.known = max(state.known, sequence.upperBound)
        }
    }

    /// Runs until the task is cancelled.
    func run() async {
        while !Task.isCancelled {
            do {
                try await catchUp()
            } catch is CancellationError {
                return
            } catch {
                logger.error("change log cannot be read", metadata: ["error": "\(error)"])
            }
            try? await Task.sleep(for: .milliseconds(100))
        }
    }

    /// Returns when everything committed before the call has been applied.
    func catchUp() async throws {
        try await turn.withLock(0) { try await applyNewer() }
    }

    private func applyNewer() async throws {
        let latest = try await graph.changes.latestChange()
        let ranges = state.withLock { state in
            var ranges = state.gaps
            state.gaps = []
            if latest > state.known {
                ranges.append(state.known + 1...latest)
                state.known = latest
            }
            return ranges
        }
        for (index, range) in ranges.enumerated() {
            do {
                apply(try await graph.changes.groups(in: range))
            } catch {
                state.withLock { $0.gaps += ranges[index...] }
                throw error
            }
        }
    }
}
