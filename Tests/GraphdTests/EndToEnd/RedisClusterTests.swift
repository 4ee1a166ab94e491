import RedisClient
import ServiceTestSupport
import TestSupport
import Testing

@testable import CommandSupport
@testable import StrictJSON

/// The program with a Redis Cluster.
@Suite(.serialized, .timeLimit(.process))
struct RedisClusterTests {
    @Test func `windows are in the cluster, and pages are right while a master dies, hands over, and a slot moves`()
        async throws
    {
        // A master that is late must not lose its slots. The test waits that long for the end of one that is killed.
        try await RedisClusterServers.with(password: "hush", nodeTimeout: .seconds(10)) { servers in
            let redis = "redis-cluster://:hush@\(servers.seeds)"
            try await GraphdServer.running(["--redis", redis], in: .process) { server in
                let network = try await SmallNetwork(server)
                var published = try await network.publish(3)
                try await network.expectHome(published)
                try await expectWindowsEverywhere(of: network, servers)
                try await expectClean(server, redis)

                try await servers.promote(servers.nodes[3])
                try await expectExact(&published, network, redis)

                try await servers.stopReplication(of: 1, by: 4)
                published = try await network.publish(2) + published
                await servers.nodes[1].kill()
                servers.nodes[4].resume()
                try await expectExact(&published, network, redis)

                for bucket in [RedisBucket(200), RedisBucket(201)] {
                    try await servers.beginMoving(bucket, from: 2, to: 3)
                    try await servers.endMoving(bucket, from: 2, to: 3)
                }
                try await expectExact(&published, network, redis)
                #expect(await server.stop() == .exited(0))
                #expect(!server.logLines.joined().contains("hush"))
            }
        }
    }

    /// Publishes two more posts, and expects right pages without and with windows.
    private func expectExact(_ published: inout [String], _ network: SmallNetwork, _ redis: String) async throws {
        published = try await network.publish(2) + published
        try await network.expectHome(published)
        try await network.server.waitForJobs()
        try await network.expectHome(published)
        try await expectClean(network.server, redis)
    }

    private func expectClean(_ server: GraphdServer, _ redis: String) async throws {
        try await server.waitForJobs()
        try await server.run(["timelines", "verify", "--all", "--json", "--redis", redis])
        try await server.run(["timelines", "stats", "--json", "--redis", redis])
    }

    /// Readers have windows, and operators are told of the cluster.
    private func expectWindowsEverywhere(of network: SmallNetwork, _ servers: RedisClusterServers) async throws {
        // A state for each bucket, and a sorted set and a tail for each reader: a read that Redis does not answer in
        // half a second asks for no window.
        var counts: [Int] = []
        while counts.reduce(0, +) < 256 + 2 * network.readers.count {
            for reader in network.readers {
                _ = try await network.server.client(reader).page("/v1/timelines/home")
            }
            try await network.server.waitForJobs()
            counts = try await servers.nodes.prefix(3).asyncMap { node in
                Int(try await servers.ask(node, "DBSIZE", [])) ?? 0
            }
        }
        #expect(!counts.contains(0))
        // A node counts as down if it does not answer in half a second.
        let ready = try await network.server.waitUntilReady {
            $0["redis"]?.text == "up" && $0["redisCluster"]?["coldBuckets"]?.number == 0
        }
        #expect(ready["redisCluster"]?["masters"]?.number == 3)
        var metrics = ""
        while !metrics.contains("graphd_redis_up 1") || !metrics.contains("graphd_redis_cold_buckets 0") {
            metrics = try await network.server.client().get("/metrics").text
        }
        #expect(
            metrics.split(separator: "\n").count { $0.hasPrefix("graphd_redis_bucket_cold{") && $0.hasSuffix(" 0") }
                == 256)
    }

    @Test func `a cluster that nobody serves costs only windows, and the doctor says what is wrong`() async throws {
        let port = try LocalSocket.freePort()
        let redis = "redis-cluster://:hush@127.0.0.1:\(port)"
        try await GraphdServer.running(["--redis", redis], in: .process) { server in
            let network = try await SmallNetwork(server)
            let published = try await network.publish(2)
            // No job waits for buckets that have been given up.
            try await network.expectHome(published)
            let ready = try await server.client().get("/readyz").json
            #expect(ready["redis"]?.text == "down" && ready["redisCluster"]?["coldBuckets"]?.number == 256)
            let metrics = try await server.client().get("/metrics").text
            #expect(metrics.contains(#"graphd_redis_bucket_cold{bucket="255"} 1"#))
            let doctor = try await CommandRun.of(["doctor", "--data-dir", server.directory.path, "--redis", redis])
                .expect(1)
            #expect(doctor.output.contains("No node of the Redis Cluster at 127.0.0.1:\(port)"), "\(doctor.output)")
            #expect(!doctor.output.contains("hush"))
            #expect(await server.stop() == .exited(0))
        }
    }
}
