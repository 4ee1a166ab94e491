/// A map of bounded size that forgets what has not been used for longest, in constant time.
///
/// Entries are written to the young generation. When that is full it becomes the old one, and the old one is forgotten.
/// Reading an old entry makes it young again. So it holds between one and two capacities of the entries used last.
struct TwoGenerationMap<Key: Hashable & Sendable, Value: Sendable>: Sendable {
    private let capacity: Int
    private var young: [Key: Value] = [:]
    private var old: [Key: Value] = [:]

    /// - Parameter capacity: entries of one generation, at least 1.
    init(capacity: Int) {
        precondition(capacity > 0, "a map without room cannot hold an entry")
        self.capacity = capacity
    }

    /// How many entries it holds, at most twice the capacity.
    var count: Int { young.count + old.count }

    subscript(key: Key) -> Value? {
        mutating get {
            if let value = young[key] {
                return value
            }
            guard let value = old.removeValue(forKey: key) else {
                return nil
            }
            insert(value, for: key)
            return value
        }
        set {
            old[key] = nil
            guard let newValue else {
                young[key] = nil
                return
            }
            insert(newValue, for: key)
        }
    }

    private mutating func insert(_ value: Value, for key: Key) {
        if young.count >= capacity, young[key] == nil {
            old = young
            young = [:]
        }
        young[key] = value
    }
}
