import Database

/// The other nodes, judged by looks at their heartbeats and the time since boot.
struct Neighbours {
    private let own: Int64
    private var watches: [Int64: LeaseWatch] = [:]
    private(set) var living: [ServingNode] = []
    /// The names of the leases of each of ``living``, apart from heartbeats.
    private(set) var duties: [[String]] = []

    init(of own: Int64) { self.own = own }

    /// Returns the nodes that have come and gone since the last look.
    ///
    /// - Parameter now: the time after the look, in milliseconds since boot.
    mutating func update(
        _ records: [NodeRecord], at now: Int64
    ) -> (came: [ServingNode], went: [ServingNode]) {
        let others = records.filter { $0.node.id != own }
        let alive = others.filter { isAlive($0, at: now) }
        let next = alive.map(\.node)
        duties = alive.map(\.duties)
        watches = watches.filter { id, _ in others.contains { $0.node.id == id } }
        defer { living = next }
        return (
            next.filter { node in !living.contains { $0.id == node.id } },
            living.filter { node in !next.contains { $0.id == node.id } }
        )
    }

    private mutating func isAlive(_ record: NodeRecord, at now: Int64) -> Bool {
        let terms = LeaseTerms.heartbeat(isShared: record.node.isShared)
        return !watches[record.node.id, default: LeaseWatch()]
            .isFree(record.heartbeat, for: nil, length: terms.length, at: now)
    }
}
