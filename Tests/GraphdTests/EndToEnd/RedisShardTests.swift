import Glibc
import RedisClient
import ServiceTestSupport
import TestSupport
import Testing
import Timeline

@testable import CommandSupport
@testable import StrictJSON

/// Several private redis-servers.
@Suite(.serialized, .timeLimit(.process))
struct RedisShardTests {
    @Test func `each shard has a server of its own, of which one may die or stand still`() async throws {
        try await GraphdServer.running(["--redis-shards", "3"], in: .process) { server in
            let network = try await SmallNetwork(server)
            var published = try await network.publish(3)
            let sockets = server.directory.redisSockets(shards: 3).map {
                RedisConfiguration(endpoint: .unix(path: $0)).patient
            }
            // They start beside graphd.
            try await server.waitForJobs()
            var pids: [Int32] = []
            for socket in sockets { pids.append(try await RedisProbe.processID(socket)) }
            #expect(Set(pids).count == 3)
            try await network.expectHome(published)
            try await server.expectCleanTimelines()
            // A shard counts as down if it does not answer in half a second.
            try await server.waitUntilReady {
                $0["redisShards"] == .array([.string("up"), .string("up"), .string("up")])
            }
            while try await !server.client().get("/metrics").text.contains(#"graphd_redis_up{shard="2"} 1"#) {
                // Not for synchronisation: the pause between two polls.
                try await Task.sleep(for: .milliseconds(10))
            }

            _ = kill(pids[1], SIGKILL)
            published = try await network.publish(2) + published
            try await server.waitForJobs()
            #expect(try await RedisProbe.processID(sockets[1]) != pids[1])
            #expect(try await RedisProbe.processID(sockets[0]) == pids[0])
            try await network.expectHome(published)

            _ = kill(pids[2], SIGSTOP)
            published = try await network.publish(2) + published
            // No job waits for the shard once it has been given up.
            try await server.waitUntilReady { $0["redis"]?.text == "down" && $0["outbox"]?["pending"]?.number == 0 }
            try await network.expectHome(published)
            _ = kill(pids[2], SIGCONT)
            try await server.waitForJobs()
            try await network.expectHome(published)
            try await server.waitForJobs()
            try await server.expectCleanTimelines()
            #expect(await server.stop() == .exited(0))
        }
    }

    @Test func `the number of shards may change between starts, also after a hard kill`() async throws {
        try await GraphdServer.prepared(in: .process) { server in
            try await server.start(["--redis-shards", "2"])
            let network = try await SmallNetwork(server)
            var published = try await network.publish(3)
            for shards in ["1", "3", "2", "1"] {
                try await network.expectHome(published)
                published = try await network.publish(2) + published
                await server.kill()
                try await server.start(["--redis-shards", shards])
                try await network.expectHome(published)
                published = try await network.publish(2) + published
                try await server.waitForJobs()
                try await network.expectHome(published)
                try await server.waitForJobs()
                try await server.expectCleanTimelines()
            }
            #expect(await server.stop() == .exited(0))
        }
    }

    @Test func `shards are refused with a Redis of others`() async throws {
        let process = try GraphdProcess([
            "serve", "--data-dir", "/nowhere", "--redis-shards", "2", "--redis", "redis://127.0.0.1:1/0",
        ])
        #expect(await process.wait() != .exited(0))
        let text = process.lines.joined(separator: "\n")
        #expect(text.contains("--redis-shards") && text.contains("must be 1 with --redis"), "\(text)")
    }
}
