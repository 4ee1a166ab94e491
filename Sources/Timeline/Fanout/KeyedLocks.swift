import DequeModule
import SocialGraph
import Synchronization

/// One holder at a time for each key, in order of arrival.
final class KeyedLocks<Key: Hashable & Sendable>: Sendable {
    /// Present while locked; the value queues those who wait.
    private let queues = Mutex<[Key: Deque<CheckedContinuation<Void, Never>>]>([:])

    func withLock<T: Sendable>(_ key: Key, _ body: () async throws -> T) async rethrows -> T {
        await lock(key)
        defer { unlock(key) }
        return try await body()
    }

    /// Holds all of `keys`, which are distinct and in an order that all who ask for several keep to.
    func withLocks<T: Sendable>(_ keys: [Key], _ body: () async throws -> T) async rethrows -> T {
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

/// One builder a window: builds of one reader's window happen one after the other.
typealias ViewerLocks = KeyedLocks<UserID>
