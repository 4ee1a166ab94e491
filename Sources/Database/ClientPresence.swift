import Synchronization

/// Tells whether the client of the current request is still connected. Long walks check it after each of their steps,
/// so that little work is done for a client that has left. Work of one step is always finished, also for a client that
/// has only closed its sending side.
package final class ClientPresence: Sendable {
    /// The request that is being answered; nil: none, as in the background.
    @TaskLocal package static var current: ClientPresence?

    private let left = Atomic<Bool>(false)

    package init() {}

    package var hasLeft: Bool { left.load(ordering: .relaxed) }

    package func leave() { left.store(true, ordering: .relaxed) }

    /// Throws `CancellationError` if the client has left or the task is cancelled.
    package static func check() throws {
        try Task.checkCancellation()
        if current?.hasLeft == true { throw CancellationError() }
    }
}
