import Dispatch

/// Blocks a database closure, which runs on a thread of the driver, until the test opens it.
package final class Gate: Sendable {
    private let semaphore = DispatchSemaphore(value: 0)

    package init() {}

    package func wait() { semaphore.wait() }
    package func open() { semaphore.signal() }
}
