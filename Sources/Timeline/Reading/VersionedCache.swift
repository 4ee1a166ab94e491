import Synchronization

/// A bounded map of values read from a source of truth that never keeps a value older than an invalidation.
///
/// After a miss, the caller takes a ``Load``, reads the truth, and passes the value in with the load. If the key was
/// invalidated in between, the value is not kept. Two generations approximate a least-recently-used order: used values
/// move to the young one, and when that is full, the old one is discarded. (2Q without the ghost queue: Johnson &
/// Shasha, VLDB 1994.)
package final class VersionedCache<Key: Hashable & Sendable, Value: Sendable>: Sendable {
    /// The right to store a value that is read from now on.
    package struct Load: Sendable { fileprivate let versions: UInt64 }

    private static var stripeCount: Int { 1_024 }
    private let state: Mutex<TwoGenerations<Key, Value>>
    private let capacity: Int
    private let cost: @Sendable (Value) -> Int

    /// - Parameter capacity: The maximum sum of `cost` in both generations together.
    package init(capacity: Int, cost: @escaping @Sendable (Value) -> Int = { _ in 1 }) {
        self.capacity = max(capacity / 2, 1)
        self.cost = cost
        state = Mutex(TwoGenerations(stripes: Array(repeating: 0, count: Self.stripeCount)))
    }

    package func value(for key: Key) -> Value? {
        state.withLock { $0.value(for: key, cost, capacity) }
    }

    /// The values of `keys`, nil where missing, under one lock.
    package func values(for keys: [Key]) -> [Value?] {
        state.withLock { state in keys.map { state.value(for: $0, cost, capacity) } }
    }

    /// Passes a look-up of single values to `body`, under one lock for all of them.
    package func withValues<Result>(_ body: (_ value: (Key) -> Value?) -> Result) -> Result {
        state.withLock { state in body { state.value(for: $0, cost, capacity) } }
    }

    package func beginLoad() -> Load { state.withLock { Load(versions: $0.clock) } }

    package func finish(_ load: Load, _ key: Key, _ value: Value) {
        state.withLock { state in
            let stripe = state.stripes[Self.stripe(of: key)]
            guard stripe <= load.versions, state.everything <= load.versions else { return }
            state.insert(value, for: key, cost, capacity)
        }
    }

    package func invalidate(_ key: Key) {
        state.withLock { state in
            state.clock += 1
            state.stripes[Self.stripe(of: key)] = state.clock
            if let value = state.young.removeValue(forKey: key) { state.youngCost -= cost(value) }
            state.old[key] = nil
        }
    }

    package func invalidateAll() {
        state.withLock { state in
            state.clock += 1
            state.everything = state.clock
            state.young = [:]
            state.old = [:]
            state.youngCost = 0
        }
    }

    private static func stripe(of key: Key) -> Int { Int(UInt(bitPattern: key.hashValue) % UInt(stripeCount)) }
}

private struct TwoGenerations<Key: Hashable & Sendable, Value: Sendable> {
    var young: [Key: Value] = [:]
    var old: [Key: Value] = [:]
    var youngCost = 0
    /// The number of invalidations so far, the latest one in each of a fixed number of stripes of keys, and the latest
    /// one of the whole cache.
    var clock: UInt64 = 0
    var stripes: [UInt64]
    var everything: UInt64 = 0

    init(stripes: [UInt64]) { self.stripes = stripes }

    mutating func value(for key: Key, _ cost: (Value) -> Int, _ capacity: Int) -> Value? {
        if let value = young[key] { return value }
        guard let value = old.removeValue(forKey: key) else { return nil }
        insert(value, for: key, cost, capacity)
        return value
    }

    mutating func insert(_ value: Value, for key: Key, _ cost: (Value) -> Int, _ capacity: Int) {
        if let previous = young.updateValue(value, forKey: key) { youngCost -= cost(previous) }
        old[key] = nil
        youngCost += cost(value)
        guard youngCost > capacity else { return }
        old = young
        young = [:]
        youngCost = 0
    }
}
