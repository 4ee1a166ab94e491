import Foundation
import Processes
import RedisClient
import Synchronization

/// A temporary Redis Cluster of one test: masters that share the slots evenly, each with one replica.
package actor RedisClusterServers {
    /// A node by its place: masters come first, in the order of their slots, then their replicas in the same order.
    package final class Node: Sendable {
        package let port: Int
        package let id: String
        private let launch: Launch
        private let process: Mutex<ChildProcess>

        fileprivate init(port: Int, id: String, launch: Launch, process: ChildProcess) {
            self.port = port
            self.id = id
            self.launch = launch
            self.process = Mutex(process)
        }

        package var endpoint: RedisConfiguration.Endpoint { .tcp(host: "127.0.0.1", port: port) }
        /// Sends SIGSTOP: the kernel still accepts connections and bytes, but nothing answers.
        package func stall() { process.withLock { $0.signal(SIGSTOP) } }
        package func resume() { process.withLock { $0.signal(SIGCONT) } }
        package func kill() async {
            let process = process.withLock(\.self)
            process.signal(SIGKILL)
            _ = await process.wait()
        }

        /// Starts the node again after ``kill()``, with what it knew of the cluster and without data.
        package func restart() throws {
            let started = try ChildProcess(launch, endsWithParent: true)
            process.withLock { $0 = started }
        }
    }

    package nonisolated let nodes: [Node]
    package nonisolated let masters: Int
    private nonisolated let directory: String
    nonisolated let password: String?
    /// The time that a node which is not stalled may take to answer.
    package static let patience = Duration.seconds(60)

    /// Runs `body` with a cluster that accepts commands and whose replicas are in step.
    ///
    /// - Parameter nodeTimeout: the silence after which a node is held to have failed, once the cluster has formed. A
    ///   test that does not wait for the cluster to notice that gives one that no node reaches on a busy machine.
    package static func with<R: Sendable>(
        masters: Int = 3, password: String? = nil, nodeTimeout: Duration = .seconds(3), arguments: [String] = [],
        _ body: @Sendable (RedisClusterServers) async throws -> R
    ) async throws -> R {
        let timeout = (name: "cluster-node-timeout", value: "\(nodeTimeout.components.seconds * 1_000)")
        let servers = try await RedisClusterServers(
            masters: masters, password: password, arguments: ["--" + timeout.name, timeout.value] + arguments)
        do {
            try await servers.form()
            for node in servers.nodes {
                try await servers.order(node, "CONFIG", ["SET", timeout.name, timeout.value])
            }
            let result = try await body(servers)
            await servers.remove()
            return result
        } catch {
            await servers.remove()
            throw error
        }
    }

    private init(masters: Int, password: String?, arguments: [String]) async throws {
        self.masters = masters
        self.password = password
        // In memory: a node flushes its view of the cluster to disk at each change, and answers nobody meanwhile.
        directory = try PostgreSQLServer.makeDirectory("cluster")
        var nodes: [Node] = []
        for number in 0..<masters * 2 {
            let (port, bus) = (try LocalSocket.freePort(), try LocalSocket.freePort())
            let own = directory + "/\(number)"
            try FileManager.default.createDirectory(atPath: own, withIntermediateDirectories: true)
            let launch = Launch(
                "/usr/bin/redis-server",
                [
                    "--port", "\(port)", "--bind", "127.0.0.1", "--cluster-enabled", "yes", "--cluster-port", "\(bus)",
                    "--cluster-replica-validity-factor", "0", "--save", "", "--appendonly", "no", "--dir", own,
                    "--logfile", own + "/log", "--repl-diskless-sync-delay", "0",
                ] + (password.map { ["--requirepass", $0, "--masterauth", $0] } ?? []) + arguments)
            var forming = launch
            forming.arguments += ["--cluster-node-timeout", "60000"]
            let process = try ChildProcess(forming, endsWithParent: true)
            var configuration = RedisConfiguration(endpoint: .tcp(host: "127.0.0.1", port: port))
            configuration.password = password
            (configuration.connectTimeout, configuration.commandTimeout) = (Self.patience, Self.patience)
            let id = try await Self.eventually(within: .seconds(300)) {
                try? await RedisProbe.ask(configuration, [RedisCommand("CLUSTER", ["MYID"])]) { try $0[0].text }
            }
            nodes.append(Node(port: port, id: id, launch: launch, process: process))
            _ = try await RedisProbe.ask(
                configuration,
                [RedisCommand("CLUSTER", ["SET-CONFIG-EPOCH", "\(number + 1)"])]
            ) { try $0.throwIfAnyError() }
        }
        self.nodes = nodes
    }

    /// Introduces each node to the first one, until both know each other: they forget an introduction that has taken
    /// longer than the node time-out.
    private func introduce() async throws {
        let first = nodes[0]
        let bus = try await RedisProbe.ask(
            configuration(of: first), [RedisCommand("CONFIG", ["GET", "cluster-port"])]
        ) { try $0[0][1].text }
        for node in nodes.dropFirst() {
            try await eventually {
                let (own, others) = (
                    try? await self.ask(node, "CLUSTER", ["NODES"]), try? await self.ask(first, "CLUSTER", ["NODES"])
                )
                if own?.contains(first.id) == true, others?.contains(node.id) == true { return true }
                try? await self.order(node, "CLUSTER", ["MEET", "127.0.0.1", "\(first.port)", bus])
                return false
            }
        }
    }

    private func form() async throws {
        try await introduce()
        for index in 0..<masters {
            let (first, end) = (index * 16_384 / masters, (index + 1) * 16_384 / masters)
            try await order(nodes[index], "CLUSTER", ["ADDSLOTSRANGE", "\(first)", "\(end - 1)"])
        }
        for index in 0..<masters {
            try await eventually {
                let replica = self.nodes[self.masters + index]
                return (try? await self.order(replica, "CLUSTER", ["REPLICATE", self.nodes[index].id])) != nil
            }
        }
        try await settle()
    }

    /// Returns once all nodes agree that every slot is served and each replica is in step.
    private func settle() async throws {
        for (index, node) in nodes.enumerated() {
            try await eventually {
                let state = try? await self.ask(node, "CLUSTER", ["INFO"])
                let link = try? await self.ask(node, "INFO", ["replication"])
                let known = try? await self.ask(node, "CLUSTER", ["NODES"])
                let isMaster = index < self.masters
                return state?.contains("cluster_state:ok") == true
                    && known?.components(separatedBy: " slave ").count == self.masters + (isMaster ? 1 : 0)
                    && link?.contains(isMaster ? "state=online" : "link_status:up") == true
            }
        }
    }

    package nonisolated var seeds: String { nodes.map { "127.0.0.1:\($0.port)" }.joined(separator: ",") }

    /// A configuration of a client with quick pauses and patience for a busy machine.
    package nonisolated func clientConfiguration(
        credentials: String? = nil, patience: Duration = RedisClusterServers.patience
    ) throws -> RedisClusterConfiguration {
        let login = credentials ?? password.map { ":\($0)@" } ?? ""
        var configuration = try RedisClusterConfiguration(parsing: "redis-cluster://\(login)\(seeds)")
        configuration.node.backoff = RedisBackoff(minimum: .milliseconds(5), maximum: .milliseconds(100))
        (configuration.node.connectTimeout, configuration.node.commandTimeout) = (patience, patience)
        configuration.node.readTimeout = patience
        return configuration
    }

    /// Sends a command to one node; throws its error.
    package nonisolated func order(_ node: Node, _ name: StaticString, _ arguments: [String]) async throws {
        try await RedisProbe.ask(configuration(of: node), [RedisCommand(name, arguments)]) { try $0.throwIfAnyError() }
    }

    /// Sends a command to one node; returns its reply.
    package nonisolated func ask(
        _ node: Node, _ name: StaticString, _ arguments: [String], within limit: Duration = RedisClusterServers.patience
    ) async throws -> String {
        try await RedisProbe.ask(configuration(of: node, within: limit), [RedisCommand(name, arguments)]) { replies in
            try replies.throwIfAnyError()
            return replies[0].kind == .integer ? "\(try replies[0].integer)" : try replies[0].text
        }
    }

    nonisolated func configuration(
        of node: Node, within limit: Duration = RedisClusterServers.patience
    ) -> RedisConfiguration {
        var configuration = RedisConfiguration(endpoint: node.endpoint)
        configuration.password = password
        (configuration.connectTimeout, configuration.commandTimeout) = (limit, limit)
        configuration.drainTimeout = .zero
        return configuration
    }

    /// Returns once the condition holds.
    package nonisolated func eventually(_ condition: @escaping @Sendable () async -> Bool) async throws {
        _ = try await Self.eventually(within: .seconds(300)) { await condition() ? true : nil }
    }

    private static func eventually<R>(within limit: Duration, _ probe: () async -> R?) async throws -> R {
        let deadline = ContinuousClock.now + limit
        while true {
            if let result = await probe() { return result }
            guard ContinuousClock.now < deadline else { throw CocoaError(.featureUnsupported) }
            // Not for synchronisation: the pause between two polls, each of which takes a connection and a thread.
            try await Task.sleep(for: .milliseconds(20))
        }
    }

    private func remove() async {
        for node in nodes {
            node.resume()
            await node.kill()
        }
        try? FileManager.default.removeItem(atPath: directory)
    }
}
