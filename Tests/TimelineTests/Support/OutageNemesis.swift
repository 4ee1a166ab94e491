import TestSupport

/// Outages of the database of several nodes, and of single lines between nodes and servers.
actor OutageNemesis {
    enum Outage: CaseIterable {
        /// The database is killed and started again.
        case restart
        /// The database stands still for a moment.
        case freeze
        /// All connections of one node end.
        case cut
        /// Nothing passes for a moment between one node and the database.
        case holdDatabase
        /// Nothing passes for a moment between one node and Redis. Others answer meanwhile. Lines to a cluster pass
        /// everything: it has faults of its own.
        case holdRedis
        /// Nothing passes from one node to any server until its leases have ended, and then what it had sent.
        case part
    }

    private let server: PostgreSQLServer
    private let lines: [NodeLines]
    private var random: SplitMix64
    private var wanted: [Outage] = []
    private(set) var done: [Outage: Int] = [:]
    /// The end of an outage during which the history goes on.
    private var peace: Task<Void, Never>?

    init(_ server: PostgreSQLServer, _ lines: [NodeLines], seed: UInt64) {
        (self.server, self.lines) = (server, lines)
        random = SplitMix64(seed: seed)
    }

    func strike() async throws {
        await makePeace()
        if wanted.isEmpty { wanted = Outage.allCases.shuffled(using: &random) }
        let outage = wanted.removeFirst()
        done[outage, default: 0] += 1
        let node = lines[Int.random(in: 0..<lines.count, using: &random)]
        switch outage {
        case .restart: try await server.restart()
        case .freeze:
            await server.freeze()
            // Not for synchronisation: the time without an answer.
            try await Task.sleep(for: .milliseconds(300))
            await server.thaw()
        case .cut: for line in node.redis + [node.database] { line.cut() }
        case .holdDatabase: hold([node.database], for: .milliseconds(300))
        case .holdRedis: hold(node.redis, for: .milliseconds(800))
        case .part: hold(node.redis + [node.database], for: .seconds(7))
        }
    }

    /// Returns once every line passes everything.
    func makePeace() async {
        await peace?.value
        peace = nil
    }

    private func hold(_ held: [SocketLine], for time: Duration) {
        for line in held { line.setHeld(true) }
        peace = Task {
            // Not for synchronisation: the time in which nothing passes.
            try? await Task.sleep(for: time)
            for line in held { line.setHeld(false) }
        }
    }
}
