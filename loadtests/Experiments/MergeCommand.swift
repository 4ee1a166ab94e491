import ArgumentParser
import Foundation

/// The cost of hubs for readers: pages that merge the feeds of few or many followed hubs.
struct MergeCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "merge",
        abstract: "Warm home pages of readers who follow 0, 10, 100 and 1,000 hubs, as ratios (needs wrk).",
        discussion: """
            Every reader follows the same number of authors, who post alike; how many of them are hubs is the only \
            difference. The kinds of readers take turns; a ratio is taken within one turn.

            Example:
              loadtests merge --graphd .build/release/graphd
            """)

    @Option(help: "Path of the graphd to measure.") var graphd: String
    @Option(help: "Hubs followed by a reader of each kind, separated by commas; the first is the baseline.")
    var hubs = "0,10,100,1000"
    @Option(help: "Readers of each kind, in turn.") var readers = 16
    @Option(help: "Followers of a hub besides the readers.") var audience = 100
    @Option(help: "Posts of each author.") var postsEach = 5
    @Option(help: "Seconds of one measurement.") var seconds = 3
    @Option(help: "Turns.") var runs = 7
    @Option(help: "Connections for measuring the rate; latency is measured with one.") var connections = 64
    @Flag(help: "Print the result as one JSON object.") var json = false

    func run() async throws {
        let directory = try Scratch.directory("merge")
        defer { try? FileManager.default.removeItem(atPath: directory) }
        let kinds = hubs.split(separator: ",").compactMap { Int($0) }
        guard let most = kinds.max(), let first = kinds.first else { throw ValidationError("--hubs takes numbers.") }
        let data = directory + "/data"
        try prepare(directory, data, kinds, authors: most)
        // Plain authors have only the readers as followers.
        let threshold = max(readers * kinds.count, audience - 1)
        let server = try await Server(
            graphd: graphd, directory: data, arguments: ["--hub-threshold", "\(threshold)"])
        defer { server.stop() }
        try server.command(["timelines", "rebuild", "--all"])
        try await server.client.waitUntilOutboxIsEmpty()
        var loads: [Int: PageLoad] = [:]
        for kind in kinds {
            let tokens = try await Tokens.make(
                (1...readers).map { "r\(kind)x\($0)" }, graphd: graphd, directory: data)
            loads[kind] = try PageLoad(tokens: tokens, script: directory + "/readers-\(kind).lua")
        }

        let url = server.base + "/v1/timelines/home?limit=20"
        for kind in kinds { _ = try loads[kind]?.run(url, connections: connections, seconds: 1) }
        var rates: [Int: Spread] = [:]
        var shares: [Int: Spread] = [:]
        var (p50, p99): ([Int: Spread], [Int: Spread]) = ([:], [:])
        for turn in 1...runs {
            var base = 0.0
            for kind in kinds {
                guard let load = loads[kind] else { continue }
                let rate = try load.run(url, connections: connections, seconds: seconds).rate
                let latency = try load.run(url, connections: 1, seconds: 1)
                if kind == first { base = rate }
                rates[kind, default: Spread()].add(rate)
                shares[kind, default: Spread()].add(base / rate)
                p50[kind, default: Spread()].add(latency.p50)
                p99[kind, default: Spread()].add(latency.p99)
                Progress.say(String(format: "turn %d, %d hubs: %.0f pages/s", turn, kind, rate))
            }
        }
        try await server.verify()
        var table = FigureTable(
            "merge",
            sizes: [
                "followees": most, "posts": most * 2 * postsEach, "readers": readers, "connections": connections,
                "threshold": threshold, "runs": runs,
            ], columns: ["hubs", "pages_s", "costToFirst", "costRange", "pageP50_ms", "pageP99_ms"])
        for kind in kinds {
            let share = shares[kind] ?? Spread()
            table.add([
                .count(kind), .decimal(rates[kind]?.median ?? 0, 0), .decimal(share.median, 2), .text(share.range(2)),
                .decimal(p50[kind]?.median ?? 0, 3), .decimal(p99[kind]?.median ?? 0, 3),
            ])
        }
        print(try table.rendered(json: json))
    }

    /// Writes authors `a1`… with enough followers to be hubs, plain authors `p1`…, and readers `r{hubs}x1`… who follow
    /// so many of the former and otherwise the latter.
    private func prepare(_ directory: String, _ data: String, _ kinds: [Int], authors: Int) throws {
        var text = "follower,followee\n"
        let crowd = max(audience, readers * kinds.count + 1)
        for author in 1...authors {
            for follower in 1...crowd { text += "f\(follower),a\(author)\n" }
        }
        for kind in kinds {
            for reader in 1...readers {
                for author in 1...authors { text += "r\(kind)x\(reader),\(author <= kind ? "a" : "p")\(author)\n" }
            }
        }
        try text.write(toFile: directory + "/follows.csv", atomically: false, encoding: .utf8)
        let posters = (0..<postsEach).flatMap { _ in (1...authors).flatMap { ["a\($0)", "p\($0)"] } }
        try SampleGraph.writePosts(by: posters, to: directory + "/posts.csv")
        Progress.say("importing \(authors * (crowd + readers * kinds.count)) follows and \(posters.count) posts")
        try Program.run(graphd, ["import", "follows", directory + "/follows.csv", "--data-dir", data])
        try Program.run(
            graphd, ["import", "posts", directory + "/posts.csv", "--data-dir", data] + SampleGraph.postColumns)
    }
}
