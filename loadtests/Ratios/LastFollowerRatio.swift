import Foundation
import GraphAPI

/// Time from sending a post until the home timeline of the last of 1,000 followers shows it: the slowest of a hundred
/// at half of the rate that the server can deliver as posts arrive, including these, compared with the median on the
/// idle machine.
///
/// This rate is lower than the rate of a backlog, where posts of one author are delivered together: it is the highest
/// one, found by halving, at which the outbox is empty as soon as the last post has arrived.
struct LastFollowerRatio: RatioMeasurement {
    var authors = 8
    var followers = 1_000
    var posts = 300

    /// Pause between the looks of the last follower.
    private static let pause = Duration.milliseconds(1)
    /// Number of tried rates, the time for each, and the accepted remainder at the end.
    private static let trials = 6
    private static let trial = 2.0
    private static let rest = 0.1

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
        try await server.client.waitUntilOutboxIsEmpty()
        let names = (1...authors).map { "a\($0)" } + ["f1.\(followers)"]
        let clients = try server.tokens(names).map(server.client.with(token:))
        let (author, others, last) = (clients[0], Array(clients[1..<authors]), clients[authors])
        _ = try await times(posts / 4, author, last)
        let capacity = try await capacity(others, server)
        var figure = PairedFigure(.lastFollower)
        for _ in 0..<setting.runs {
            let idle = try await times(posts, author, last)
            let busy = try await times(posts, author, beside: others, last, server, perSecond: capacity / 2)
            figure.add(ours: busy.quantile(0.99), theirs: idle.median)
        }
        return RatioFindings(
            comparisons: [
                figure.comparison(note: "one of \(authors) posts at \((capacity / 2).short) posts/s, all as large")
            ],
            verification: try await server.verification())
    }

    /// Returns milliseconds until the last follower sees a post, one post after the other. They include the request.
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

    /// Returns milliseconds from the time at which each of `count` posts of `author` was due until the last follower
    /// sees it. The authors take turns, so that these posts are part of the rate.
    private func times(
        _ count: Int, _ author: GraphClient, beside others: [GraphClient], _ last: GraphClient, _ server: Server,
        perSecond: Double
    ) async throws -> Spread {
        let watch = FollowerWatch(of: last)
        async let watching: Void = watch.run()
        let authors = [author] + others
        let sent = try await publish(count * authors.count, authors, perSecond: perSecond)
        let watched = sent.filter { $0.number.isMultiple(of: authors.count) }
        try await server.client.waitUntilOutboxIsEmpty()
        watch.end()
        try await watching
        var times = Spread()
        for (_, post, due) in watched {
            guard let seen = watch.firstSeen(post) else {
                throw Program.Failure(description: "post \(post) was not seen by its author's last follower")
            }
            times.add(due.duration(to: seen))
        }
        return times
    }

    /// Returns posts a second.
    private func capacity(_ authors: [GraphClient], _ server: Server) async throws -> Double {
        var (least, most) = (0.0, try await rateOfBacklog(authors, server))
        for _ in 0..<Self.trials {
            let rate = (least + most) / 2
            if try await isKeptUpWith(rate, authors, server) { least = rate } else { most = rate }
        }
        guard least > 0 else { throw Program.Failure(description: "not even \(most.short) posts/s are kept up with") }
        return least
    }

    /// Returns delivered posts a second, of many that are sent at once.
    private func rateOfBacklog(_ authors: [GraphClient], _ server: Server) async throws -> Double {
        let count = posts * 4
        let seconds = try await Program.time {
            _ = try await ClosedLoop(concurrency: authors.count * 2).run(count) { number in
                _ = try await authors[number % authors.count].publish(SampleGraph.draft(number))
            }
            try await server.client.waitUntilOutboxIsEmpty()
        }.seconds
        return Double(count) / seconds
    }

    private func isKeptUpWith(_ rate: Double, _ authors: [GraphClient], _ server: Server) async throws -> Bool {
        let seconds = try await Program.time {
            try await publish(Int(rate * Self.trial), authors, perSecond: rate)
            try await server.client.waitUntilOutboxIsEmpty()
        }.seconds
        return seconds < Self.trial + Self.rest
    }

    private typealias Sent = (number: Int, post: String, due: ContinuousClock.Instant)

    /// Publishes on a schedule, for each of `authors` in turn.
    @discardableResult
    private func publish(_ count: Int, _ authors: [GraphClient], perSecond: Double) async throws -> [Sent] {
        let start = ContinuousClock.now
        return try await withThrowingTaskGroup(of: Sent.self) { group in
            for number in 0..<count {
                let due = start + .seconds(Double(number) / perSecond)
                try await Task.sleep(until: due)
                group.addTask {
                    (number, try await authors[number % authors.count].publish(SampleGraph.draft(number)), due)
                }
            }
            return try await group.reduce(into: []) { $0.append($1) }
        }
    }
}
