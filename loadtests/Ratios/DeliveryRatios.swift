import Foundation
import GraphdClient

/// Durable deliveries a second of the whole path, from posts over HTTP until the outbox is empty, with full windows for
/// every follower, compared with the fan-out limit and Stream-Framework on the same machine in the same run.
///
/// *Steady*: each author sends the next post when the previous one has been delivered, and no two authors have a common
/// follower, so that there is nothing to coalesce. *Storm*: all posts are sent as fast as they are accepted.
struct DeliveryRatios: RatioMeasurement {
    var authors = 16
    /// Followers of each author; nobody follows two.
    var followers = 2_500
    var cap = 128
    var steadyPosts = 320
    var stormPosts = 320

    /// Bytes of a sorted set of 800 entries that is a skiplist.
    private static let skiplist = 90_000.0
    /// Pause between an author's checks whether a post has been delivered.
    private static let pause = Duration.milliseconds(40)

    let keys: [RatioKey] = [
        .deliveriesVsLimit, .stormVsLimit, .deliveriesVsStreamFramework, .stormVsStreamFramework, .windowMemory,
    ]

    func measure(_ setting: RatioSetting) async throws -> RatioFindings {
        let directory = try Scratch.directory("deliveries")
        defer { try? FileManager.default.removeItem(atPath: directory) }
        let server = try await prepared(directory, setting)
        defer { server.stop() }
        let tokens = try server.tokens((1...authors).map { "a\($0)" })
        let clients = tokens.map(server.client.with(token:))
        let limit = FanoutLimit(timelines: authors * followers, cap: cap)
        let peer = try StreamFramework(
            environment: setting.peers + "/stream-framework", script: "loadtests/Peers/Python/stream_framework_peer.py")
        var (steady, storm) = (PairedFigure(.deliveriesVsLimit), PairedFigure(.stormVsLimit))
        var (steadyPeer, stormPeer) = (
            PairedFigure(.deliveriesVsStreamFramework), PairedFigure(.stormVsStreamFramework)
        )
        _ = try await self.steady(clients, server)
        for _ in 0..<setting.runs {
            let ours = try await self.steady(clients, server)
            let theirs = try limit.measure(posts: max(steadyPosts / authors, 1))
            let stormy = try await self.storm(tokens, server)
            let slow = try peer.measure(followers: followers, posts: 8, cap: cap)
            steady.add(ours: ours, theirs: theirs)
            storm.add(ours: stormy, theirs: theirs)
            steadyPeer.add(ours: ours, theirs: slow)
            stormPeer.add(ours: stormy, theirs: slow)
        }
        var memory = PairedFigure(.windowMemory)
        memory.add(ours: try server.windowStatistics().bytesPerWindow, theirs: Self.skiplist)
        let setup = "\(authors) authors of \(followers) followers each, cap \(cap)"
        return RatioFindings(
            comparisons: [
                steady.comparison(note: setup + "; the next post when the last is delivered"),
                storm.comparison(note: setup + "; \(stormPosts) posts at once"), steadyPeer.comparison(),
                stormPeer.comparison(), memory.comparison(note: "every window is full"),
            ],
            verification: try await server.verification())
    }

    private func prepared(_ directory: String, _ setting: RatioSetting) async throws -> Server {
        let data = directory + "/data"
        try SampleGraph.writeSeparateFollows(authors: authors, followers: followers, to: directory + "/follows.csv")
        try SampleGraph.writePosts(authors: authors, count: authors * (cap + 64), to: directory + "/posts.csv")
        try Program.run(setting.graphd, ["import", "follows", directory + "/follows.csv", "--data-dir", data])
        try Program.run(
            setting.graphd,
            ["import", "posts", directory + "/posts.csv", "--data-dir", data] + SampleGraph.postColumns)
        let server = try await Server(
            graphd: setting.graphd, directory: data, arguments: ["--window-cap", "\(cap)", "--hub-threshold", "0"])
        try server.command(["timelines", "rebuild", "--all"])
        try await server.client.waitUntilOutboxIsEmpty()
        return server
    }

    private func steady(_ clients: [GraphdClient], _ server: Server) async throws -> Double {
        let share = steadyPosts / authors
        return try await rate(posts: share * authors) {
            try await withThrowingTaskGroup(of: Void.self) { group in
                for client in clients {
                    group.addTask {
                        for number in 0..<share {
                            let post = try await client.publish(SampleGraph.draft(number))
                            while try await client.posts.delivery(postId: post).pending {
                                try await Task.sleep(for: Self.pause)
                            }
                        }
                    }
                }
                try await group.waitForAll()
            }
            try await server.client.waitUntilOutboxIsEmpty()
        }
    }

    private func storm(_ tokens: [String], _ server: Server) async throws -> Double {
        let inTurn = (0..<stormPosts).map { tokens[$0 % tokens.count] }
        return try await rate(posts: stormPosts) { try await server.publish(inTurn, connections: stormPosts) }
    }

    /// Returns deliveries a second of so many posts, which `publish` sends and sees delivered.
    private func rate(posts: Int, _ publish: () async throws -> Void) async throws -> Double {
        let seconds = try await Program.time { try await publish() }.seconds
        return Double(posts * followers) / seconds
    }
}
