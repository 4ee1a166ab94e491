import ArgumentParser
import Foundation
import NIOCore
import Processes

/// The figures of a server on PostgreSQL beside those of one on SQLite, on the same machine in turn.
struct EnginesCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "engines",
        abstract: "Posts, pages, deliveries, import and search on PostgreSQL beside SQLite (needs postgresql-15, wrk).",
        discussion: """
            Posts through a relay have a network of --delay microseconds in each direction between graphd and \
            PostgreSQL. Bare rows are those that the posts have left, inserted by psql in transactions of 64 posts.

            Example:
              loadtests engines --graphd .build/release/graphd
            """)

    @Option(help: "Path of the graphd to measure.") var graphd: String
    @Option(help: "Authors that everybody follows.") var authors = 40
    @Option(help: "Readers.") var readers = 2_000
    @Option(help: "Stored posts.") var posts = 8_000
    @Option(help: "Microseconds in each direction between graphd and PostgreSQL.") var delay = 125
    @Option(help: "Seconds of one measurement.") var seconds = 3
    @Option(help: "Runs of each, in turn.") var runs = 3
    @Flag(help: "Print the result as one JSON object.") var json = false

    func run() async throws {
        let directory = try Scratch.directory("engines")
        defer { try? FileManager.default.removeItem(atPath: directory) }
        let files = EngineFiles(directory: directory, authors: authors, readers: readers, posts: posts)
        try files.write()
        let port = try FreePort.take()
        let postgres = try PostgreSQL(port: port)
        defer { postgres.stop() }
        try postgres.create("graph")
        try postgres.create("far")
        let relay = try await DelayRelay(to: port, delay: .microseconds(Int64(delay)))
        defer { relay.stop() }
        let engines = [
            Engine(name: "SQLite", database: nil),
            Engine(name: "PostgreSQL", database: postgres.address(of: "graph")),
            Engine(name: "through a network", database: postgres.address(of: "far", throughPort: relay.port)),
        ]
        var figures = EngineFigures(engines.map(\.name))
        var sites: [EngineSite] = []
        defer { for site in sites { site.server.stop() } }
        for engine in engines {
            let site = try await EngineSite(engine, files, graphd: graphd) { figures.add($0, $1, of: engine.name) }
            sites.append(site)
        }
        for _ in 0..<runs {
            for site in sites {
                let name = site.engine.name
                figures.add("home page, warm, p50 (ms)", try site.warmPage(seconds: seconds), of: name)
                figures.add("posts/s, 64 clients", try await site.postsASecond(Double(seconds)), of: name)
                figures.add("search, p50 (ms)", try site.search(seconds: seconds), of: name)
                figures.add("deliveries/s", try await site.deliveriesASecond(), of: name)
            }
        }
        for number in sites.indices {
            let (site, cold) = try await sites[number].restartedColdly()
            sites[number] = site
            figures.add("home page, cold, p50 (ms)", cold, of: site.engine.name)
        }
        figures.add(
            "posts/s, 64 clients",
            try await BarePostgreSQL(postgres: postgres, database: "graph", group: 64).rate(posts: 5_000),
            of: EngineFigures.bare)
        for site in sites { try await site.server.verify() }
        print(try figures.table(sizes: ["authors": authors, "readers": readers, "posts": posts]).rendered(json: json))
    }
}

/// An engine, and the address of its database.
struct Engine: Sendable {
    let name: String
    let database: String?
}

/// The medians of figures of several engines.
struct EngineFigures {
    static let bare = "bare rows"

    private let engines: [String]
    private var names: [String] = []
    private var values: [String: [String: [Double]]] = [:]

    init(_ engines: [String]) { self.engines = engines + [Self.bare] }

    mutating func add(_ figure: String, _ value: Double, of engine: String) {
        if values[figure] == nil { names.append(figure) }
        values[figure, default: [:]][engine, default: []].append(value)
        Progress.say("\(engine): \(figure) \(value.short)")
    }

    func table(sizes: KeyValuePairs<String, Int>) -> FigureTable {
        var table = FigureTable("engines", sizes: sizes, columns: ["figure"] + engines)
        for name in names {
            table.add(
                [.text(name)]
                    + engines.map { engine in
                        guard let found = values[name]?[engine] else { return .none }
                        let value = PairedFigure.median(found)
                        return .decimal(value, value < 100 ? 3 : 0)
                    })
        }
        return table
    }
}
