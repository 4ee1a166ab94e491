import Foundation

/// A thread for blocking work of a command. On a thread of Swift's pool it would stop other tasks.
package enum BlockingThread {
    package static func run<Value: Sendable>(_ body: @escaping @Sendable () throws -> Value) async throws -> Value {
        try await withCheckedThrowingContinuation { continuation in
            let thread = Thread { continuation.resume(with: Result { try body() }) }
            thread.name = "graphd.command"
            thread.start()
        }
    }
}
