import Foundation
import GraphdClient

/// Time from sending a post until the home timeline of the last of its 1,000 followers shows it: 99 of 100 posts at a
/// fixed rate, compared with the median of lone posts on the idle machine.
///
/// At this rate a post is usually delivered before the next one is due, because graphd delivers posts together that
/// wait: a higher rate may be kept up with, but not for each post by itself.
struct LastFollowerRatio: RatioMeasurement {
    var authors = 8
    var followers = 1_000
    /// Posts of a run, so that ten are slower than its p99.
    var posts = 1_000

    /// Lone posts before each run.
    private static let lonePosts = 200
    /// Posts at the beginning of a run that are not counted.
    private static let warmUp = 50
    private static let trial = 200
    /// A short stall of the machine must not decide.
    private static let leastRuns = 3
    /// Posts are due at least twice as far apart as a lone one takes to be delivered.
    private static let share = 0.5
    /// A post may be due while one other is delivered, which is of another author.
    private static let allowed = 1

    let keys: [RatioKey] = [.lastFollower]

    func measure(_ setting: RatioSetting) async throws -> RatioFindings {
        let directory = try Scratch.directory("last")
        defer { try? FileManager.default.removeItem(atPath: directory) }
        let data = directory + "/data"
        try writeFollows(to: directory + "/follows.csv")
        try Program.run(setting.graphd, ["import", "follows", directory + "/follows.csv", "--data-dir", data])
        let server = try await Server(graphd: setting.graphd, directory: data)
        defer { server.stop() }
        try server.command(["timelines", "rebuild", "--all"])
        try await server.client.waitUntilOutboxIsEmpty()
        let clients = try server.tokens((1...authors).map { "a\($0)" } + [Self.last]).map(server.client.with(token:))
        let posting = PostSchedule(
            server: server, authors: Array(clients.dropLast()), watch: FollowerWatch(of: clients[authors]))
        async let watching: Void = posting.watch.run()
        let found = try await measure(setting, posting)
        posting.watch.end()
        try await watching
        return RatioFindings(
            comparisons: [found.comparison], scheduled: [found.runs], verification: try await server.verification())
    }

    private func measure(
        _ setting: RatioSetting, _ posting: PostSchedule
    ) async throws -> (comparison: LoadReport.Comparison, runs: ScheduledRuns) {
        _ = try await posting.lone(Self.lonePosts)
        let rate = try await setting.rates.rate(.lastFollower) {
            let (rate, machine) = try await Disturbance.during(posting.server) { try await findRate(posting) }
            return (rate, machine.isQuiet)
        }
        var figure = PairedFigure(.lastFollower)
        var runs: [ScheduledRuns.Run] = []
        for _ in 0..<max(setting.runs, Self.leastRuns) {
            let idle = try await Disturbance.atRest(posting.server)
            let lone = try await posting.lone(Self.lonePosts).seen
            let (busy, disturbance) = try await Disturbance.during(posting.server) {
                try await posting.run(posts, after: Self.warmUp, perSecond: rate.perSecond)
            }
            figure.add(ours: busy.seen.quantile(0.99), theirs: lone.median)
            runs.append(
                ScheduledRuns.Run(
                    busy.seen, reference: lone.median, busy.backlog, allowed: Self.allowed, idle: idle,
                    busy: disturbance))
        }
        let scheduled = ScheduledRuns(
            key: RatioKey.lastFollower.rawValue, perSecond: rate.perSecond, unit: "posts", origin: rate.origin,
            arrivals: "evenly spaced", allowed: Self.allowed, runs: runs)
        let note = "\(rate.perSecond.short) posts/s of \(authors) authors in turn, \(posts) a run"
        return (figure.comparison(note: note, isValid: scheduled.isKeptUp), scheduled)
    }

    private func findRate(_ posting: PostSchedule) async throws -> Double {
        let lone = try await posting.lone(Self.lonePosts).delivered.median
        Progress.say("last_follower: a lone post is delivered in \(lone.short) ms")
        return try await PreferredRate.find(loneSeconds: lone / 1_000, share: Self.share, allowed: Self.allowed) {
            try await posting.run(Self.trial, after: Self.warmUp, perSecond: $0).backlog
        }
    }

    private static let last = "last"

    /// Writes followers of each author alone, and one of all authors who comes last in the order of delivery: users are
    /// created in the order of the file.
    private func writeFollows(to path: String) throws {
        try SampleGraph.writeSeparateFollows(authors: authors, followers: followers - 1, to: path)
        let text = try String(contentsOfFile: path, encoding: .utf8)
        let common = (1...authors).map { "\(Self.last),a\($0)\n" }.joined()
        try (text + common).write(toFile: path, atomically: false, encoding: .utf8)
    }
}
