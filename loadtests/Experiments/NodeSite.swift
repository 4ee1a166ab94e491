import Foundation
import GraphdClient

/// A graph that one or several nodes serve, whose readers follow one author.
struct NodeSite: Sendable {
    /// A deployment; without masters it is one server with SQLite and a Redis of its own.
    struct Shape: Sendable {
        let name: String
        let nodes: Int
        let masters: Int
    }

    /// The cost of posts.
    struct Posting: Sendable {
        let postsASecond: Double
        let microsecondsADelivery: Usage
    }

    /// Processor time of the parts of a deployment.
    struct Usage: Sendable {
        var nodes, redis, postgres: Double

        var sum: Double { nodes + redis + postgres }

        static func - (left: Usage, right: Usage) -> Usage {
            Usage(
                nodes: left.nodes - right.nodes, redis: left.redis - right.redis,
                postgres: left.postgres - right.postgres)
        }

        static func * (usage: Usage, factor: Double) -> Usage {
            Usage(nodes: usage.nodes * factor, redis: usage.redis * factor, postgres: usage.postgres * factor)
        }
    }

    let shape: Shape
    private let nodes: [Server]
    private let masters: RedisMasters?
    private let postgres: PostgreSQL?
    private let author: MixedWorkload.Person
    private let pages: PageLoad

    /// Imports the follows, and builds a window for each reader.
    ///
    /// - Parameter run: a number that no other site of the shape in `directory` has.
    init(
        _ shape: Shape, run: Int, postgres: PostgreSQL, follows: String, followers: Int, graphd: String,
        in directory: String
    ) async throws {
        self.shape = shape
        let directory = directory + "/" + shape.name.replacing(" ", with: "-") + "-\(run)"
        let database = "nodes\(shape.nodes)_\(run)"
        let isShared = shape.masters > 0
        self.postgres = isShared ? postgres : nil
        if isShared { try postgres.create(database) }
        let address = isShared ? postgres.address(of: database) : nil
        try Program.run(graphd, ["import", "follows", follows] + Server.place(directory + "/1", address))
        masters = isShared ? try RedisMasters(shape.masters) : nil
        var nodes: [Server] = []
        do {
            for number in 1...shape.nodes {
                nodes.append(
                    try await Server(
                        graphd: graphd, directory: directory + "/\(number)", database: address, redis: masters?.address)
                )
            }
            let first = nodes[0]
            author = MixedWorkload.Person(id: "", token: try first.token("a1"), followers: 0)
            pages = try PageLoad(
                tokens: first.tokens((1...min(64, followers)).map { "f\($0)" }), script: directory + "/pages.lua")
            for number in 0..<100 {
                _ = try await first.client.with(token: author.token).publish(SampleGraph.draft(number))
            }
            try first.command(["timelines", "rebuild", "--all"])
            try await first.client.waitUntilOutboxIsEmpty()
        } catch {
            for node in nodes { node.stop() }
            masters?.stop()
            throw error
        }
        self.nodes = nodes
    }

    /// The p50 of a warm page at each node, in milliseconds.
    func warmPages(seconds: Int) throws -> [Double] {
        try nodes.map { node in
            let page = node.base + "/v1/timelines/home?limit=20"
            _ = try pages.run(page, connections: 1, seconds: 1)
            return try pages.run(page, connections: 1, seconds: seconds).p50
        }
    }

    /// Publishes to the first `count` nodes, each of which has `clients`.
    func post(to count: Int, clients: Int, seconds: Double) async throws -> Posting {
        let (before, used) = (try await deliveries(), try usage())
        var rate = 0.0
        try await withThrowingTaskGroup(of: LoadResult.self) { group in
            for (number, node) in nodes.prefix(count).enumerated() {
                let plan = LoadGenerator.Plan(
                    port: node.port, connections: clients, pace: .closed, warmUp: 0.5, seconds: seconds)
                let workload = MixedWorkload([.compose: 1], people: [author], tags: [], seed: UInt64(number + 1))
                group.addTask { try await LoadGenerator.run(plan, workload) }
            }
            for try await result in group {
                guard result.failed == 0 else {
                    throw Program.Failure(description: "posts were refused: \(result.failures)")
                }
                rate += result.rate
            }
        }
        try await nodes[0].client.waitUntilOutboxIsEmpty()
        let spent = try usage() - used
        return Posting(
            postsASecond: rate, microsecondsADelivery: spent * (1_000_000 / (try await deliveries() - before)))
    }

    func verify() async throws { try await nodes[0].verify() }

    func stop() {
        for node in nodes { node.stop() }
        masters?.stop()
    }

    /// Deliveries of all nodes since their starts.
    private func deliveries() async throws -> Double {
        var sum = 0.0
        for node in nodes { sum += try await node.client.metricValues()["graphd_deliveries_total"] ?? 0 }
        return sum
    }

    /// Seconds since the start of each process.
    private func usage() throws -> Usage {
        Usage(
            nodes: try nodes.reduce(0) { try $0 + $1.processorSeconds() }, redis: try masters?.processorSeconds() ?? 0,
            postgres: try postgres?.processorSeconds() ?? 0)
    }
}
