import Foundation
import GraphAPI

/// Acknowledged posts a second from 64 clients, against bare SQLite that inserts the rows of as many posts, durably, in
/// groups of 64: what a post leaves in its own tables, without the fan-out.
struct PostRatio: RatioMeasurement {
    var authors = 64
    var posts = 6_400

    private static let clients = 64

    let keys: [RatioKey] = [.postsVsSQLite]

    func measure(_ setting: RatioSetting) async throws -> [LoadReport.Comparison] {
        let directory = try Scratch.directory("posts")
        defer { try? FileManager.default.removeItem(atPath: directory) }
        try SampleGraph.writeFollows(authors: authors, followers: 2, to: directory + "/follows.csv")
        try Program.run(
            setting.graphd,
            ["import", "follows", directory + "/follows.csv", "--data-dir", directory + "/data"])
        let server = try await Server(graphd: setting.graphd, directory: directory + "/data", port: setting.port)
        defer { server.stop() }
        let clients = try server.tokens((1...authors).map { "a\($0)" }).map(server.client.with(token:))
        func publish(_ count: Int) async throws -> Double {
            let seconds = try await Program.time {
                _ = try await ClosedLoop(concurrency: Self.clients).run(count) { number in
                    _ = try await clients[number % clients.count].publish(SampleGraph.draft(number))
                }
            }.seconds
            try await server.client.waitUntilSettled()
            return Double(count) / seconds
        }
        _ = try await publish(posts / 4)
        var figure = PairedFigure(.postsVsSQLite)
        for run in 0..<setting.runs {
            let ours = try await publish(posts)
            let script = directory + "/bare.sql"
            try BareSQLite.posts(posts, inGroupsOf: Self.clients).write(
                toFile: script, atomically: false, encoding: .utf8)
            let bare = try await Program.time {
                try Program.run(Program.find("sqlite3"), [directory + "/bare\(run).db", ".read \(script)"])
            }.seconds
            figure.add(ours: ours, theirs: Double(posts) / bare)
        }
        try await server.verify()
        return [figure.comparison(note: "the clients on the same cores")]
    }
}
