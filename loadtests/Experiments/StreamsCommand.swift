import ArgumentParser
import Foundation
import GraphdClient

/// Open streams: their number, the cost of each, and the delay of a post.
struct StreamsCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "streams",
        abstract: "Streams held open, the delay from a post's acknowledgement to its event, and what a stream costs.",
        discussion: """
            Every stream's reader follows the one author. The clients live in this process, on the same processors: \
            what they take to read their events is part of the delay. A run fails if a stream misses an event or gets \
            one twice. This program and graphd each need an open file for every stream (ulimit -n).

            Example:
              loadtests streams --graphd .build/release/graphd --clients 100,1000
            """)

    @Option(help: "Path of the graphd to measure.") var graphd: String
    @Option(help: "Open streams, separated by commas.") var clients = "100,1000,5000"
    @Option(help: "Streams of one reader, at most 8.") var streamsEach = 5
    @Option(help: "Posts.") var posts = 50
    @Option(help: "Events a second of all streams together; posts are published at this rate divided by the streams.")
    var eventsPerSecond = 5_000
    @Option(help: "Seconds in which nothing is published, for the cost of a quiet stream.") var quiet = 20
    @Flag(help: "Print the result as one JSON object.") var json = false

    func run() async throws {
        var table = FigureTable(
            "streams", sizes: ["posts": posts, "streamsEach": streamsEach, "eventsPerSecond": eventsPerSecond],
            columns: [
                "streams", "delayP50_ms", "delayP99_ms", "delayMax_ms", "lastClientP50_ms", "cpuPerEvent_us",
                "quietCPUPerStream_us_s", "residentPerStream_bytes",
            ])
        for count in clients.split(separator: ",").compactMap({ Int($0) }) {
            table.add(try await measure(count))
        }
        print(try table.rendered(json: json))
    }

    private func measure(_ count: Int) async throws -> [FigureTable.Cell] {
        let directory = try Scratch.directory("streams")
        defer { try? FileManager.default.removeItem(atPath: directory) }
        let data = directory + "/data"
        let readers = (count + streamsEach - 1) / streamsEach
        try SampleGraph.writeFollows(authors: 1, followers: readers, to: directory + "/follows.csv")
        try Program.run(graphd, ["import", "follows", directory + "/follows.csv", "--data-dir", data])
        let server = try await Server(
            graphd: graphd, directory: data, arguments: ["--max-connections-per-address", "0"])
        defer { server.stop() }
        try server.command(["timelines", "rebuild", "--all"])
        try await server.client.waitUntilOutboxIsEmpty()
        let author = server.client.with(token: try server.token("a1"))
        let tokens = try await Tokens.make((1...readers).map { "f\($0)" }, graphd: graphd, directory: data)
        for token in tokens { _ = try await server.client.with(token: token).timelines.home() }

        let before = try server.usage()
        let (arrivals, costs) = try await GraphdClient.withConnections(count + 8, base: server.base) { client in
            let listeners = StreamListeners(
                clients: (0..<count).map { client.with(token: tokens[$0 / streamsEach]) }, events: posts)
            var costs: StreamCosts?
            let arrivals = try await listeners.during {
                let open = try server.usage()
                // Not for synchronisation: a quiet period is measured.
                try await Task.sleep(for: .seconds(quiet))
                let waited = try server.usage()
                let published = try await publish(author, every: Double(count) / Double(eventsPerSecond))
                costs = StreamCosts(open: open, quiet: waited, published: published)
            }
            guard var costs else { throw Program.Failure(description: "nothing was published") }
            costs.busy = try server.usage()
            return (arrivals, costs)
        }
        try await server.verify()
        let delays = try StreamDelays(arrivals, published: costs.published)
        let busy = (costs.busy ?? costs.quiet).cpuSeconds - costs.quiet.cpuSeconds
        let idle = costs.quiet.cpuSeconds - costs.open.cpuSeconds
        Progress.say("\(count) streams: \(delays.all.median) ms")
        return [
            .count(count), .decimal(delays.all.median, 2), .decimal(delays.all.quantile(0.99), 2),
            .decimal(delays.all.quantile(1), 2), .decimal(delays.last.median, 2),
            .decimal(busy / Double(count * posts) * 1_000_000, 1),
            .decimal(idle / Double(quiet * count) * 1_000_000, 1),
            .decimal(Double(costs.quiet.residentBytes - before.residentBytes) / Double(count), 0),
        ]
    }

    /// Publishes posts and returns the time at which each was acknowledged.
    private func publish(
        _ author: GraphdClient, every seconds: Double
    ) async throws -> [String: ContinuousClock.Instant] {
        var published: [String: ContinuousClock.Instant] = [:]
        var due = ContinuousClock.now
        for number in 0..<posts {
            // Not for synchronisation: posts are sent at a rate.
            try await Task.sleep(until: due, clock: .continuous)
            due += .seconds(seconds)
            let post = try await author.publish(SampleGraph.draft(number))
            published[post] = .now
        }
        return published
    }
}

/// The server's usage at the stages of a run.
struct StreamCosts: Sendable {
    let open: ProcessUsage
    let quiet: ProcessUsage
    var busy: ProcessUsage?
    let published: [String: ContinuousClock.Instant]
}

/// Milliseconds from acknowledgement to arrival.
struct StreamDelays {
    private(set) var all = Spread()
    /// Delays of each post to the last of the streams.
    private(set) var last = Spread()

    /// Fails unless every stream got every post once.
    init(_ arrivals: [[StreamArrival]], published: [String: ContinuousClock.Instant]) throws {
        var latest: [String: Duration] = [:]
        for stream in arrivals {
            guard stream.count == published.count, Set(stream.map(\.post)) == Set(published.keys) else {
                throw Program.Failure(description: "a stream got \(stream.count) of \(published.count) posts")
            }
            for arrival in stream {
                guard let start = published[arrival.post] else { continue }
                // An event may be read before the answer to the post.
                let delay = max(start.duration(to: arrival.time), .zero)
                all.add(delay)
                latest[arrival.post] = max(latest[arrival.post] ?? .zero, delay)
            }
        }
        for delay in latest.values { last.add(delay) }
    }
}
