import Database
import SocialGraph
import Synchronization

/// The neighbours of posts as they were worked out last. They are worked out anew in the background; without them, or
/// with old ones, recommendations are poorer, and no less right.
package final class NeighbourIndex: Sendable {
    /// Acts of each kind that neighbours of posts are learned from, the latest.
    static let learnedActs = 1_000_000
    /// Acts that are read at a time.
    static let actsAtOnce = 10_000

    private struct State {
        var neighbours = ItemNeighbours.none
        /// Grows with every refresh.
        var generation = 0
        /// The last change that was seen when it was made.
        var madeAt: Int64?
    }

    private let graph: GraphStore
    private let state = Mutex(State())

    package init(graph: GraphStore) { self.graph = graph }

    var current: (neighbours: ItemNeighbours, generation: Int) {
        state.withLock { ($0.neighbours, $0.generation) }
    }

    package typealias Work = @Sendable () throws -> ItemNeighbours

    /// Works the neighbours out anew if anything has changed since the last time, and tells whether it had to. `run`
    /// does the work, which blocks for as long as it takes: for a million interactions some seconds. Acts are read some
    /// thousand at a time, so that no snapshot of the database is held for long.
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

    /// The latest of each kind of act, in no order.
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
