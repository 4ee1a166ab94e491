import Foundation
import TestSupport
import Testing

@testable import RedisClient

/// A client beside real nodes whose roles and slots change.
@Suite(.timeLimit(.process), .serialized)
struct RedisClusterTests {
    private static func key(_ bucket: RedisBucket, _ name: String = "n") -> String { "h:{\(bucket.tag)}:\(name)" }

    /// The present session of the bucket's master, as soon as there is one.
    private func session(
        _ cluster: RedisCluster, _ bucket: RedisBucket, other: RedisHandshake? = nil, _ servers: RedisClusterServers
    ) async throws -> RedisHandshake {
        try await servers.eventually {
            await cluster.refresh()
            guard let session = cluster.master(of: bucket)?.writing.present else { return false }
            return session != other
        }
        return try #require(cluster.master(of: bucket)?.writing.present)
    }

    private func increment(_ session: RedisHandshake, _ bucket: RedisBucket, _ name: String = "n") async throws -> Int64
    {
        try await session.send(RedisCommand("INCR", [Self.key(bucket, name)])) { try $0.integer }
    }

    @Test
    func `each bucket has a master, three have all, and sessions name three histories`() async throws {
        try await RedisClusterServers.with(nodeTimeout: .seconds(30)) { servers in
            try await withCluster(servers.clientConfiguration()) { cluster in
                var histories: [String] = []
                for bucket in RedisBucket.all {
                    let session = try await session(cluster, bucket, servers)
                    #expect(try await increment(session, bucket) == 1)
                    if histories.last != session.runID { histories.append(session.runID) }
                    let reading = try #require(cluster.master(of: bucket)?.reading)
                    try await reading.waitUntilUp()
                    #expect(reading.present?.runID == session.runID)
                    #expect(try await reading.send(RedisCommand("GET", [Self.key(bucket)])) { try $0.int64 } == 1)
                }
                // In the order of their slots.
                #expect(histories.count == 3 && Set(histories).count == 3)
                #expect(cluster.masters.count == 3)
            }
        }
    }

    @Test
    func `a slot that is being moved refuses what is absent, and a moved one everything, until the map is renewed`()
        async throws
    {
        try await RedisClusterServers.with(nodeTimeout: .seconds(30)) { servers in
            try await withCluster(servers.clientConfiguration()) { cluster in
                let bucket = RedisBucket(3)
                let before = try await session(cluster, bucket, servers)
                for name in ["n", "a", "b"] { _ = try await increment(before, bucket, name) }
                try await servers.beginMoving(bucket, from: 0, to: 1)
                #expect(try await increment(before, bucket) == 2)
                let absent = await redisError { try await increment(before, bucket, "absent") }
                #expect(absent?.serverCode == "ASK" && absent?.isRefusalOfCluster == true)
                try await servers.moveKeys([Self.key(bucket, "a")], from: 0, to: 1)
                let both = await redisError {
                    try await before.send(RedisCommand("MGET", [Self.key(bucket, "a"), Self.key(bucket, "b")])) { _ in }
                }
                #expect(both?.serverCode == "TRYAGAIN" && both?.isRefusalOfCluster == true)
                try await servers.moveKeys(["n", "b"].map { Self.key(bucket, $0) }, from: 0, to: 1)
                try await servers.endMoving(bucket, from: 0, to: 1)
                let moved = await redisError { try await increment(before, bucket) }
                #expect(moved?.serverCode == "MOVED" && moved?.isRefusalOfCluster == true)
                // A refusal says nothing about the other buckets of the master.
                #expect(before.isOpen)
                #expect(try await increment(before, RedisBucket(4)) == 1)
                try await servers.eventually {
                    await cluster.refresh()
                    return cluster.master(of: bucket)?.endpoint == servers.nodes[1].endpoint
                }
                let after = try await session(cluster, bucket, servers)
                #expect(after.runID != before.runID)
                #expect(try await increment(after, bucket) == 3)
            }
        }
    }

