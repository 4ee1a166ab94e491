import RedisClient
import SocialGraph
import TestSupport

@testable import Timeline

/// Breaks a cluster, one part of a fault at a time, so that a history goes on between the parts.
actor ClusterNemesis {
    enum Fault: String, CaseIterable {
        /// A master hands over to its replica.
        case handOver
        /// A master hands over to its replica and back, and nobody says anything meanwhile.
        case handOverAndBack
        /// A master is killed and its replica promoted.
        case kill
        /// The same, but the replica lacks what was acknowledged before.
        case loseWrites
        /// A slot moves to another master, key by key.
        case move
        /// A slot moves to another master and back.
        case moveAndBack
        /// A master stands still until its replica has been promoted.
        case stall
    }

    private let servers: RedisClusterServers
    private var random: SplitMix64
    private let graph: GraphStore
    /// The pair of nodes that serves each bucket.
    private var owners: [RedisBucket: Int] = [:]
    private var rest: [@Sendable (isolated ClusterNemesis) async throws -> Void] = []
    private var wanted: [Fault] = []
    private(set) var done: [Fault: Int] = [:]

    /// - Parameter graph: the users whose windows are moved.
    init(_ servers: RedisClusterServers, seed: UInt64, graph: GraphStore) {
        self.servers = servers
        self.graph = graph
        random = SplitMix64(seed: seed)
    }

    /// Does the next part of the present fault, or the first of a new one.
    func act() async throws {
        if rest.isEmpty { try await begin() }
        if !rest.isEmpty { try await rest.removeFirst()(self) }
    }

    func makePeace() async throws {
        while !rest.isEmpty { try await rest.removeFirst()(self) }
        try await servers.waitUntilWhole()
    }

    private func begin() async throws {
        if wanted.isEmpty { wanted = Fault.allCases.shuffled(using: &random) }
        let fault = wanted.removeFirst()
        done[fault, default: 0] += 1
        try await servers.waitUntilWhole()
        let pair = Int.random(in: 0..<servers.masters, using: &random)
        switch fault {
        case .handOver: rest = [{ try await $0.handOver(pair) }]
        case .handOverAndBack:
            rest = [
                {
                    for _ in 0..<2 { try await $0.handOver(pair) }
                }
            ]
        case .kill, .loseWrites, .stall: try await end(pair, by: fault)
        case .move, .moveAndBack: try await move(isReturning: fault == .moveAndBack)
        }
    }

    /// The node of a pair that is the master, and the other.
    private func roles(_ pair: Int) async -> (master: Int, replica: Int) {
        let other = pair + servers.masters
        return await servers.isMaster(servers.nodes[pair]) ? (pair, other) : (other, pair)
    }

    private func handOver(_ pair: Int) async throws {
        let (_, replica) = await roles(pair)
        try await servers.promote(servers.nodes[replica])
        try await servers.waitUntilWhole()
    }

    private func end(_ pair: Int, by fault: Fault) async throws {
        let (master, replica) = await roles(pair)
        let (old, new) = (servers.nodes[master], servers.nodes[replica])
        if fault == .loseWrites {
            rest.append { try await $0.servers.stopReplication(of: master, by: replica) }
        }
        rest.append { _ in
            if fault == .stall { old.stall() } else { await old.kill() }
            if fault == .loseWrites { new.resume() }
        }
        rest.append { nemesis in
            let servers = nemesis.servers
            try await servers.eventually { await servers.isMaster(new) }
        }
        rest.append { nemesis in
            if fault == .stall { old.resume() } else { try old.restart() }
            try await nemesis.servers.waitUntilWhole()
        }
    }

    private func move(isReturning: Bool) async throws {
        let users = try await graph.accounts.accountIDs(above: nil, limit: 100)
        guard let user = users.randomElement(using: &random) else { return }
        let bucket = RedisBucket(WindowBucket(of: user).number)
        let source = owners[bucket] ?? bucket.slot.number * servers.masters / RedisSlot.count
        let target = (source + Int.random(in: 1..<servers.masters, using: &random)) % servers.masters
        for (from, to) in isReturning ? [(source, target), (target, source)] : [(source, target)] {
            rest.append {
                try await $0.servers.beginMoving(bucket, from: $0.roles(from).master, to: $0.roles(to).master)
            }
            rest.append { nemesis in
                let (one, other) = (await nemesis.roles(from).master, await nemesis.roles(to).master)
                try await nemesis.servers.moveSomeKeys(of: bucket, from: one, to: other)
            }
            rest.append { nemesis in
                let (one, other) = (await nemesis.roles(from).master, await nemesis.roles(to).master)
                try await nemesis.servers.endMoving(bucket, from: one, to: other)
            }
        }
        if !isReturning { owners[bucket] = target }
    }
}
