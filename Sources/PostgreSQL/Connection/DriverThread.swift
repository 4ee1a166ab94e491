import Foundation

/// A thread of the driver, because calls of libpq block: they must not run on the cooperative pool.
enum DriverThread {
    /// Runs `body` on a new thread.
    ///
    /// - Parameter name: seen in `top -H` and debuggers, which show its first 15 bytes.
    static func start(_ name: String, _ body: @escaping @Sendable () -> Void) {
        let thread = Thread(block: body)
        thread.name = name
        // As large as the main thread's: bodies of transactions call deep into the stores.
        thread.stackSize = 8 << 20
        thread.start()
    }
}
