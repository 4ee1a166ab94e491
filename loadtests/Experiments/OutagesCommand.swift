import ArgumentParser
import Foundation
import GraphdClient

/// The time after which graphd serves again when its PostgreSQL server has come back, under load.
struct OutagesCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "outages",
        abstract: "Time from the return of a PostgreSQL server to the first post and page (needs postgresql-15).",
        discussion: """
            A primary with a synchronous standby is killed and started again, stopped and continued (SIGSTOP), or \
            killed and replaced by its standby, each time after --away seconds, while clients go on publishing. At \
            the end, every acknowledged post must be there.

            Example:
              loadtests outages --graphd .build/release/graphd
            """)

    @Option(help: "Path of the graphd to measure.") var graphd: String
    @Option(help: "Clients that publish, each one post after the other.") var clients = 16
    @Option(help: "Readers that ask for cold pages in turn.") var readers = 200
    @Option(help: "Seconds for which the server is away.") var away = 10
    @Option(help: "Runs of each outage.") var runs = 3
    @Flag(help: "Print the result as one JSON object.") var json = false

    func run() async throws {
        var table = FigureTable(
            "outages", sizes: ["clients": clients, "away": away, "runs": runs],
            columns: ["outage", "first post (s)", "longest post (s)", "first cold page (s)", "longest page (s)"])
        for outage in Outage.allCases {
            var (posts, pages): ([Double], [Double]) = ([], [])
            for _ in 0..<runs {
                let found = try await measure(outage)
                Progress.say("\(outage.rawValue): post \(found.post.short) s, page \(found.page.short) s")
                posts.append(found.post)
                pages.append(found.page)
            }
            table.add(
                [.text(outage.rawValue)]
                    + [PairedFigure.median(posts), posts.max() ?? 0, PairedFigure.median(pages), pages.max() ?? 0]
                    .map { .decimal($0, 2) })
        }
        print(try table.rendered(json: json))
    }

    /// Seconds from the return of the server.
    private func measure(_ outage: Outage) async throws -> (post: Double, page: Double) {
        let directory = try Scratch.directory("outages")
        defer { try? FileManager.default.removeItem(atPath: directory) }
        let primary = try PostgreSQL()
        defer { primary.stop() }
        let standby = try PostgreSQL(standbyOf: primary)
        defer { standby.stop() }
        try primary.create("graph")
        try primary.requireStandby()
        let address = primary.address(of: "graph", or: standby)
        let follows = directory + "/follows.csv"
        try SampleGraph.writeFollows(authors: clients, followers: readers, to: follows)
        try Program.run(
            graphd, ["import", "follows", follows] + Server.place(directory + "/data", address))
        let server = try await Server(graphd: graphd, directory: directory + "/data", database: address)
        defer { server.stop() }
        let load = OutageLoad(
            authors: try server.tokens((1...clients).map { "a\($0)" }).map { server.client.with(token: $0) },
            readers: try server.tokens((1...readers).map { "f\($0)" }).map { server.client.with(token: $0) })
        let (post, page) = try await load.run {
            try await Task.sleep(for: .seconds(2))
            try outage.begin(primary)
            load.startReading()
            try await Task.sleep(for: .seconds(away))
            let returned = try outage.end(primary, standby)
            return (try await load.firstPost(after: returned), try await load.firstPage(after: returned))
        }
        try load.check(outage == .promoted ? standby : primary)
        try await server.verify()
        return (post, page)
    }
}

/// A fault of a primary, and its end.
private enum Outage: String, CaseIterable {
    case killed, stopped, promoted

    func begin(_ primary: PostgreSQL) throws {
        switch self {
        case .killed, .promoted: primary.kill()
        case .stopped: primary.freeze()
        }
    }

    /// Returns the instant at which a server accepts writes again.
    func end(_ primary: PostgreSQL, _ standby: PostgreSQL) throws -> ContinuousClock.Instant {
        switch self {
        case .killed: try primary.restart()
        case .stopped: primary.thaw()
        case .promoted: try standby.promote()
        }
        return .now
    }
}
