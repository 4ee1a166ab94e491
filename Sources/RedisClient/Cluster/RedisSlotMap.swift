/// The masters of all slots, as one node knew them at one time. Immutable; a newer map replaces it as a whole.
struct RedisSlotMap: Sendable, Equatable {
    typealias Endpoint = RedisConfiguration.Endpoint

    /// `CLUSTER SLOTS` has at most one entry for each slot.
    private static let longest = RedisSlot.count

    let masters: [Endpoint]
    /// The index of each slot's master among ``masters``; -1: nobody serves it.
    private let owners: [Int16]
    /// The newest epoch that the node had heard of.
    let epoch: UInt64
    /// False if the node takes no commands, because it is in a minority or slots are not covered.
    let isHealthy: Bool

    static let questions = [RedisCommand("CLUSTER", ["SLOTS"]), RedisCommand("CLUSTER", ["INFO"])]

    subscript(slot: RedisSlot) -> Endpoint? {
        let owner = owners[slot.number]
        return owner < 0 ? nil : masters[Int(owner)]
    }

    /// Reads the answers to ``questions`` of the node at `source`.
    ///
    /// Throws `.unexpectedReply` for a map that contradicts itself, and `.server` if the node answered with an error.
    init(_ replies: RedisReplies, from source: Endpoint) throws {
        let info = RedisInfo(try replies[1].text)
        guard let epoch = info["cluster_current_epoch"].flatMap(UInt64.init) else {
            throw RedisError.unexpected("an epoch in CLUSTER INFO")
        }
        self.epoch = epoch
        isHealthy = info["cluster_state"] == "ok"
        let entries = replies[0]
        guard try entries.count <= Self.longest else { throw RedisError.unexpected("at most 16,384 runs of slots") }
        var masters: [Endpoint] = []
        var places: [Endpoint: Int16] = [:]
        var owners = [Int16](repeating: -1, count: RedisSlot.count)
        for index in 0..<(try entries.count) {
            let (slots, master) = try Self.run(try entries[index], from: source)
            let place = places[master] ?? Int16(masters.count)
            if places.updateValue(place, forKey: master) == nil { masters.append(master) }
            for slot in slots {
                guard owners[slot] < 0 else { throw RedisError.unexpected("slots with one master each") }
                owners[slot] = place
            }
        }
        self.masters = masters
        self.owners = owners
    }

    /// Reads first slot, last slot and master; replicas and everything behind them are left out.
    private static func run(_ entry: RedisReplyView, from source: Endpoint) throws -> (ClosedRange<Int>, Endpoint) {
        let (first, last) = (try entry[0].integer, try entry[1].integer)
        guard first >= 0, first <= last, last < RedisSlot.count else { throw RedisError.unexpected("a run of slots") }
        let node = try entry[2]
        let host = try node[0].isNull ? "" : node[0].text
        guard let port = Int(exactly: try node[1].integer), let master = Endpoint(host: host, port: port, from: source)
        else { throw RedisError.unexpected("the address of a master") }
        return (Int(first)...Int(last), master)
    }
}

extension RedisConfiguration.Endpoint {
    /// The address of a node as another node tells it: an empty host means that node's own.
    fileprivate init?(host: String, port: Int, from source: RedisConfiguration.Endpoint) {
        guard (1...65_535).contains(port), host != "?", !host.utf8.contains(0) else { return nil }
        if host.isEmpty {
            guard case .tcp(let own, _) = source else { return nil }
            self = .tcp(host: own, port: port)
        } else {
            self = .tcp(host: host, port: port)
        }
    }
}
