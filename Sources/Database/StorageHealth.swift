import Synchronization

/// The state of the database file and its disk, as the statements that ran have found it.
package final class StorageHealth: Sendable {
    private struct State {
        var corruption: String?
        var isFull = false
    }

    private let state = Mutex(State())

    package init() {}

    /// The engine's words on a damaged page, from the first statement or check that met one; nil: none is known. A
    /// process that has met one says so until it ends, as only another file makes it good.
    package var corruption: String? { state.withLock { $0.corruption } }

    /// The last write found no room, and none has been committed since.
    package var isFull: Bool { state.withLock { $0.isFull } }

    func noteCorruption(_ detail: String) {
        state.withLock { state in
            if state.corruption == nil { state.corruption = detail }
        }
    }

    func noteFull() { state.withLock { $0.isFull = true } }

    func noteCommit() {
        state.withLock { state in
            if state.isFull { state.isFull = false }
        }
    }
}
