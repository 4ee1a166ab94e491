import Glibc
import RedisClient
import ServiceTestSupport
import SocialGraph
import TestSupport
import Testing

@testable import Timeline

/// Fan-outs to 20,000 followers, interrupted at seeded random instants. Afterwards every timeline is exact.
@Suite(.serialized, .timeLimit(.model))
struct CrashSafetyTests {
    private static let followers = 20_000
    private static let watched = 200
    private static let posts = 12
    /// A small cap, so that windows are trimmed while the faults happen. All posts are pushed.
    private static let arguments = ["--window-cap", "32", "--hub-threshold", "0"]

    /// The range of waits before a fault, in milliseconds: about the duration of the fan-out.
    private static let span: ClosedRange<Int64> = 1...150

    /// Returns in the middle of a fan-out, when part of the audience has been served.
    private func untilPartlyDelivered(_ server: GraphdServer) async throws {
        let clock = ContinuousClock()
        let limit = clock.now + .seconds(5)
        while clock.now < limit {
            let jobs = try await server.graph.outbox.outboxJobs(above: nil, limit: 100)
            if jobs.contains(where: { $0.progress != .start }) { return }
            await Task.yield()
        }
    }

    private func pause(_ milliseconds: Int64) async throws {
        // Not for synchronisation: it picks the instant of the fault.
        try await Task.sleep(for: .milliseconds(milliseconds))
    }

    @Test func `killed servers with a Redis that survives leave every window exact`() async throws {
        try await ExternalRedis.running { redis in
            try await GraphdServer.prepared(Self.arguments + ["--redis", redis.argument], in: .process) { server in
                var network = try await FollowedAuthor(server, followers: Self.followers, watched: Self.watched)
                var generator = SplitMix64(seed: 1)
                try await server.start()
                try await server.waitForJobs()
                try await network.warmUp(in: redis.configuration)
                var (cutOff, round) = (0, 0)
                // On a busy machine every fan-out may finish before its kill. More rounds follow until one is
                // interrupted.
                while round < 6 || cutOff == 0 && round < 30 {
                    defer { round += 1 }
                    let instant = Int64.random(in: Self.span, using: &generator)
                    try await network.publish(Self.posts) {
                        if round.isMultiple(of: 2) {
                            try await untilPartlyDelivered(server)
                        } else {
                            try await pause(instant)
                        }
                        await server.kill()
                    }
                    let left = try await server.graph.outbox.outboxJobs(above: nil, limit: 100)
                    if left.contains(where: { $0.progress != .start }) { cutOff += 1 }
                    try await server.start()
                    try await server.waitForJobs()
                    // These are the windows from before the fault: nobody has read anything since.
                    try await network.expectExactTimelines(
                        "round \(round), killed at mid-fan-out or after \(instant) ms", in: redis.configuration,
                        readFirst: false)
                }
                #expect(cutOff > 0, "no kill fell into a fan-out: nothing was tested")
            }
        }
    }

    @Test func `killed servers with their own Redis leave every timeline exact`() async throws {
        try await GraphdServer.prepared(Self.arguments, in: .process) { server in
            var network = try await FollowedAuthor(server, followers: Self.followers, watched: Self.watched)
            var generator = SplitMix64(seed: 2)
            try await server.start()
            try await server.waitForJobs()
            for round in 0..<2 {
                try await network.warmUp()
                let instant = Int64.random(in: Self.span, using: &generator)
                try await network.publish(Self.posts) {
                    try await pause(instant)
                    await server.kill()
                }
                try await server.start()
                try await server.waitForJobs()
                try await network.expectExactTimelines("round \(round), killed after \(instant) ms")
            }
        }
    }

    @Test func `a killed Redis leaves every timeline exact`() async throws {
        try await GraphdServer.prepared(Self.arguments, in: .process) { server in
            var network = try await FollowedAuthor(server, followers: Self.followers, watched: Self.watched)
            var generator = SplitMix64(seed: 3)
            try await server.start()
            try await server.waitForJobs()
            for round in 0..<3 {
                try await network.warmUp()
                let instant = Int64.random(in: Self.span, using: &generator)
                let before = network.acknowledged.count
                try await network.publish(Self.posts) {
                    try await pause(instant)
                    _ = Glibc.kill(try await server.redisProcessID(), SIGKILL)
                }
                #expect(network.acknowledged.count == before + Self.posts, "posts are accepted without Redis")
                try await server.waitForJobs()
                try await network.expectExactTimelines("round \(round), Redis killed after \(instant) ms")
            }
        }
    }

    @Test func `a Redis that hangs longer than the timeout leaves every timeline exact`() async throws {
        try await GraphdServer.prepared(Self.arguments, in: .process) { server in
            var network = try await FollowedAuthor(server, followers: Self.followers, watched: Self.watched)
            var generator = SplitMix64(seed: 4)
            try await server.start()
            try await server.waitForJobs()
            try await network.warmUp()
            let redis = try await server.redisProcessID()
            let (author, reader) = (server.client(network.author), server.client(network.watched[0]))
            let instant = Int64.random(in: Self.span, using: &generator)
            let before = network.acknowledged.count
            try await network.publish(Self.posts) {
                try await pause(instant)
                _ = Glibc.kill(redis, SIGSTOP)
            }
            #expect(network.acknowledged.count == before + Self.posts, "posts are accepted while Redis hangs")
            let clock = ContinuousClock()
            // The timeout of the server's connections, whatever that of the tests' own is.
            let timeout = RedisConfiguration(endpoint: server.redis.endpoint).commandTimeout
            let end = clock.now + timeout + .seconds(2)
            while clock.now < end {
                let id = try await author.publish()
                #expect(try await author.page("/v1/timelines/home").first == id)
                #expect(try await reader.get("/v1/timelines/home").status == 200)
                // Not for synchronisation: it spreads a few requests over the hang.
                try await Task.sleep(for: .milliseconds(200))
            }
            try await server.waitUntilReady { $0["redis"]?.text == "down" }
            _ = Glibc.kill(redis, SIGCONT)
            try await server.waitForJobs()
            #expect(try await server.redisProcessID() == redis)
            try await network.expectExactTimelines("Redis hung after \(instant) ms")
        }
    }
}
