import RedisClient

/// Changes of roles and slots, as an operator or the cluster itself makes them.
extension RedisClusterServers {
    /// Returns true if the node is a master, as it sees itself.
    package nonisolated func isMaster(
        _ node: Node, within limit: Duration = RedisClusterServers.patience
    ) async -> Bool {
        (try? await ask(node, "INFO", ["replication"], within: limit))?.contains("role:master") == true
    }

    /// Makes a replica the master of its slots, with its master's help. Returns once it sees itself as a master: others
    /// may not know yet, its former master among them; see ``waitUntilWhole()``.
    package nonisolated func promote(_ replica: Node) async throws {
        try await eventually {
            // An order ends after 5 s in Redis. A further one before that begins the election anew, in which the
            // masters have already voted.
            if await self.isMaster(replica) { return true }
            guard (try? await self.ask(replica, "CLUSTER", ["FAILOVER"])) != nil else { return false }
            for _ in 0..<250 {
                // Not for synchronisation: the pause between two polls.
                try? await Task.sleep(for: .milliseconds(20))
                if await self.isMaster(replica) { return true }
            }
            return false
        }
    }

    /// Makes a replica deaf, so that it will be promoted without what its master acknowledges from now on.
    package nonisolated func stopReplication(of master: Int, by replica: Int) async throws {
        try await eventually { (try? await self.ask(self.nodes[master], "WAIT", ["1", "0"])) == "1" }
        // Without the second step the replica would read from its socket what the master had sent meanwhile.
        nodes[replica].stall()
        _ = try await ask(nodes[master], "CLIENT", ["KILL", "TYPE", "replica"])
    }

    /// Begins to move the slot of a bucket from one node to another.
    package nonisolated func beginMoving(_ bucket: RedisBucket, from source: Int, to target: Int) async throws {
        let slot = "\(bucket.slot.number)"
        try await order(nodes[target], "CLUSTER", ["SETSLOT", slot, "IMPORTING", nodes[source].id])
        try await order(nodes[source], "CLUSTER", ["SETSLOT", slot, "MIGRATING", nodes[target].id])
    }

    /// Moves keys, each with its expiry.
    package nonisolated func moveKeys(_ keys: [String], from source: Int, to target: Int) async throws {
        guard !keys.isEmpty else { return }
        let target = ["127.0.0.1", "\(nodes[target].port)", "", "0", "60000"]
        let login = password.map { ["AUTH", $0] } ?? []
        try await order(nodes[source], "MIGRATE", target + login + ["KEYS"] + keys)
    }

    /// Moves up to three keys of the slot.
    package nonisolated func moveSomeKeys(of bucket: RedisBucket, from source: Int, to target: Int) async throws {
        try await moveKeys(Array(keys(in: bucket, of: nodes[source]).prefix(3)), from: source, to: target)
    }

    /// Moves all keys of the slot that are left, and then the slot.
    package nonisolated func endMoving(_ bucket: RedisBucket, from source: Int, to target: Int) async throws {
        let (slot, owner) = ("\(bucket.slot.number)", nodes[target].id)
        while true {
            let keys = try await keys(in: bucket, of: nodes[source])
            if keys.isEmpty { break }
            try await moveKeys(keys, from: source, to: target)
        }
        try await order(nodes[target], "CLUSTER", ["SETSLOT", slot, "NODE", owner])
        try await order(nodes[source], "CLUSTER", ["SETSLOT", slot, "NODE", owner])
    }

    /// Removes all keys of the masters that answer.
    package nonisolated func flush() async throws {
        // One of them may be stalled.
        for node in nodes where await isMaster(node, within: .seconds(2)) { try? await order(node, "FLUSHALL", []) }
    }

    /// Returns once all nodes agree that every slot is served and that each pair has a replica in step.
    package nonisolated func waitUntilWhole() async throws {
        for node in nodes {
            try await eventually {
                let state = try? await self.ask(node, "CLUSTER", ["INFO"])
                let link = try? await self.ask(node, "INFO", ["replication"])
                return state?.contains("cluster_state:ok") == true
                    && (link?.contains("state=online") == true || link?.contains("link_status:up") == true)
            }
        }
    }

    private nonisolated func keys(in bucket: RedisBucket, of node: Node) async throws -> [String] {
        try await RedisProbe.ask(
            configuration(of: node),
            [RedisCommand("CLUSTER", ["GETKEYSINSLOT", "\(bucket.slot.number)", "100"])]
        ) { replies in
            try replies.throwIfAnyError()
            return try (0..<replies[0].count).map { try replies[0][$0].text }
        }
    }
}

/// Runs a cluster client around `body`, and waits for the end of its threads.
package func withCluster<R: Sendable>(
    _ configuration: RedisClusterConfiguration,
    onHandshake: @escaping @Sendable (RedisHandshake) async throws -> Void = { _ in },
    _ body: @Sendable (RedisCluster) async throws -> R
) async throws -> R {
    let cluster = try RedisCluster(
        configuration: configuration, name: "test", logger: .silent, onHandshake: onHandshake)
    return try await withThrowingTaskGroup(of: Void.self) { group in
        group.addTask { await cluster.run() }
        defer { cluster.close() }
        return try await body(cluster)
    }
}
