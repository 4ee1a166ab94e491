import ArgumentParser
import Foundation
import GraphdClient

/// Windows in the buckets of a Redis Cluster beside windows in one Redis.
struct BucketsCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "buckets",
        abstract: "Measure what Redis spends on a delivery, in one Redis and in the 256 buckets of a cluster.",
        discussion: """
            Two servers on SQLite: one with a private Redis, and one with a Redis Cluster of one master. There each \
            bucket has a fence of its own, and its windows are folded by themselves. Lone posts are published one at a \
            time, others by 64 clients. What Redis spends on nothing is measured, too, and taken off.

            Example:
              loadtests buckets --graphd .build/release/graphd
            """)

    @Option(help: "Path of the graphd to measure.") var graphd: String
    @Option(help: "Followers of the author.") var followers = 4_096
    @Option(help: "Lone posts of a run.") var posts = 60
    @Option(help: "Seconds of posts by 64 clients.") var seconds = 4
    @Option(help: "Runs of each, in turn.") var runs = 3
    @Flag(help: "Print the result as one JSON object.") var json = false

    func run() async throws {
        let directory = try Scratch.directory("buckets")
        defer { try? FileManager.default.removeItem(atPath: directory) }
        let follows = directory + "/follows.csv"
        try SampleGraph.writeFollows(authors: 1, followers: followers, to: follows)
        var sites: [BucketSite] = []
        defer { for site in sites { site.stop() } }
        for isCluster in [false, true] {
            sites.append(try await BucketSite(isCluster, follows: follows, graphd: graphd, in: directory))
        }
        var lone: [[Double]] = [[], []]
        var together = lone
        for _ in 0..<runs {
            for (index, site) in sites.enumerated() {
                lone[index].append(try await site.lonePosts(posts))
                together[index].append(try await site.posts(seconds: Double(seconds)))
            }
        }
        for site in sites { try await site.server.verify() }
        var table = FigureTable(
            "buckets", sizes: ["followers": followers, "posts": posts, "seconds": seconds, "runs": runs],
            columns: ["windows", "lonePostRedis_us", "manyPostsRedis_us"])
        for (index, site) in sites.enumerated() {
            table.add([.text(site.name)] + [lone, together].map { .decimal(PairedFigure.median($0[index]), 3) })
        }
        print(try table.rendered(json: json))
    }
}

/// A server whose Redis can be watched, and the author whom all readers follow.
private struct BucketSite: Sendable {
    /// Between two lone posts, so that each has been delivered before the next.
    private static let pause = Duration.milliseconds(50)

    let name: String
    let server: Server
    private let masters: RedisMasters?
    private let author: MixedWorkload.Person

    /// Imports the follows, and builds a window for each reader.
    init(_ isCluster: Bool, follows: String, graphd: String, in directory: String) async throws {
        name = isCluster ? "256 buckets" : "one Redis"
        let data = directory + (isCluster ? "/cluster" : "/single")
        try Program.run(graphd, ["import", "follows", follows] + Server.place(data, nil))
        let masters = isCluster ? try RedisMasters(1) : nil
        self.masters = masters
        var started: Server?
        do {
            let server = try await Server(graphd: graphd, directory: data, redis: masters?.address)
            started = server
            author = MixedWorkload.Person(id: "", token: try server.token("a1"), followers: 0)
            try server.command(["timelines", "rebuild", "--all"])
            try await server.client.waitUntilOutboxIsEmpty()
            self.server = server
        } catch {
            started?.stop()
            masters?.stop()
            throw error
        }
    }

    /// Returns the microseconds that Redis spends on a delivery of a post that comes alone.
    func lonePosts(_ count: Int) async throws -> Double {
        let client = server.client.with(token: author.token)
        return try await microsecondsADelivery {
            for number in 0..<count {
                _ = try await client.publish(SampleGraph.draft(number))
                // Not for synchronisation: posts at intervals are what is measured.
                try await Task.sleep(for: Self.pause)
            }
        }
    }

    /// Returns the microseconds that Redis spends on a delivery of one of many posts.
    func posts(seconds: Double) async throws -> Double {
        try await microsecondsADelivery {
            let plan = LoadGenerator.Plan(
                port: server.port, connections: 64, pace: .closed, warmUp: 0.5, seconds: seconds)
            let result = try await LoadGenerator.run(
                plan, MixedWorkload([.compose: 1], people: [author], tags: [], seed: 1))
            guard result.failed == 0 else {
                throw Program.Failure(description: "posts were refused: \(result.failures)")
            }
        }
    }

    private func microsecondsADelivery(_ publish: () async throws -> Void) async throws -> Double {
        let before = try await deliveries()
        let (busy, used) = try await spent {
            try await publish()
            try await server.client.waitUntilOutboxIsEmpty()
        }
        let deliveries = try await deliveries() - before
        // The same time without posts.
        let (idle, unused) = try await spent { try await Task.sleep(for: .seconds(2)) }
        return (used - unused / idle * busy) / deliveries * 1_000_000
    }

    /// Returns the seconds that `body` takes, and the processor time of Redis meanwhile.
    private func spent(_ body: () async throws -> Void) async throws -> (seconds: Double, processor: Double) {
        let before = try processorSeconds()
        let seconds = try await Program.time { try await body() }.seconds
        return (seconds, try processorSeconds() - before)
    }

    private func processorSeconds() throws -> Double {
        try masters?.processorSeconds() ?? ProcessUsage(of: server.redis().process).cpuSeconds
    }

    private func deliveries() async throws -> Double {
        try await server.client.metricValues()["graphd_deliveries_total"] ?? 0
    }

    func stop() {
        server.stop()
        masters?.stop()
    }
}
