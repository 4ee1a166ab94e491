import ArgumentParser
import Foundation
import Processes

/// Warm home pages a second, compared with a constant answer of the same size on the same HTTP stack.
struct ReadsCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "reads",
        abstract: "Home pages a second against a constant answer of equal size, in pairs (needs wrk).",
        discussion: "Example:\n  loadtests reads --graphd .build/release/graphd --loadtests .build/release/loadtests")

    @Option(help: "Path of the graphd to measure.") var graphd: String
    @Option(help: "This program, to serve the constant answer in a process of its own.") var loadtests: String
    @Option(help: "Readers in turn.") var readers = 64
    @Option(help: "Seconds a run.") var seconds = 5
    @Option(help: "Runs.") var runs = 5
    @Option(help: "Connections.") var connections = 64

    func run() async throws {
        let directory = try Scratch.directory("reads")
        defer { try? FileManager.default.removeItem(atPath: directory) }
        let data = directory + "/data"
        try SampleGraph.writeFollows(authors: 40, followers: readers, to: directory + "/follows.csv")
        try SampleGraph.writePosts(authors: 40, count: 4_000, to: directory + "/posts.csv")
        try Program.run(graphd, ["import", "follows", directory + "/follows.csv", "--data-dir", data])
        try Program.run(
            graphd, ["import", "posts", directory + "/posts.csv", "--data-dir", data] + SampleGraph.postColumns)
        let server = try await Server(graphd: graphd, directory: data)
        defer { server.stop() }
        try server.command(["timelines", "rebuild", "--all"])
        try await server.client.waitUntilOutboxIsEmpty()
        let tokens = try (1...readers).map { try server.token("f\($0)") }
        let size = try pageSize(server, tokens[0])

        let port = try FreePort.take()
        let constant = try ChildProcess(loadtests, ["constant", "--port", "\(port)", "--bytes", "\(size)"])
        defer { constant.stop() }
        let load = try PageLoad(tokens: tokens, script: directory + "/readers.lua")
        func rate(_ url: String) throws -> Double {
            try load.run(url, connections: connections, seconds: seconds).rate
        }
        var ratio = Ratio("home pages of \(size) bytes")
        _ = try rate(server.base + "/v1/timelines/home?limit=20")
        for _ in 0..<runs {
            let ours = try rate(server.base + "/v1/timelines/home?limit=20")
            ratio.add(ours: ours, limit: try rate("http://127.0.0.1:\(port)/constant"))
        }
        print(ratio.summary)
    }

    private func pageSize(_ server: Server, _ token: String) throws -> Int {
        try Program.run(
            Program.find("curl"),
            ["-s", "-H", "Authorization: Bearer \(token)", server.base + "/v1/timelines/home?limit=20"]
        ).utf8.count
    }
}
