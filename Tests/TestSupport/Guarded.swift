import Synchronization

/// A value that the tasks of a test share.
package final class Guarded<Value: Sendable>: Sendable {
    private let mutex: Mutex<Value>

    package init(_ value: Value) { mutex = Mutex(value) }

    package func withLock<R: Sendable>(_ body: (inout Value) -> R) -> R {
        mutex.withLock { value in
            let result = body(&value)
            return result
        }
    }
}

extension Bool {
    /// Returns true the first time only.
    package mutating func take() -> Bool {
        defer { self = false }
        return self
    }
}

extension Int {
    /// Returns true as many times as the number says.
    package mutating func countDown() -> Bool {
        self -= 1
        return self >= 0
    }
}
