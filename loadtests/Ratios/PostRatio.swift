import Foundation

/// Acknowledged posts a second from 64 clients, compared with bare SQLite that inserts the same rows, durably, in
/// groups of 64.
struct PostRatio: RatioMeasurement {
    var authors = 256
    var seconds = 3.0

    private static let clients = 64

    let keys: [RatioKey] = [.postsVsSQLite]

    func measure(_ setting: RatioSetting) async throws -> RatioFindings {
        let directory = try Scratch.directory("posts")
        defer { try? FileManager.default.removeItem(atPath: directory) }
        let data = directory + "/data"
        try SampleGraph.writeSeparateFollows(authors: authors, followers: 2, to: directory + "/follows.csv")
        try Program.run(setting.graphd, ["import", "follows", directory + "/follows.csv", "--data-dir", data])
        let server = try await Server(graphd: setting.graphd, directory: data)
        defer { server.stop() }
        try server.command(["timelines", "rebuild", "--all"])
        let people = try server.tokens((1...authors).map { "a\($0)" }).map {
            MixedWorkload.Person(id: "", token: $0, followers: 0)
        }
        func publish(_ seconds: Double, seed: UInt64) async throws -> Double {
            let plan = LoadGenerator.Plan(
                port: server.port, connections: Self.clients, pace: .closed, warmUp: 0, seconds: seconds, seed: seed)
            let result = try await LoadGenerator.run(
                plan, MixedWorkload([.compose: 1], people: people, tags: [], seed: seed))
            guard result.failed == 0 else {
                throw Program.Failure(description: "posts were refused: \(result.failures)")
            }
            try await server.client.waitUntilOutboxIsEmpty()
            return result.rate
        }
        _ = try await publish(1, seed: 1)
        var figure = PairedFigure(.postsVsSQLite)
        for run in 1...setting.runs {
            let copy = directory + "/bare\(run).db"
            try BareSQLite.copy(data + "/graph.db", to: copy)
            let ours = try await publish(seconds, seed: UInt64(run + 1))
            let bare = try await BareSQLite.addPosts(of: data + "/graph.db", to: copy, inGroupsOf: Self.clients)
            figure.add(ours: ours, theirs: Double(bare.count) / bare.seconds)
        }
        return RatioFindings(
            comparisons: [figure.comparison(note: "\(Self.clients) clients on the same cores")],
            verification: try await server.verification())
    }
}
