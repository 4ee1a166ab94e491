import Foundation
import GraphdClient

/// Runs a scenario on a server of its own, or on one that is already running.
struct ScenarioRun {
    let scenario: Scenario
    let graphd: String
    let graphs: RealGraphs
    /// The running server to use instead of one of its own.
    var target: Target?
    /// Profiles the server during the last run; nil for no profile.
    var profiler: Profiler?

    /// Seconds for which the server's maximum rate is measured.
    private static let capacitySeconds = 4.0
    private static let connections = 64

    /// A server of this machine, and the directory that it serves. The scenario's users and posts are added to the
    /// existing ones.
    struct Target {
        let port: Int
        let directory: String
    }

    func report() async throws -> ScenarioReport {
        let directory = try Scratch.directory("scenario-\(scenario.name)")
        defer { try? FileManager.default.removeItem(atPath: directory) }
        let (shape, server) = try await prepared(directory)
        defer { server.stop() }
        let people = try await people(of: shape, server)
        let capacity = try await capacity(people, server)
        var runs: [ScenarioReport.Run] = []
        for number in 1...scenario.runs {
            Progress.say("\(scenario.name): run \(number) of \(scenario.runs)")
            runs.append(try await run(number, people, capacity: capacity, server))
            try await server.client.waitUntilOutboxIsEmpty()
        }
        Progress.say("\(scenario.name): verifying")
        return ScenarioReport(
            name: scenario.name, title: scenario.title, users: shape.names.count, follows: shape.follows,
            posts: scenario.posts, capacity: capacity, runs: runs,
            verification: try await server.verification(),
            residentBytes: try server.usage().residentBytes,
            redisBytes: server.hasPrivateRedis ? try server.redis().usedMemory : nil)
    }

    // MARK: - Before the runs

    private func prepared(_ directory: String) async throws -> (FollowGraph, Server) {
        let (follows, stored) = (directory + "/follows.csv", target?.directory ?? directory + "/data")
        // Checked before anything is written there.
        var running: Server?
        if let target {
            running = try await Server(runningAt: target.port, graphd: graphd, directory: target.directory)
        }
        Progress.say("\(scenario.name): preparing the graph")
        try scenario.graph.source(graphs).write(to: follows, scratch: directory)
        let shape = try FollowGraph(csv: follows)
        try Program.run(graphd, ["import", "follows", follows, "--data-dir", stored])
        if scenario.posts > 0 {
            var generator = SeededGenerator(seed: 1)
            let draw = shape.authors()
            let authors = (0..<scenario.posts).map { _ in shape.username(draw.draw(using: &generator)) }
            try SampleGraph.writePosts(by: authors, to: directory + "/posts.csv", tags: SampleGraph.variedTags)
            try Program.run(
                graphd, ["import", "posts", directory + "/posts.csv", "--data-dir", stored] + SampleGraph.postColumns)
        }
        let server: Server
        if let running {
            server = running
        } else {
            server = try await Server(graphd: graphd, directory: stored, arguments: scenario.arguments ?? [])
        }
        do {
            try server.command(["timelines", "rebuild", "--all"])
            try await server.client.waitUntilOutboxIsEmpty()
        } catch {
            server.stop()
            throw error
        }
        return (shape, server)
    }

    /// Returns the users who send requests, drawn uniformly from those who follow somebody; the most followed user is
    /// always among them.
    private func people(of shape: FollowGraph, _ server: Server) async throws -> [MixedWorkload.Person] {
        var generator = SeededGenerator(seed: 2)
        let (alike, possible) = (shape.readers(), shape.followees.count { $0 > 0 })
        var chosen: Set<Int> = []
        if let first = shape.followers.indices.max(by: { shape.followers[$0] < shape.followers[$1] }) {
            chosen.insert(first)
        }
        while chosen.count < min(scenario.readers, possible) { chosen.insert(alike.draw(using: &generator)) }
        let users = chosen.sorted()
        let tokens = try server.tokens(users.map(shape.username))
        let identities = Identities()
        _ = try await ClosedLoop(concurrency: 8).run(users.count) { index in
            await identities.put(index, try await server.client.with(token: tokens[index]).accounts.me().userId)
        }
        let known = await identities.ids
        return users.indices.map { index in
            MixedWorkload.Person(
                id: known[index] ?? "", token: tokens[index], followers: shape.followers[users[index]])
        }
    }

    private func workload(_ people: [MixedWorkload.Person], seed: Int) -> MixedWorkload {
        MixedWorkload(scenario.mix, people: people, tags: SampleGraph.tags, seed: UInt64(seed))
    }

    private func capacity(_ people: [MixedWorkload.Person], _ server: Server) async throws -> Double? {
        guard scenario.arrivals.ofCapacity != nil else { return nil }
        Progress.say("\(scenario.name): looking for the most that it can do")
        let plan = LoadGenerator.Plan(
            port: server.port, connections: Self.connections, pace: .closed, warmUp: 2,
            seconds: Self.capacitySeconds)
        return try await LoadGenerator.run(plan, workload(people, seed: 7)).rate
    }

    // MARK: - A run

    private func profiled(
        _ number: Int, _ server: Server, _ body: () async throws -> LoadResult
    ) async throws -> LoadResult {
        guard let profiler, number == scenario.runs else { return try await body() }
        return try await profiler.during(
            server.process, title: "graphd: \(scenario.name), \(Int(scenario.seconds)) s", body)
    }

    private func pace(_ capacity: Double?) throws -> Pace {
        if let speed = scenario.arrivals.replayAt {
            return .replay(try ActivityTimes(path: graphs.activityPath).fromBusiest(speed: speed))
        }
        return .open(perSecond: scenario.arrivals.perSecond ?? (scenario.arrivals.ofCapacity ?? 0) * (capacity ?? 0))
    }

    private func run(
        _ number: Int, _ people: [MixedWorkload.Person], capacity: Double?, _ server: Server
    ) async throws -> ScenarioReport.Run {
        let pace = try pace(capacity)
        let plan = LoadGenerator.Plan(
            port: server.port, connections: Self.connections, pace: pace, warmUp: scenario.warmUp,
            seconds: scenario.seconds, seed: UInt64(number))
        let before = try server.usage()
        let start = ContinuousClock.now
        async let samples = ServerSamples(server: server).take(for: scenario.warmUp + scenario.seconds)
        async let faults: Void = Faults(server: server).cause(scenario.events ?? [], after: scenario.warmUp)
        let result = try await profiled(number, server) {
            try await LoadGenerator.run(plan, workload(people, seed: number))
        }
        let elapsed = start.duration(to: .now) / .seconds(1)
        try await faults
        let offered: Double? = if case .open(let rate) = pace { rate } else { nil }
        return ScenarioReport.Run(
            offered: offered, answered: result.rate, failed: result.failed,
            failures: Dictionary(uniqueKeysWithValues: result.failures.map { ("\($0.key)", $0.value) }),
            longestQueue: result.longestQueue, generatorShare: result.generatorShare,
            serverShare: (try server.usage().cpuSeconds - before.cpuSeconds) / elapsed,
            all: .init(result.latency),
            kinds: Dictionary(uniqueKeysWithValues: result.kinds.map { ($0.name, .init($0.latency)) }),
            seconds: result.seconds.map {
                .init(answered: $0.answered, failed: $0.failures, slowest: Double($0.slowest) / 1_000)
            },
            samples: await samples)
    }
}

private actor Identities {
    private(set) var ids: [Int: String] = [:]
    func put(_ index: Int, _ id: String) { ids[index] = id }
}
