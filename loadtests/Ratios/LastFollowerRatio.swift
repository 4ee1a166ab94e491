import Foundation
import GraphAPI

/// From sending a post to the home timeline of the last of 1,000 followers showing it: the slowest of a hundred at half of
/// the posts that the server can deliver, to the median on the idle machine.
struct LastFollowerRatio: RatioMeasurement {
    var followers = 1_000
    var posts = 200

    let keys: [RatioKey] = [.lastFollower]

    func measure(_ setting: RatioSetting) async throws -> [LoadReport.Comparison] {
        let directory = try Scratch.directory("last")
        defer { try? FileManager.default.removeItem(atPath: directory) }
        try SampleGraph.writeFollows(authors: 8, followers: followers, to: directory + "/follows.csv")
        try Program.run(
            setting.graphd,
            ["import", "follows", directory + "/follows.csv", "--data-dir", directory + "/data"])
        let server = try await Server(graphd: setting.graphd, directory: directory + "/data", port: setting.port)
        defer { server.stop() }
        try server.command(["timelines", "rebuild", "--all"])
        try await server.client.waitUntilSettled()
        let clients = try server.tokens((1...8).map { "a\($0)" } + ["f\(followers)"]).map(server.client.with(token:))
        let (authors, last) = (Array(clients.prefix(8)), clients[8])
        _ = try await times(posts / 4, authors[0], last)
        let capacity = try await capacity(authors, server)
        var figure = PairedFigure(.lastFollower)
        for _ in 0..<setting.runs {
            let idle = try await times(posts, authors[0], last)
            let others = Task {
                // Owner: ended and awaited below.
                try await background(authors.dropFirst().map { $0 }, perSecond: capacity / 2)
            }
            let busy = try await times(posts, authors[0], last)
            others.cancel()
            _ = try? await others.value
            try await server.client.waitUntilSettled()
            figure.add(ours: busy.quantile(0.99), theirs: idle.median)
        }
        try await server.verify()
        return [figure.comparison(note: "beside \((capacity / 2).short) posts/s by others")]
    }

    /// Milliseconds until the last follower sees a post, one post after the other. Asking is part of it.
    private func times(_ count: Int, _ author: GraphClient, _ last: GraphClient) async throws -> Spread {
        var times = Spread()
        for number in 0..<count {
            let start = ContinuousClock.now
            let post = try await author.publish(SampleGraph.draft(number))
            while try await !last.home(limit: 20).items.contains(where: { $0.postId == post }) {}
            times.add(start.duration(to: .now))
        }
        return times
    }

    /// Posts a second, delivered.
    private func capacity(_ authors: [GraphClient], _ server: Server) async throws -> Double {
        let seconds = try await Program.time {
            _ = try await ClosedLoop(concurrency: authors.count).run(posts * 2) { number in
                _ = try await authors[number % authors.count].publish(SampleGraph.draft(number))
            }
            try await server.client.waitUntilSettled()
        }.seconds
        return Double(posts * 2) / seconds
    }

    /// Until it is cancelled.
    private func background(_ authors: [GraphClient], perSecond: Double) async throws {
        let start = ContinuousClock.now
        try await withThrowingDiscardingTaskGroup { group in
            for number in 0... {
                try await Task.sleep(until: start + .seconds(Double(number) / perSecond))
                group.addTask { _ = try await authors[number % authors.count].publish(SampleGraph.draft(number)) }
            }
        }
    }
}
