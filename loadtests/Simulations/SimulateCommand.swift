import ArgumentParser
import Foundation
import ScaleSimulation

/// The needs of a network, computed from measured costs and a simulated graph.
struct SimulateCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "simulate",
        abstract: "Compute deliveries, memory and lag of a network of up to 100 million users.",
        discussion: """
            Visits every follow of a generated or a real graph, and puts each reader where graphd does: into a bucket, \
            the buckets into groups that nodes lease, and on the masters of a Redis Cluster. Nothing is measured: \
            processor time and bytes are computed from the costs that loadtests/Scale/MeasuredCosts.swift names.

            Example:
              loadtests simulate --users 100000000 --posts-per-day 20000000 --nodes 12 --masters 8
            """)

    @Option(help: "Users of the generated graph.") var users = 1_000_000
    @Option(help: "Mean number of users that a user follows.") var followees = 10.0
    @Option(help: "Exponent of an author's rank, to which followers are proportional.") var exponent = 0.8
    @Option(help: "Standard deviation of the logarithm of the number of followees.") var spread = 1.3
    @Option(help: "Directory of real graphs; replaces the generated one.") var data: String?
    @Option(help: "Copies of the real graph in one.") var copies = 1
    @Option(help: "Seed of all random draws.") var seed: UInt64 = 1
    @Option(help: "Nodes that share the fan-out.") var nodes = 3
    @Option(help: "Masters of the Redis Cluster.") var masters = 3
    @Option(help: "Posts a day; a fifth of the users if not given.") var postsPerDay: Double?
    @Option(help: "Rates of the busiest second, as a multiple of the mean.") var peakFactor = 5.0
    @Option(help: "Share of the users who read within 30 days, and have windows.") var activeShare = 0.5
    @Option(help: "Share of the users who read on a day.") var dailyShare = 0.2
    @Option(help: "Pages that such a user reads on that day.") var pages = 40.0
    @Option(help: "Users post in proportion to their followers to this power.") var popularity = 1.0
    @Option(help: "Followers above which an author is pulled; 0 means never.") var hubThreshold = 10_000.0
    @Option(help: "Entries of a full window.") var windowCap = 128.0
    @Option(help: "Days of posts in the database.") var historyDays = 365.0
    @Flag(help: "Print the result as one JSON object.") var json = false

    func validate() throws {
        try check(2...100_000_000, users, "--users")
        try check(0.001...10_000, followees, "--followees")
        try check(0.01...0.99, exponent, "--exponent")
        try check(0...3, spread, "--spread")
        try check(1...64, copies, "--copies")
        try check(1...1_000, nodes, "--nodes")
        try check(1...256, masters, "--masters")
        try check(0...1e12, postsPerDay ?? 0, "--posts-per-day")
        try check(1...1_000, peakFactor, "--peak-factor")
        try check(0...1, activeShare, "--active-share")
        try check(0...1, dailyShare, "--daily-share")
        try check(0...1e6, pages, "--pages")
        try check(0...2, popularity, "--popularity")
        try check(0...1e9, hubThreshold, "--hub-threshold")
        try check(1...10_000, windowCap, "--window-cap")
        try check(0...100_000, historyDays, "--history-days")
    }

    func run() async throws {
        let report: ScaleReport
        if let data {
            let graph = try RealGraphs(directory: data).stored(copies: copies)
            report = await ScaleSimulation(graph, workload(users: graph.users)).report(partitioning)
        } else {
            let graph = PowerLawGraph(
                users: users, followees: followees, exponent: exponent, spread: spread, seed: seed)
            report = await ScaleSimulation(graph, workload(users: users)).report(partitioning)
        }
        print(json ? try report.json : report.table)
    }

    private var partitioning: Partitioning { Partitioning(nodes: nodes, masters: masters) }

    private func workload(users: Int) -> ScaleWorkload {
        var workload = ScaleWorkload()
        workload.seed = seed
        workload.postsPerDay = postsPerDay ?? Double(users) / 5
        workload.peakFactor = peakFactor
        workload.activeShare = activeShare
        workload.dailyShare = dailyShare
        workload.pagesPerReader = pages
        workload.popularity = popularity
        workload.hubThreshold = hubThreshold
        workload.windowCap = windowCap
        workload.historyDays = historyDays
        return workload
    }

    private func check<Value: Comparable>(_ range: ClosedRange<Value>, _ value: Value, _ name: String) throws {
        guard range.contains(value) else {
            throw ValidationError("\(name) must be from \(range.lowerBound) to \(range.upperBound), not \(value)")
        }
    }
}

extension ScaleReport {
    fileprivate var json: String {
        get throws {
            let encoder = JSONEncoder()
            encoder.outputFormatting = [.prettyPrinted, .sortedKeys]
            return String(decoding: try encoder.encode(self), as: UTF8.self)
        }
    }
}

extension RealGraphs {
    /// The real graph in memory, so many times.
    fileprivate func stored(copies: Int) throws -> StoredGraph {
        let directory = try Scratch.directory("simulate")
        defer { try? FileManager.default.removeItem(atPath: directory) }
        let file = directory + "/follows.csv"
        try follows(copies: copies).write(to: file, scratch: directory)
        return try StoredGraph(csv: file)
    }
}
