/// A bounded map. Two generations approximate a least-recently-used order: used values move to the young one, and when
/// that is full, the old one is discarded. (2Q without the ghost queue: Johnson & Shasha, VLDB 1994.)
struct TwoGenerations<Key: Hashable & Sendable, Value: Sendable>: Sendable {
    private var young: [Key: Value] = [:]
    private var old: [Key: Value] = [:]
    private var youngCost = 0
    private let capacity: Int
    private let cost: @Sendable (Value) -> Int

    /// - Parameter capacity: The maximum sum of `cost` in both generations together.
    init(capacity: Int, cost: @escaping @Sendable (Value) -> Int) {
        self.capacity = max(capacity / 2, 1)
        self.cost = cost
    }

    var isEmpty: Bool { young.isEmpty && old.isEmpty }

    mutating func value(for key: Key) -> Value? {
        if let value = young[key] { return value }
        guard let value = old.removeValue(forKey: key) else { return nil }
        insert(value, for: key)
        return value
    }

    /// Passes the value of `key`, if there is one, to `body`, which may change it in place.
    mutating func use<Result>(_ key: Key, _ body: (inout Value) -> Result) -> Result? {
        if let index = young.index(forKey: key) { return body(&young.values[index]) }
        guard var value = old.removeValue(forKey: key) else { return nil }
        defer { insert(value, for: key) }
        return body(&value)
    }

    mutating func insert(_ value: Value, for key: Key) {
        if let previous = young.updateValue(value, forKey: key) { youngCost -= cost(previous) }
        old[key] = nil
        youngCost += cost(value)
        guard youngCost > capacity else { return }
        old = young
        young = [:]
        youngCost = 0
    }

    /// Changes the value of `key` in place, if there is one. That is no use of it.
    mutating func update(_ key: Key, _ change: (inout Value) -> Void) {
        if let index = young.index(forKey: key) {
            change(&young.values[index])
        } else if let index = old.index(forKey: key) {
            change(&old.values[index])
        }
    }

    mutating func remove(_ key: Key) {
        if let value = young.removeValue(forKey: key) { youngCost -= cost(value) }
        old[key] = nil
    }

    mutating func removeAll() {
        young = [:]
        old = [:]
        youngCost = 0
    }
}
