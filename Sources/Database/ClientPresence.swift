import Synchronization

/// Whether whoever asked is still there to be answered. Long walks ask after each of their steps, so that little is
/// worked out for somebody who has left; what takes one step is answered, also to a client that has closed its side
/// only.
package final class ClientPresence: Sendable {
    /// The request that is being answered; nil: none, as in the background.
    @TaskLocal package static var current: ClientPresence?

    private let left = Atomic<Bool>(false)

    package init() {}

    package var hasLeft: Bool { left.load(ordering: .relaxed) }

    package func leave() { left.store(true, ordering: .relaxed) }

    /// Throws `CancellationError` where the client has left or the task is cancelled.
    package static func check() throws {
        try Task.checkCancellation()
        if current?.hasLeft == true { throw CancellationError() }
    }
}
