import Glibc
import Synchronization
import TestSupport
import Testing

@testable import RedisClient

/// Slot maps as scripted nodes tell them.
@Suite(.timeLimit(.unit))
struct RedisClusterPeerTests {
    private func configuration(_ peers: ClusterPeer...) throws -> RedisClusterConfiguration {
        let seeds = peers.map(\.endpoint.authority).joined(separator: ",")
        var configuration = try RedisClusterConfiguration(parsing: "redis-cluster://\(seeds)")
        configuration.node.backoff = RedisBackoff(minimum: .milliseconds(1), maximum: .milliseconds(5))
        configuration.node.connectTimeout = .seconds(60)
        configuration.node.commandTimeout = .seconds(60)
        return configuration
    }

    /// The addresses of the masters of buckets after one request for a map.
    private func owners(
        _ configuration: RedisClusterConfiguration, of buckets: [Int] = [0]
    ) async throws -> [RedisConfiguration.Endpoint?] {
        try await withCluster(configuration) { cluster in
            await cluster.refresh()
            return buckets.map { cluster.master(of: RedisBucket($0))?.endpoint }
        }
    }

    @Test(arguments: [0, 1, 2, 3, 4])
    func `a map that contradicts itself is not used`(number: Int) async throws {
        let maps = [
            ClusterPeer.map(nil, 1, [(0, 9_000), (9_000, 16_383)]), ClusterPeer.map(nil, 0),
            ClusterPeer.map(nil, 1, [(5, 4)]), "*1\r\n*2\r\n:0\r\n:16384\r\n", ClusterPeer.map("?", 1),
        ]
        let peer = try ClusterPeer { command, _ in command == ["CLUSTER", "SLOTS"] ? maps[number] : "" }
        #expect(try await owners(configuration(peer)) == [nil])
    }

    @Test
    func `a map of a million runs is not used`() async throws {
        let map = "*1000000\r\n" + String(repeating: "*0\r\n", count: 1_000_000)
        let peer = try ClusterPeer { command, _ in command == ["CLUSTER", "SLOTS"] ? map : "" }
        #expect(try await owners(configuration(peer)) == [nil])
    }

    @Test
    func `buckets in a hole of the map have no master, and the others have theirs`() async throws {
        let peer = try ClusterPeer { command, peer in
            command == ["CLUSTER", "SLOTS"] ? ClusterPeer.map("localhost", peer.port, [(0, 99), (200, 16_383)]) : ""
        }
        let owner = RedisConfiguration.Endpoint.tcp(host: "localhost", port: peer.port)
        #expect(try await owners(configuration(peer), of: [0, 1, 2, 3, 255]) == [owner, owner, nil, owner, owner])
    }

    @Test(arguments: [(String?.none, "127.0.0.1"), ("", "127.0.0.1"), ("::1", "::1"), ("node.example", "node.example")])
    func `the host of a master is a name, an address, or that of the node that tells it`(told: String?, host: String)
        async throws
    {
        let peer = try ClusterPeer { $0 == ["CLUSTER", "SLOTS"] ? ClusterPeer.map(told, $1.port) : "" }
        #expect(try await owners(configuration(peer)) == [.tcp(host: host, port: peer.port)])
    }

    @Test
    func `only the last seed has to answer`() async throws {
        let silent = try ClusterPeer { _, _ in nil }
        let confused = try ClusterPeer { command, _ in command[0] == "CLUSTER" ? "-ERR no cluster\r\n" : "" }
        let last = try ClusterPeer { _, _ in "" }
        #expect(try await owners(configuration(silent, confused, last)) == [last.endpoint])
    }

    /// Keeps a scripted node from answering, and counts those who wait for it.
    private final class Hold: Sendable {
        private let state = Mutex((isOver: false, arrivals: 0))

        var arrivals: Int { state.withLock { $0.arrivals } }
        func arrive() { state.withLock { $0.arrivals += 1 } }
        func end() { state.withLock { $0.isOver = true } }
        func wait() { while !state.withLock({ $0.isOver }) { sched_yield() } }
    }

    @Test
    func `all who ask for a map while one is on its way wait for it, and none is asked for soon after`() async throws {
        let hold = Hold()
        let peer = try ClusterPeer { command, _ in
            if command == ["CLUSTER", "SLOTS"] { hold.wait() }
            return ""
        }
        var configuration = try configuration(peer)
        // A pause between requests that nobody waits for.
        configuration.node.backoff = RedisBackoff(minimum: .seconds(3_600), maximum: .seconds(7_200))
        let maps = try await withCluster(configuration) { cluster in
            await withTaskGroup(of: Bool.self) { group in
                for _ in 0..<50 {
                    group.addTask {
                        hold.arrive()
                        await cluster.refresh()
                        return cluster.master(of: RedisBucket(0)) != nil
                    }
                }
                await peer.waitFor(["CLUSTER", "SLOTS"])
                while hold.arrivals < 50 { await Task.yield() }
                hold.end()
                let found = await group.reduce(0) { $0 + ($1 ? 1 : 0) }
                await cluster.refresh()
                return found
            }
        }
        #expect(maps == 50)
        #expect(peer.count(["CLUSTER", "SLOTS"]) == 1)
    }

    @Test
    func `a node behind the known epoch, or in a minority, is asked in vain`() async throws {
        let isLate = Mutex(false)
        let current = try ClusterPeer { command, _ in isLate.withLock(\.self) && command[0] == "CLUSTER" ? nil : "" }
        let behind = try ClusterPeer { command, _ in
            let text = "cluster_state:fail\r\ncluster_current_epoch:0\r\n"
            return command == ["CLUSTER", "INFO"] ? "$\(text.utf8.count)\r\n\(text)\r\n" : ""
        }
        try await withCluster(try configuration(current, behind)) { cluster in
            while cluster.master(of: RedisBucket(0)) == nil { await cluster.refresh() }
            isLate.withLock { $0 = true }
            let before = behind.count(["CLUSTER", "SLOTS"])
            while behind.count(["CLUSTER", "SLOTS"]) < before + 5 {
                await cluster.refresh()
                #expect(cluster.masters.map(\.endpoint) == [current.endpoint])
            }
        }
    }

    @Test
    func `a master that a newer map does not have is closed`() async throws {
        let other = try ClusterPeer { _, _ in "" }
        let epoch = Mutex(1)
        let first = try ClusterPeer { [port = other.port] command, peer in
            let epoch = epoch.withLock(\.self)
            let text = "cluster_state:ok\r\ncluster_current_epoch:\(epoch)\r\n"
            return switch command {
            case ["CLUSTER", "INFO"]: "$\(text.utf8.count)\r\n\(text)\r\n"
            case ["CLUSTER", "SLOTS"]: ClusterPeer.map(nil, epoch == 1 ? peer.port : port)
            default: ""
            }
        }
        try await withCluster(try configuration(first)) { cluster in
            await cluster.refresh()
            let master = try #require(cluster.master(of: RedisBucket(0)))
            #expect(master.endpoint == first.endpoint)
            try await master.writing.waitUntilUp()
            epoch.withLock { $0 = 2 }
            while cluster.master(of: RedisBucket(0))?.endpoint != other.endpoint { await cluster.refresh() }
            await #expect(throws: RedisError.closed) { try await master.writing.waitUntilUp() }
            #expect(master.writing.present == nil)
        }
    }
}
