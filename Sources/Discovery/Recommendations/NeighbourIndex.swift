import Database
import SocialGraph
import Synchronization

/// The latest computed neighbours of posts, refreshed in the background. Missing or old neighbours make recommendations
/// poorer but never wrong.
package final class NeighbourIndex: Sendable {
    /// Number of latest acts of each kind that the neighbours of posts are learned from.
    static let learnedActs = 1_000_000
    /// Number of acts per read.
    static let actsAtOnce = 10_000

    private struct State {
        var neighbours = ItemNeighbours.none
        /// Number of refreshes.
        var generation = 0
        /// The last change seen by the latest refresh.
        var madeAt: Int64?
    }

    private let graph: GraphStore
    private let state = Mutex(State())

    package init(graph: GraphStore) { self.graph = graph }

    var current: (neighbours: ItemNeighbours, generation: Int) {
        state.withLock { ($0.neighbours, $0.generation) }
    }

    package typealias Work = @Sendable () throws -> ItemNeighbours

    /// Recomputes the neighbours if anything has changed since the last time; returns whether it had to. `run` performs
    /// the work, which blocks throughout: some seconds for a million interactions. Acts are read some thousand at a
    /// time, so no database snapshot is held for long.
    @discardableResult
    package func refresh(
        on run: @Sendable (@escaping Work) async throws -> ItemNeighbours = { try $0() }
    ) async throws -> Bool {
        let latest = try await graph.changes.latestChange()
        if state.withLock({ $0.madeAt }) == latest { return false }
        let interactions = try await interactions()
        let neighbours = try await run { ItemNeighbours(interactions) }
        state.withLock { state in
            state = State(neighbours: neighbours, generation: state.generation + 1, madeAt: latest)
        }
        return true
    }

    /// Returns the latest acts of each kind, in no particular order.
    private func interactions() async throws -> [Interaction] {
        var found: [Interaction] = []
        for kind in TasteAct.Kind.allCases {
            var cursor = IDSequence.maximum
            var left = Self.learnedActs
            while left > 0 {
                let count = min(left, Self.actsAtOnce)
                let acts = try await graph.recommendations.tasteActs(kind, below: cursor, limit: count)
                found += acts.compactMap(Interaction.init)
                guard acts.count == count, let last = acts.last else { break }
                cursor = last.id
                left -= count
            }
        }
        return found
    }
}
