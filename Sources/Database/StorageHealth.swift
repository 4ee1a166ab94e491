import Synchronization

/// The state of the database file and its disk, as found by the statements that ran.
package final class StorageHealth: Sendable {
    private struct State {
        var corruption: String?
        var isFull = false
    }

    private let state = Mutex(State())

    package init() {}

    /// The engine's message about a damaged page, from the first statement or check that met one; nil: none is known.
    /// It stays until the process ends, because only another file repairs the damage.
    package var corruption: String? { state.withLock { $0.corruption } }

    /// True if the last write found no room, and none has been committed since.
    package var isFull: Bool { state.withLock { $0.isFull } }

    package func noteCorruption(_ detail: String) {
        state.withLock { state in
            if state.corruption == nil { state.corruption = detail }
        }
    }

    package func noteFull() { state.withLock { $0.isFull = true } }

    package func noteCommit() {
        state.withLock { state in
            if state.isFull { state.isFull = false }
        }
    }
}
