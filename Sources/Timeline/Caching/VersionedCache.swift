import Synchronization

/// A bounded map of values read from a source of truth that never keeps a value older than an invalidation.
///
/// After a miss, the caller takes a ``Load``, reads the truth, and passes the value in with the load. If the key was
/// invalidated in between, the value is not kept.
package final class VersionedCache<Key: Hashable & Sendable, Value: Sendable>: Sendable {
    /// The right to store a value that is read from now on.
    package struct Load: Sendable { fileprivate let versions: UInt64 }

    private struct State {
        var values: TwoGenerations<Key, Value>
        /// The number of invalidations so far, the latest one in each of a fixed number of stripes of keys, and the
        /// latest one of the whole cache.
        var clock: UInt64 = 0
        var stripes: [UInt64] = Array(repeating: 0, count: VersionedCache.stripeCount)
        var everything: UInt64 = 0
    }

    private static var stripeCount: Int { 1_024 }
    private let state: Mutex<State>

    /// - Parameter capacity: The maximum sum of `cost` of all values.
    package init(capacity: Int, cost: @escaping @Sendable (Value) -> Int = { _ in 1 }) {
        state = Mutex(State(values: TwoGenerations(capacity: capacity, cost: cost)))
    }

    package func value(for key: Key) -> Value? { state.withLock { $0.values.value(for: key) } }

    /// The values of `keys`, nil where missing, under one lock.
    package func values(for keys: [Key]) -> [Value?] {
        state.withLock { state in keys.map { state.values.value(for: $0) } }
    }

    /// Passes a look-up of single values to `body`, under one lock for all of them.
    package func withValues<Result>(_ body: (_ value: (Key) -> Value?) -> Result) -> Result {
        state.withLock { state in body { state.values.value(for: $0) } }
    }

    package func beginLoad() -> Load { state.withLock { Load(versions: $0.clock) } }

    package func finish(_ load: Load, _ key: Key, _ value: Value) {
        state.withLock { state in
            let stripe = state.stripes[Self.stripe(of: key)]
            guard stripe <= load.versions, state.everything <= load.versions else { return }
            state.values.insert(value, for: key)
        }
    }

    package func invalidate(_ key: Key) {
        state.withLock { state in
            state.clock += 1
            state.stripes[Self.stripe(of: key)] = state.clock
            state.values.remove(key)
        }
    }

    package func invalidateAll() {
        state.withLock { state in
            state.clock += 1
            state.everything = state.clock
            state.values.removeAll()
        }
    }

    private static func stripe(of key: Key) -> Int { Int(UInt(bitPattern: key.hashValue) % UInt(stripeCount)) }
}
