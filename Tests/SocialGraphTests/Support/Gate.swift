import Dispatch

/// Keeps a database closure, which runs on a thread of the driver's own, until the test opens it.
final class Gate: Sendable {
    private let semaphore = DispatchSemaphore(value: 0)

    func wait() { semaphore.wait() }
    func open() { semaphore.signal() }
}
