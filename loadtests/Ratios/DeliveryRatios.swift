import Foundation
import GraphAPI

/// Durable deliveries a second of the whole path, from posts over HTTP until the outbox is empty, with full windows for
/// every follower, against the limit program and Stream-Framework on the same machine in the same run.
///
/// *Steady*: each of 8 authors sends the next post when the last was acknowledged and has been delivered to their
/// followers, so that there is little to coalesce. *Storm*: all posts are sent as fast as they are taken.
struct DeliveryRatios: RatioMeasurement {
    var authors = 8
    var followers = 20_000
    var cap = 128
    var posts = 160

    let keys: [RatioKey] = [
        .deliveriesVsLimit, .stormVsLimit, .deliveriesVsStreamFramework, .stormVsStreamFramework,
    ]

    func measure(_ setting: RatioSetting) async throws -> [LoadReport.Comparison] {
        let directory = try Scratch.directory("deliveries")
        defer { try? FileManager.default.removeItem(atPath: directory) }
        let server = try await prepared(directory, setting)
        defer { server.stop() }
        let clients = try server.tokens((1...authors).map { "a\($0)" }).map(server.client.with(token:))
        let limit = FanoutLimit(timelines: followers, cap: cap)
        let peer = try StreamFramework(
            environment: setting.peers + "/stream-framework", script: "loadtests/Peers/Python/stream_framework_peer.py")
        var (steady, storm) = (PairedFigure(.deliveriesVsLimit), PairedFigure(.stormVsLimit))
        var (steadyPeer, stormPeer) = (
            PairedFigure(.deliveriesVsStreamFramework), PairedFigure(.stormVsStreamFramework)
        )
        _ = try await rate(clients, concurrency: 1, server)
        for _ in 0..<setting.runs {
            let theirs = try limit.measure(posts: posts)
            let slow = try peer.measure(followers: followers / 4, posts: 8, cap: cap)
            let ours = try await rate(clients, concurrency: 1, server)
            steady.add(ours: ours, theirs: theirs)
            steadyPeer.add(ours: ours, theirs: slow)
            let stormy = try await rate(clients, concurrency: posts / authors, server)
            storm.add(ours: stormy, theirs: theirs)
            stormPeer.add(ours: stormy, theirs: slow)
        }
        try await server.verify()
        return [steady, storm, steadyPeer, stormPeer].map { $0.comparison() }
    }

    private func prepared(_ directory: String, _ setting: RatioSetting) async throws -> Server {
        let data = directory + "/data"
        try SampleGraph.writeFollows(authors: authors, followers: followers, to: directory + "/follows.csv")
        try SampleGraph.writePosts(authors: authors, count: cap + 64, to: directory + "/posts.csv")
        try Program.run(setting.graphd, ["import", "follows", directory + "/follows.csv", "--data-dir", data])
        try Program.run(
            setting.graphd,
            ["import", "posts", directory + "/posts.csv", "--data-dir", data] + SampleGraph.postColumns)
        let server = try await Server(
            graphd: setting.graphd, directory: data, port: setting.port,
            arguments: ["--window-cap", "\(cap)", "--hub-threshold", "0"])
        try server.command(["timelines", "rebuild", "--all"])
        try await server.client.waitUntilSettled()
        return server
    }

    /// - Parameter concurrency: posts of one author that are under way at a time.
    private func rate(_ clients: [GraphClient], concurrency: Int, _ server: Server) async throws -> Double {
        let share = posts / clients.count
        let seconds = try await Program.time {
            try await withThrowingTaskGroup(of: Void.self) { group in
                for client in clients {
                    group.addTask {
                        _ = try await ClosedLoop(concurrency: concurrency).run(share) { number in
                            _ = try await client.publish(SampleGraph.draft(number))
                        }
                    }
                }
                try await group.waitForAll()
            }
            try await server.client.waitUntilSettled()
        }.seconds
        return Double(posts * followers) / seconds
    }
}
