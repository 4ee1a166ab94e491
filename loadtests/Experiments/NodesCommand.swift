import ArgumentParser
import Foundation

/// Three nodes beside one, and beside a server on SQLite.
struct NodesCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "nodes",
        abstract: "Pages, posts and the cost of a delivery on one and on three nodes (needs postgresql-15, wrk).",
        discussion: """
            The nodes share a PostgreSQL server and a Redis Cluster with a master for each of them. All run on this \
            machine, so what counts is processor time: that of the nodes, of Redis and of PostgreSQL, for each \
            delivery. Each deployment runs by itself, with new data in each run. A node has 64 clients; in the other \
            rows of three nodes 64 clients post to one of them, or to all of them alike.

            Example:
              loadtests nodes --graphd .build/release/graphd
            """)

    @Option(help: "Path of the graphd to measure.") var graphd: String
    @Option(help: "Followers of the author.") var followers = 760
    @Option(help: "Seconds of one measurement.") var seconds = 4
    @Option(help: "Runs of each, in turn.") var runs = 3
    @Flag(help: "Print the result as one JSON object.") var json = false

    func run() async throws {
        let directory = try Scratch.directory("nodes")
        defer { try? FileManager.default.removeItem(atPath: directory) }
        let follows = directory + "/follows.csv"
        try SampleGraph.writeFollows(authors: 1, followers: followers, to: follows)
        let postgres = try PostgreSQL()
        defer { postgres.stop() }
        let shapes = [
            NodeSite.Shape(name: "SQLite", nodes: 1, masters: 0), NodeSite.Shape(name: "1 node", nodes: 1, masters: 1),
            NodeSite.Shape(name: "3 nodes", nodes: 3, masters: 3),
        ]
        var figures: [String: NodeFigures] = [:]
        for run in 1...runs {
            for shape in shapes {
                let site = try await NodeSite(
                    shape, run: run, postgres: postgres, follows: follows, followers: followers, graphd: graphd,
                    in: directory)
                defer { site.stop() }
                figures[shape.name, default: NodeFigures()].pages += try site.warmPages(seconds: seconds)
                for (name, nodes, clients) in Self.loads(of: shape) {
                    let posting = try await site.post(to: nodes, clients: clients, seconds: Double(seconds))
                    figures[name, default: NodeFigures()].rates.append(posting.postsASecond)
                    figures[name, default: NodeFigures()].usages.append(posting.microsecondsADelivery)
                }
                try await site.verify()
            }
        }
        var table = FigureTable(
            "nodes", sizes: ["followers": followers, "seconds": seconds, "runs": runs],
            columns: [
                "deployment", "warmPageP50_ms", "posts_s", "cpuPerDelivery_us", "nodes_us", "redis_us", "postgres_us",
            ])
        for name in figures.keys.sorted() {
            guard let found = figures[name] else { continue }
            table.add([.text(name), found.page, found.rate] + found.costs)
        }
        print(try table.rendered(json: json))
    }

    /// Names, nodes that are posted to, and the clients of each of these.
    private static func loads(of shape: NodeSite.Shape) -> [(name: String, nodes: Int, clients: Int)] {
        let all = 64
        if shape.masters == 0 { return [] }
        if shape.nodes == 1 { return [(shape.name, 1, all)] }
        return [
            (shape.name, shape.nodes, all), ("\(shape.name), posts to 1", 1, all),
            ("\(shape.name), \(all) clients in all", shape.nodes, all / shape.nodes),
        ]
    }
}

/// The results of the runs of a deployment.
private struct NodeFigures {
    var pages: [Double] = []
    var rates: [Double] = []
    var usages: [NodeSite.Usage] = []

    var page: FigureTable.Cell { median(pages, 3) }
    var rate: FigureTable.Cell { median(rates, 0) }
    var costs: [FigureTable.Cell] {
        let parts: [KeyPath<NodeSite.Usage, Double>] = [\.sum, \.nodes, \.redis, \.postgres]
        return parts.map { part in median(usages.map { $0[keyPath: part] }, 2) }
    }

    private func median(_ values: [Double], _ decimals: Int) -> FigureTable.Cell {
        values.isEmpty ? .none : .decimal(PairedFigure.median(values), decimals)
    }
}
