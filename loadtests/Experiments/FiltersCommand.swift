import ArgumentParser
import Foundation
import GraphdClient

/// The cost of a filter: home pages under rare and common filters, compared with the unfiltered page.
struct FiltersCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "filters",
        abstract: "Filtered home pages against unfiltered ones, warm, in pairs (needs wrk).",
        discussion: """
            Half of the posts are by authors whom every reader follows, half by strangers who use the same tags; some \
            readers follow topics as well, which bring a quarter of the strangers' posts into their home. A cold page \
            is the first that a reader ever asks for under a filter.

            Example:
              loadtests filters --graphd .build/release/graphd
            """)

    @Option(help: "Path of the graphd to measure.") var graphd: String
    @Option(help: "Posts in the home timeline for each that matches, separated by commas.") var oneIn = "3,100,10000"
    @Option(help: "Numbers of tags in a filter that matches any of them, separated by commas.") var tags = "1,50"
    @Option(help: "Posts in the home of a reader without topics.") var posts = 220_000
    @Option(help: "Authors that a reader follows.") var authors = 40
    @Option(help: "Warm readers of each kind, used in turn.") var readers = 16
    @Option(help: "Cold readers of each kind.") var coldReaders = 8
    @Option(help: "Posts published after the pages have been warmed.") var fresh = 0
    @Option(help: "Seconds of one measurement.") var seconds = 2
    @Option(help: "Pairs.") var runs = 5
    @Option(help: "Connections for measuring the rate; latency is measured with one.") var connections = 64
    @Flag(help: "Print the result as one JSON object.") var json = false

    private enum Kind: String, CaseIterable { case ordinary, topics }

    func run() async throws {
        let directory = try Scratch.directory("filters")
        defer { try? FileManager.default.removeItem(atPath: directory) }
        let data = directory + "/data"
        try prepare(directory, data)
        let server = try await Server(graphd: graphd, directory: data)
        defer { server.stop() }
        Progress.say("working off the outbox of the import")
        try await server.client.waitUntilOutboxIsEmpty(within: .seconds(1_800))
        try server.command(["timelines", "rebuild", "--all"])
        try await server.client.waitUntilOutboxIsEmpty()
        let author = server.client.with(token: try server.token("a1"))

        var table = FigureTable(
            "filters",
            sizes: [
                "homePosts": posts, "allPosts": posts * 2, "authors": authors, "readers": readers, "fresh": fresh,
                "connections": connections, "runs": runs,
            ],
            columns: [
                "reader", "oneIn", "tags", "fromFilterWindow", "pages_s", "costToUnfiltered", "costRange", "p50_ms",
                "p50ToUnfiltered", "coldP50_ms", "coldMax_ms",
            ])
        for kind in Kind.allCases {
            let warm = try await self.readers(kind, "w", readers, server)
            let cold = try await self.readers(kind, "c", coldReaders, server).map(server.client.with(token:))
            for rarity in numbers(oneIn) {
                for count in numbers(tags) {
                    let filter = FilterTags(oneIn: rarity, count: count)
                    let first = try await coldPages(filter, cold)
                    let share = try await warmUp(filter, warm.map(server.client.with(token:)), server)
                    for number in 0..<fresh { _ = try await author.publish(SampleGraph.draft(number)) }
                    try await server.client.waitUntilOutboxIsEmpty()
                    let load = try PageLoad(tokens: warm, script: directory + "/readers.lua")
                    let pairs = try measure(load, server.base + "/v1/timelines/home?limit=20", filter)
                    table.add(
                        [.text(kind.rawValue), .count(rarity), .count(count), .decimal(share, 2)] + pairs.cells + [
                            .decimal(first.median, 2), .decimal(first.quantile(1), 2),
                        ])
                    Progress.say("\(kind), one in \(rarity), \(count) tags: cost \(pairs.cost.median)")
                }
            }
        }
        try await server.verify()
        print(try table.rendered(json: json))
    }

    private func numbers(_ list: String) -> [Int] { list.split(separator: ",").compactMap { Int($0) } }

    /// Writes authors `a1`… whom all readers follow, strangers `b1`…; readers `wordinary1`…, `cordinary1`…,
    /// `wtopics1`….
    private func prepare(_ directory: String, _ data: String) throws {
        var text = "follower,followee\n"
        for kind in Kind.allCases {
            for name in names(kind, "w", readers) + names(kind, "c", coldReaders) {
                for author in 1...authors { text += "\(name),a\(author)\n" }
            }
        }
        for stranger in 1...authors { text += "a1,b\(stranger)\n" }
        try text.write(toFile: directory + "/follows.csv", atomically: false, encoding: .utf8)
        // Alternately one in the home timeline and one by a stranger, so that both have the same mixture of tags.
        let posters = (0..<posts * 2).map { number in
            (number.isMultiple(of: 2) ? "a" : "b") + "\(number / 2 % authors + 1)"
        }
        let filters = numbers(oneIn).flatMap { rarity in
            numbers(tags).map { FilterTags(oneIn: rarity, count: $0) }
        }
        try SampleGraph.writePosts(by: posters, to: directory + "/posts.csv") { number in
            let place = number / 2
            let topic = number.isMultiple(of: 2) ? [] : Self.topics.indices.filter { place % 20 == $0 }
            return filters.compactMap { $0.tag(ofPost: place) } + topic.map { Self.topics[$0] }
        }
        Progress.say("importing \(posters.count) posts")
        try Program.run(graphd, ["import", "follows", directory + "/follows.csv", "--data-dir", data])
        try Program.run(
            graphd, ["import", "posts", directory + "/posts.csv", "--data-dir", data] + SampleGraph.postColumns)
    }

    private static let topics = (1...5).map { "topic\($0)" }

    private func names(_ kind: Kind, _ prefix: String, _ count: Int) -> [String] {
        (0..<count).map { "\(prefix)\(kind.rawValue)\($0 + 1)" }
    }

    /// Returns the readers' tokens. Those of the kind with topics follow them from now on.
    private func readers(_ kind: Kind, _ prefix: String, _ count: Int, _ server: Server) async throws -> [String] {
        let tokens = try await Tokens.make(
            names(kind, prefix, count), graphd: graphd, directory: server.directory)
        for token in tokens {
            let client = server.client.with(token: token)
            if kind == .topics {
                for topic in Self.topics { try await client.topics.follow(name: topic, TopicFollow(inHome: true)) }
            }
            _ = try await client.timelines.home()
        }
        try await server.client.waitUntilOutboxIsEmpty()
        return tokens
    }

    private func coldPages(_ filter: FilterTags, _ clients: [GraphdClient]) async throws -> Spread {
        var times = Spread()
        for client in clients {
            let (seconds, page) = try await Program.time { try await client.homePage(algorithms: filter.names) }
            guard page.items.count == 20 else {
                throw Program.Failure(description: "a page of \(page.items.count) items under \(filter.names[0])…")
            }
            times.add(seconds * 1_000)
        }
        return times
    }

    /// Reads until the requested windows exist. Returns the share of later pages that began in one.
    private func warmUp(_ filter: FilterTags, _ clients: [GraphdClient], _ server: Server) async throws -> Double {
        for client in clients { _ = try await client.timelines.home(algorithms: filter.list) }
        try await server.client.waitUntilOutboxIsEmpty()
        let before = try await server.client.metricValues()
        for client in clients { _ = try await client.timelines.home(algorithms: filter.list) }
        let after = try await server.client.metricValues()
        let series = "graphd_filter_reads_total{outcome=\"hit\"}"
        return (after[series, default: 0] - before[series, default: 0]) / Double(clients.count)
    }

    private func measure(_ load: PageLoad, _ url: String, _ filter: FilterTags) throws -> FilterPairs {
        let filtered = url + "&algorithms=" + filter.list
        var pairs = FilterPairs()
        for address in [url, filtered] { _ = try load.run(address, connections: connections, seconds: 1) }
        for _ in 0..<runs {
            let plain = try load.run(url, connections: connections, seconds: seconds)
            let ours = try load.run(filtered, connections: connections, seconds: seconds)
            pairs.rate.add(ours.rate)
            pairs.cost.add(plain.rate / ours.rate)
            let alone = try load.run(url, connections: 1, seconds: 1)
            let oursAlone = try load.run(filtered, connections: 1, seconds: 1)
            pairs.p50.add(oursAlone.p50)
            pairs.p50Cost.add(oursAlone.p50 / alone.p50)
        }
        return pairs
    }
}

/// Tags at given frequencies: one post in so many has one.
private struct FilterTags {
    let oneIn: Int
    let count: Int

    var names: [String] { (0..<count).map(name) }
    var list: String { names.joined(separator: ",") }

    func tag(ofPost number: Int) -> String? {
        number.isMultiple(of: oneIn) ? name(number / oneIn % count) : nil
    }

    private func name(_ index: Int) -> String { "of\(oneIn)by\(count)n\(index)" }
}

private struct FilterPairs {
    var rate = Spread()
    var cost = Spread()
    var p50 = Spread()
    var p50Cost = Spread()

    var cells: [FigureTable.Cell] {
        [
            .decimal(rate.median, 0), .decimal(cost.median, 2), .text(cost.range(2)), .decimal(p50.median, 3),
            .decimal(p50Cost.median, 2),
        ]
    }
}
