import ArgumentParser
import Foundation
import GraphdClient
import Processes

/// Deliveries a second of the whole durable path, compared with the fan-out limit program on the same machine in the
/// same run.
struct DeliveriesCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "deliveries",
        abstract: "Durable deliveries a second against the limit program, in pairs.",
        discussion: """
            Posts come over HTTP; the clock runs until the outbox is empty. Every follower's window exists and is \
            full. The limit program is called as PROGRAM SOCKET TIMELINES POSTS CAP BATCH COALESCE PREFILL and \
            prints deliveries_per_s=…

            Example:
              loadtests deliveries --graphd .build/release/graphd --limit-program ./fanout-limit
            """)

    @Option(help: "Path of the graphd to measure.") var graphd: String
    @Option(help: "The compiled limit program.") var limitProgram: String
    @Option(help: "Followers of each author, all with a window.") var followers = 20_000
    @Option(help: "Authors.") var authors = 8
    @Option(help: "Posts a run.") var posts = 160
    @Option(help: "Runs.") var runs = 5
    @Option(help: "Entries that a window keeps.") var cap = 128

    func run() async throws {
        let directory = try Scratch.directory("deliveries")
        defer { try? FileManager.default.removeItem(atPath: directory) }
        let data = directory + "/data"
        try prepare(directory, data)
        let server = try await Server(
            graphd: graphd, directory: data,
            arguments: ["--window-cap", "\(cap)", "--hub-threshold", "0"])
        defer { server.stop() }
        try server.command(["timelines", "rebuild", "--all"])
        try await server.client.waitUntilOutboxIsEmpty()
        let clients = try (1...authors).map { server.client.with(token: try server.token("a\($0)")) }

        var ratio = Ratio("deliveries")
        for _ in 0..<runs {
            let seconds = try await Program.time { try await storm(clients, server) }.seconds
            ratio.add(ours: Double(posts * followers) / seconds, limit: try limit(directory))
        }
        print(ratio.summary)
        print(try server.command(["timelines", "stats", "--json"]))
        print(try server.command(["timelines", "verify", "--sample", "2000", "--json"]))
    }

    private func prepare(_ directory: String, _ data: String) throws {
        try SampleGraph.writeFollows(authors: authors, followers: followers, to: directory + "/follows.csv")
        try SampleGraph.writePosts(authors: authors, count: cap + 64, to: directory + "/posts.csv")
        try Program.run(graphd, ["import", "follows", directory + "/follows.csv", "--data-dir", data])
        try Program.run(
            graphd, ["import", "posts", directory + "/posts.csv", "--data-dir", data] + SampleGraph.postColumns)
    }

    /// Publishes one post after the other per author, all authors at once, and waits for the last delivery.
    private func storm(_ clients: [GraphdClient], _ server: Server) async throws {
        let share = posts / clients.count
        try await withThrowingTaskGroup(of: Void.self) { group in
            for client in clients {
                group.addTask {
                    for number in 0..<share {
                        _ = try await client.publish(
                            NewPost(caption: "Post \(number)", mediaUrl: "https://media.example/\(number).mp4"))
                    }
                }
            }
            try await group.waitForAll()
        }
        try await server.client.waitUntilOutboxIsEmpty()
    }

    /// Measures one post a call, on a separate Redis with the same settings.
    private func limit(_ directory: String) throws -> Double {
        let socket = directory + "/limit.sock"
        try? FileManager.default.removeItem(atPath: socket)
        let redis = try ChildProcess(
            Program.find("redis-server"),
            ["--port", "0", "--unixsocket", socket, "--save", "", "--zset-max-listpack-entries", "\(cap + 128)"])
        defer { redis.stop(signal: SIGKILL) }
        while !FileManager.default.fileExists(atPath: socket) { usleep(10_000) }
        let output = try Program.run(
            limitProgram, [socket, "\(followers)", "\(posts)", "\(cap)", "500", "1", "\(cap)"])
        let value = output.split(separator: " ").first { $0.hasPrefix("deliveries_per_s=") }?.split(separator: "=").last
        guard let value, let rate = Double(value) else {
            throw Program.Failure(description: "unexpected output: \(output)")
        }
        return rate
    }
}
