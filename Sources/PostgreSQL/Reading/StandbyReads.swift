import Database
import Synchronization

/// Reads from a standby while the primary is away, for a server whose operator prefers old pages to none.
///
/// A snapshot, of whatever server, is used only if it holds everything that this process knows of, since its caches
/// do: a server that calls itself the primary may be a former one.
package final class StandbyReads: Sendable {
    private struct State {
        var known: @Sendable () -> Int64? = { nil }
        var committed: Int64 = 0
    }

    private let state = Mutex(State())

    package init() {}

    /// - Parameter known: the place in the change log up to which this process knows the commits of others; nil while
    ///   only the primary may be read.
    package func allow(_ known: @escaping @Sendable () -> Int64?) { state.withLock { $0.known = known } }

    func note(_ group: CommittedGroup) {
        guard let sequence = group.sequence else { return }
        state.withLock { $0.committed = max($0.committed, sequence.upperBound) }
    }

    /// The place in the change log that a snapshot must have; nil while only the primary may be read.
    var required: Int64? {
        let state = state.withLock(\.self)
        return state.known().map { max($0, state.committed) }
    }
}
