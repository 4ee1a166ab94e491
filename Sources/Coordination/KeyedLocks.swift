import DequeModule
import Synchronization

/// Mutual exclusion for each key, in order of arrival.
package final class KeyedLocks<Key: Hashable & Sendable>: Sendable {
    /// The waiters for each key. An entry is present while the key is locked.
    private let queues = Mutex<[Key: Deque<CheckedContinuation<Void, Never>>]>([:])

    package init() {}

    package func withLock<T: Sendable>(_ key: Key, _ body: () async throws -> T) async rethrows -> T {
        await lock(key)
        defer { unlock(key) }
        return try await body()
    }

    /// Holds all of `keys`, which are distinct and in an order common to all callers that lock several.
    package func withLocks<T: Sendable>(_ keys: [Key], _ body: () async throws -> T) async rethrows -> T {
        for key in keys { await lock(key) }
        defer { for key in keys { unlock(key) } }
        return try await body()
    }

    private func lock(_ key: Key) async {
        await withCheckedContinuation { continuation in
            let isFree = queues.withLock { queues in
                if queues[key] != nil {
                    queues[key]?.append(continuation)
                    return false
                }
                queues[key] = []
                return true
            }
            if isFree { continuation.resume() }
        }
    }

    private func unlock(_ key: Key) {
        let next = queues.withLock { queues -> CheckedContinuation<Void, Never>? in
            if let next = queues[key]?.popFirst() { return next }
            queues[key] = nil
            return nil
        }
        next?.resume()
    }
}
