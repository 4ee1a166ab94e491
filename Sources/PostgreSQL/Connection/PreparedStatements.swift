/// The prepared statements of one connection, found by their text and the types of their parameters. Bounded: the one
/// that has been unused for longest makes room for the next.
struct PreparedStatements {
    /// Statements on one connection; the graph has about 700.
    static let most = 1_024

    struct Key: Hashable {
        let sql: String
        let types: [ParameterType]
    }

    struct Use {
        let name: String
        /// True if the statement must be prepared first.
        let isNew: Bool
        /// Name of a statement that makes room.
        let evicted: String?
    }

    private var entries: [Key: (name: String, lastUse: UInt64)] = [:]
    private var uses: UInt64 = 0
    private let capacity: Int

    init(capacity: Int = most) { self.capacity = capacity }

    var count: Int { entries.count }

    mutating func use(_ key: Key) -> Use {
        uses += 1
        if let name = entries[key]?.name {
            entries[key]?.lastUse = uses
            return Use(name: name, isNew: false, evicted: nil)
        }
        let evicted = entries.count < capacity ? nil : evictOldest()
        let name = "s\(uses)"
        entries[key] = (name, uses)
        return Use(name: name, isNew: true, evicted: evicted)
    }

    /// Removes a statement that the server has not prepared after all.
    mutating func forget(_ key: Key) { entries[key] = nil }

    private mutating func evictOldest() -> String? {
        guard let oldest = entries.min(by: { $0.value.lastUse < $1.value.lastUse }) else { return nil }
        entries[oldest.key] = nil
        return oldest.value.name
    }
}
