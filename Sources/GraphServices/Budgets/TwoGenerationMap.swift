/// A map of bounded size that evicts the least recently used entries, in constant time.
///
/// Entries are written to the young generation. When that is full it becomes the old one, and the previous old one is
/// evicted. Reading an old entry makes it young again. So the map holds between one and two capacities of the entries
/// used last.
struct TwoGenerationMap<Key: Hashable & Sendable, Value: Sendable>: Sendable {
    private let capacity: Int
    private let weigh: @Sendable (Value) -> Int
    private var young: [Key: Value] = [:]
    private var old: [Key: Value] = [:]
    private var youngWeight = 0
    private var oldWeight = 0

    /// - Parameters:
    ///   - capacity: weight of one generation, at least 1.
    ///   - weigh: the weight of an entry, at least 1; an entry weighs 1 unless given. It must not depend on anything
    ///     but the value.
    init(capacity: Int, weigh: @escaping @Sendable (Value) -> Int = { _ in 1 }) {
        precondition(capacity > 0, "a map without room cannot hold an entry")
        self.capacity = capacity
        self.weigh = weigh
    }

    /// Number of entries, at most twice the capacity.
    var count: Int { young.count + old.count }

    /// The weight of all entries; at most twice the capacity, unless a single entry weighs more than one.
    var weight: Int { youngWeight + oldWeight }

    subscript(key: Key) -> Value? {
        mutating get {
            if let value = young[key] {
                return value
            }
            guard let value = removeOld(key) else {
                return nil
            }
            insert(value, for: key)
            return value
        }
        set {
            removeValue(forKey: key)
            if let newValue { insert(newValue, for: key) }
        }
    }

    @discardableResult
    mutating func removeValue(forKey key: Key) -> Value? {
        guard let value = young.removeValue(forKey: key) else { return removeOld(key) }
        youngWeight -= weigh(value)
        return value
    }

    private mutating func removeOld(_ key: Key) -> Value? {
        guard let value = old.removeValue(forKey: key) else { return nil }
        oldWeight -= weigh(value)
        return value
    }

    /// - Precondition: there is no entry for `key`.
    private mutating func insert(_ value: Value, for key: Key) {
        let added = weigh(value)
        if youngWeight + added > capacity {
            (old, oldWeight) = (young, youngWeight)
            (young, youngWeight) = ([:], 0)
        }
        young[key] = value
        youngWeight += added
    }
}
