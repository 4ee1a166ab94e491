import ArgumentParser
import Foundation
import GraphdClient

/// The memory of a reader: the window in Redis, and the server's data on recent readers.
struct MemoryCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "memory",
        abstract: "Bytes per active user on a real graph: window and server.",
        discussion: """
            The resident memory of the server is taken before and after a number of readers who have not read before \
            ask for a page, in steps of equal size; what they share (posts, database pages) fills up with the first \
            steps, so the later ones say what one more reader costs.

            Example:
              loadtests memory --graphd .build/release/graphd --follows ego-twitter-follows.csv.gz
            """)

    @Option(help: "Path of the graphd to measure.") var graphd: String
    @Option(help: "Follows: follower,followee with a header; may be gzipped.") var follows: String
    @Option(help: "Posts, by authors drawn in proportion to followers.") var posts = 20_000
    @Option(help: "Readers in one step.") var readers = 500
    @Option(help: "Steps.") var steps = 6
    @Option(help: "Seed of the random draws.") var seed: UInt64 = 1
    @Flag(help: "Print the result as one JSON object.") var json = false

    func run() async throws {
        let directory = try Scratch.directory("memory")
        defer { try? FileManager.default.removeItem(atPath: directory) }
        let data = directory + "/data"
        let graph = try FollowGraph(csv: try InputFile.plain(follows, in: directory, as: "follows.csv"))
        var generator = SeededGenerator(seed: seed)
        try prepare(directory, data, graph, &generator)
        let server = try await Server(graphd: graphd, directory: data)
        defer { server.stop() }
        try await server.client.waitUntilOutboxIsEmpty()
        let empty = try server.redis().usedMemory
        try server.command(["timelines", "rebuild", "--all"])
        try await server.client.waitUntilOutboxIsEmpty()
        let stored = try server.redis().usedMemory - empty
        let statistics = try JSONDecoder().decode(
            Statistics.self, from: Data(try server.command(["timelines", "stats", "--json"]).utf8))

        let alike = graph.readers()
        var chosen: Set<Int> = []
        while chosen.count < readers * steps { chosen.insert(alike.draw(using: &generator)) }
        let names = chosen.sorted().shuffled(using: &generator).map(graph.username)
        let tokens = try await Tokens.make(names, graphd: graphd, directory: data)
        var table = FigureTable(
            "memory",
            sizes: [
                "users": graph.names.count, "follows": graph.follows, "posts": posts, "windows": statistics.windows,
                "readersPerStep": readers,
            ],
            columns: ["what", "bytesPerUser"])
        table.add([.text("window (MEMORY USAGE)"), .decimal(statistics.bytesPerWindow, 0)])
        table.add([
            .text("window (growth of used_memory)"),
            .decimal(Double(stored) / Double(max(statistics.windows, 1)), 0),
        ])
        for step in 0..<steps {
            let part = tokens[step * readers..<(step + 1) * readers].map(server.client.with(token:))
            let before = try server.usage().residentBytes
            _ = try await ClosedLoop(concurrency: 4).run(readers) { _ = try await part[$0].timelines.home() }
            let grown = try server.usage().residentBytes - before
            table.add([.text("server, readers of step \(step + 1)"), .decimal(Double(grown) / Double(readers), 0)])
        }
        table.add([.text("server in all, bytes"), .count(try server.usage().residentBytes)])
        try await server.verify()
        print(try table.rendered(json: json))
    }

    private struct Statistics: Decodable {
        let windows: Int
        let bytesPerWindow: Double
    }

    private func prepare(
        _ directory: String, _ data: String, _ graph: FollowGraph, _ generator: inout SeededGenerator
    ) throws {
        Progress.say("importing \(graph.follows) follows and \(posts) posts")
        try Program.run(graphd, ["import", "follows", directory + "/follows.csv", "--data-dir", data])
        let draw = graph.authors()
        let authors = (0..<posts).map { _ in graph.username(draw.draw(using: &generator)) }
        try SampleGraph.writePosts(by: authors, to: directory + "/posts.csv")
        try Program.run(
            graphd, ["import", "posts", directory + "/posts.csv", "--data-dir", data] + SampleGraph.postColumns)
    }
}
