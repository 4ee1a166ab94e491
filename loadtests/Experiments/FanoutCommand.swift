import ArgumentParser
import Foundation
import GraphdClient

/// Push-only, pull-only and hybrid side by side: the same acts on the same graph under several hub thresholds.
struct FanoutCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "fanout",
        abstract: "Measure the cost of the same posts and reads under several hub thresholds.",
        discussion: """
            Every threshold gets a copy of one data directory, a window for every user and the same acts in the same \
            order; posts are by authors drawn in proportion to followers, and the activity file says who acts when. \
            The clock runs until the last delivery. Threshold 0 pushes everything, 1 pulls all but those with one \
            follower. The thresholds are gone through as often as --runs says; values are medians.

            Example:
              loadtests fanout --graphd .build/release/graphd --follows ego-twitter-follows.csv.gz \\
                --activity higgs-activity_time.txt.gz --thresholds 0,1000,1
            """)

    @Option(help: "Path of the graphd to measure.") var graphd: String
    @Option(help: "Follows: follower,followee with a header; may be gzipped.") var follows: String
    @Option(help: "Timed acts, lines of: actor target seconds RT|MT|RE; may be gzipped.") var activity: String
    @Option(help: "Hub thresholds, separated by commas.") var thresholds = "0,3000,1000,300,100,1"
    @Option(help: "Posts of a run.") var posts = 2_000
    @Option(help: "Home pages of a run.") var reads = 20_000
    @Option(help: "Distinct readers.") var readers = 2_000
    @Option(help: "Posts before the first run.") var history = 20_000
    @Option(help: "First second of the activity file that is used: its busiest hour.") var from = 1_341_381_600
    @Option(help: "Concurrent requests.") var concurrency = 4
    @Option(help: "Runs of each threshold.") var runs = 3
    @Option(help: "Seed of the random draws.") var seed: UInt64 = 1
    @Flag(help: "Print the result as one JSON object.") var json = false

    func run() async throws {
        let directory = try Scratch.directory("fanout")
        defer { try? FileManager.default.removeItem(atPath: directory) }
        let graph = try FollowGraph(csv: try InputFile.plain(follows, in: directory, as: "follows.csv"))
        let workload = try ActivityWorkload(
            file: try InputFile.plain(activity, in: directory, as: "activity.txt"), from: from, posts: posts,
            reads: reads, readers: readers, of: graph, seed: seed)
        let tokens = try await prepare(directory, graph, workload)
        let limits = thresholds.split(separator: ",").compactMap { Int($0) }

        var results: [Int: [FanoutResult]] = [:]
        for number in 1...runs {
            for threshold in limits {
                let result = try await measure(threshold, directory, graph, workload, tokens)
                Progress.say("run \(number), threshold \(threshold): \(result.summary)")
                results[threshold, default: []].append(result)
            }
        }
        var table = FigureTable(
            "fanout",
            sizes: [
                "users": graph.names.count, "follows": graph.follows, "posts": posts, "reads": reads,
                "authors": workload.authors.count, "readers": workload.readers.count, "runs": runs,
            ], columns: ["threshold", "hubs"] + FanoutResult.columns)
        for threshold in limits {
            let hubs = threshold == 0 ? 0 : graph.followers.count { $0 > threshold }
            table.add([.count(threshold), .count(hubs)] + FanoutResult.medians(results[threshold] ?? []))
        }
        print(try table.rendered(json: json))
    }

    /// Imports, processes the resulting jobs in the outbox, and makes tokens for all active users.
    private func prepare(
        _ directory: String, _ graph: FollowGraph, _ workload: ActivityWorkload
    ) async throws -> [Int: GraphdClient] {
        let data = directory + "/base"
        Progress.say("importing \(graph.follows) follows and \(history) posts")
        try Program.run(graphd, ["import", "follows", directory + "/follows.csv", "--data-dir", data])
        var generator = SeededGenerator(seed: seed &+ 1)
        let draw = graph.authors()
        let authors = (0..<history).map { _ in graph.username(draw.draw(using: &generator)) }
        try SampleGraph.writePosts(by: authors, to: directory + "/posts.csv")
        try Program.run(
            graphd, ["import", "posts", directory + "/posts.csv", "--data-dir", data] + SampleGraph.postColumns)
        let server = try await Server(
            graphd: graphd, directory: data, arguments: ["--hub-threshold", "0"])
        defer { server.stop() }
        try await server.client.waitUntilOutboxIsEmpty()
        let users = workload.authors.union(workload.readers).sorted()
        let tokens = try await Tokens.make(users.map(graph.username), graphd: graphd, directory: data)
        return Dictionary(uniqueKeysWithValues: zip(users, tokens.map(server.client.with(token:))))
    }

    private func measure(
        _ threshold: Int, _ directory: String, _ graph: FollowGraph, _ workload: ActivityWorkload,
        _ clients: [Int: GraphdClient]
    ) async throws -> FanoutResult {
        let data = directory + "/run"
        try Program.run(Program.find("cp"), ["-r", directory + "/base", data])
        defer { try? FileManager.default.removeItem(atPath: data) }
        let server = try await Server(
            graphd: graphd, directory: data, arguments: ["--hub-threshold", "\(threshold)"])
        defer { server.stop() }
        try server.command(["timelines", "rebuild", "--all"])
        try await server.client.waitUntilOutboxIsEmpty()
        for reader in workload.readers { _ = try await clients[reader]?.timelines.home() }
        try await server.client.waitUntilOutboxIsEmpty()

        let before = try await FanoutSnapshot(server)
        let latency = try await ClosedLoop(concurrency: concurrency).run(workload.acts.count) { number in
            switch workload.acts[number] {
            case .post(let author): _ = try await clients[author]?.publish(SampleGraph.draft(number))
            case .read(let reader): _ = try await clients[reader]?.homePage()
            }
        }
        try await server.client.waitUntilOutboxIsEmpty()
        let after = try await FanoutSnapshot(server)
        try await server.verify()
        var (pages, posts) = (Spread(), Spread())
        for (act, duration) in zip(workload.acts, latency) {
            if case .post = act { posts.add(duration) } else { pages.add(duration) }
        }
        return FanoutResult(before, after, pages: pages, posts: posts)
    }
}