    @Test
    func `a master hands over to its replica and back while its connection lives: three histories`() async throws {
        try await RedisClusterServers.with(nodeTimeout: .seconds(30)) { servers in
            try await withCluster(servers.clientConfiguration()) { cluster in
                let bucket = RedisBucket(0)
                let first = try await session(cluster, bucket, servers)
                _ = try await increment(first, bucket)
                let connections = try #require(cluster.master(of: bucket))
                for node in [servers.nodes[3], servers.nodes[0]] {
                    try await servers.promote(node)
                    // Until then its former master sees itself as one, too, and ends sessions when it learns better.
                    try await servers.waitUntilWhole()
                }
                // Nothing was sent meanwhile, so nothing has noticed: the process and the connection are the same.
                #expect(first.isOpen && connections.writing.present == first)
                let lost = await redisError { try await increment(first, bucket) }
                #expect(lost?.isOutcomeUnknown == true)
                let third = try await session(cluster, bucket, other: first, servers)
                #expect(third.runID != first.runID)
                _ = try await increment(third, bucket)
            }
        }
    }

    @Test
    func `a promotion that loses acknowledged writes is another history`() async throws {
        try await RedisClusterServers.with { servers in
            try await withCluster(servers.clientConfiguration(), onHandshake: Self.load) { cluster in
                let bucket = RedisBucket(0)
                let before = try await session(cluster, bucket, servers)
                _ = try await increment(before, bucket)
                try await servers.stopReplication(of: 0, by: 3)
                for number in 2...10 { #expect(try await increment(before, bucket) == number) }
                await servers.nodes[0].kill()
                servers.nodes[3].resume()
                try await servers.eventually {
                    await cluster.refresh()
                    return cluster.master(of: bucket)?.endpoint == servers.nodes[3].endpoint
                }
                let after = try await session(cluster, bucket, other: before, servers)
                #expect(after.runID != before.runID)
                #expect(try await increment(after, bucket) < 10)
                // The hook has prepared the new master, too.
                let script = RedisCommand("EVALSHA", [Self.digest, "1", Self.key(bucket)])
                #expect(try await after.send(script) { try $0.integer } == 7)
            }
        }
    }

    private static let digest = "59b6ab2fbe0ee4b25733de0f62e6cda4899ef8e9"

    @Sendable private static func load(_ handshake: RedisHandshake) async throws {
        _ = try await handshake.send(RedisCommand("SCRIPT", ["LOAD", "return 7"])) { try $0.text }
    }

    @Test
    func `a master that stands still costs a time-out, and its replica takes over`() async throws {
        // The others serve their slots even if they have found out that the stalled one's are not served.
        try await RedisClusterServers.with(arguments: ["--cluster-require-full-coverage", "no"]) { servers in
            try await withCluster(servers.clientConfiguration()) { cluster in
                let bucket = RedisBucket(255)
                let before = try await session(cluster, bucket, servers)
                servers.nodes[2].stall()
                let command = RedisCommand("INCR", [Self.key(bucket)])
                let stalled = await redisError {
                    try await before.send(command, timeout: .milliseconds(500)) { try $0.integer }
                }
                #expect(stalled == RedisError.timeout)
                // The others' buckets are served meanwhile.
                _ = try await increment(session(cluster, RedisBucket(0), servers), RedisBucket(0))
                try await servers.eventually {
                    await cluster.refresh()
                    return cluster.master(of: bucket)?.endpoint == servers.nodes[5].endpoint
                }
                let after = try await session(cluster, bucket, servers)
                #expect(after.runID != before.runID)
                _ = try await increment(after, bucket)
            }
        }
    }

    @Test
    func `a cluster with a password is served by user and by password, and refuses others`() async throws {
        try await RedisClusterServers.with(
            password: "hush", nodeTimeout: .seconds(30), arguments: ["--user", "ann", "on", ">ann's", "~h:*", "+@all"]
        ) { servers in
            for credentials in [":hush@", "ann:ann's@"] {
                try await withCluster(servers.clientConfiguration(credentials: credentials)) { cluster in
                    for bucket in RedisBucket.all {
                        _ = try await increment(session(cluster, bucket, servers), bucket)
                    }
                }
            }
            try await withCluster(servers.clientConfiguration(credentials: ":wrong@")) { cluster in
                await cluster.refresh()
                #expect(cluster.masters.isEmpty)
            }
        }
    }
}
