import Foundation
import GraphAPI

/// From sending a post to the home timeline of the last of 1,000 followers showing it: the slowest of a hundred at
/// half of the posts that the server can deliver, to the median on the idle machine.
struct LastFollowerRatio: RatioMeasurement {
    var authors = 8
    var followers = 1_000
    var posts = 300

    /// How often the last follower looks.
    private static let pause = Duration.microseconds(500)

    let keys: [RatioKey] = [.lastFollower]

    func measure(_ setting: RatioSetting) async throws -> RatioFindings {
        let directory = try Scratch.directory("last")
        defer { try? FileManager.default.removeItem(atPath: directory) }
        let data = directory + "/data"
        try SampleGraph.writeSeparateFollows(authors: authors, followers: followers, to: directory + "/follows.csv")
        try Program.run(setting.graphd, ["import", "follows", directory + "/follows.csv", "--data-dir", data])
        let server = try await Server(graphd: setting.graphd, directory: data)
        defer { server.stop() }
        try server.command(["timelines", "rebuild", "--all"])
        try await server.client.waitUntilSettled()
        let names = (1...authors).map { "a\($0)" } + ["f1.\(followers)"]
        let clients = try server.tokens(names).map(server.client.with(token:))
        let (author, others, last) = (clients[0], Array(clients[1..<authors]), clients[authors])
        _ = try await times(posts / 4, author, last)
        let capacity = try await capacity(others, server)
        var figure = PairedFigure(.lastFollower)
        for _ in 0..<setting.runs {
            let idle = try await times(posts, author, last)
            let background = Task {
                // Owner: ended and awaited below.
                try await publish(others, perSecond: capacity / 2)
            }
            let busy = try await times(posts, author, last)
            background.cancel()
            _ = try? await background.value
            try await server.client.waitUntilSettled()
            figure.add(ours: busy.quantile(0.99), theirs: idle.median)
        }
        return RatioFindings(
            comparisons: [figure.comparison(note: "beside \((capacity / 2).short) posts/s by others, as large")],
            verification: try await server.verification())
    }

    /// Milliseconds until the last follower sees a post, one post after the other. Asking is part of it.
    private func times(_ count: Int, _ author: GraphClient, _ last: GraphClient) async throws -> Spread {
        var times = Spread()
        for number in 0..<count {
            let start = ContinuousClock.now
            let post = try await author.publish(SampleGraph.draft(number))
            while try await last.home(limit: 1).items.first?.postId != post { try await Task.sleep(for: Self.pause) }
            times.add(start.duration(to: .now))
        }
        return times
    }

    /// Posts a second, delivered.
    private func capacity(_ authors: [GraphClient], _ server: Server) async throws -> Double {
        let count = posts * 4
        let seconds = try await Program.time {
            _ = try await ClosedLoop(concurrency: authors.count * 2).run(count) { number in
                _ = try await authors[number % authors.count].publish(SampleGraph.draft(number))
            }
            try await server.client.waitUntilSettled()
        }.seconds
        return Double(count) / seconds
    }

    /// Until it is cancelled.
    private func publish(_ authors: [GraphClient], perSecond: Double) async throws {
        let start = ContinuousClock.now
        try await withThrowingDiscardingTaskGroup { group in
            for number in 0... {
                try await Task.sleep(until: start + .seconds(Double(number) / perSecond))
                group.addTask { _ = try await authors[number % authors.count].publish(SampleGraph.draft(number)) }
            }
        }
    }
}
