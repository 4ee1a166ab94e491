import Dispatch

/// Blocks a database closure, which runs on a thread of the driver, until the test opens it.
package final class Gate: Sendable {
    private let semaphore = DispatchSemaphore(value: 0)

    package init() {}

    /// An open gate stays open: a closure of a transaction may run twice.
    package func wait() {
        semaphore.wait()
        semaphore.signal()
    }

    package func open() { semaphore.signal() }
}
