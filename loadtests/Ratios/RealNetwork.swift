import Foundation

/// A server over the real graph, with posts by authors drawn in proportion to followers and a window for everybody, and
/// the same data in PostgreSQL.
struct RealNetwork {
    let shape: FollowGraph
    /// The authors of the stored posts, in order.
    let authors: [Int]
    let server: Server
    /// Seconds for building all windows, on the idle machine.
    let building: Double
    private let directory: String

    /// - Parameter graph: nil for the real one.
    init(_ setting: RatioSetting, posts: Int, graph: GraphSource? = nil) async throws {
        directory = try Scratch.directory("real")
        do {
            let (follows, stored) = (directory + "/follows.csv", directory + "/data")
            try (graph ?? setting.graphs.follows()).write(to: follows, scratch: directory)
            let shape = try FollowGraph(csv: follows)
            var generator = SeededGenerator(seed: 1)
            let draw = shape.authors()
            authors = (0..<posts).map { _ in draw.draw(using: &generator) }
            Progress.say("importing \(shape.follows) follows of \(shape.names.count) users and \(posts) posts")
            try SampleGraph.writePosts(
                by: authors.map(shape.username), to: directory + "/posts.csv", tags: SampleGraph.variedTags)
            try Program.run(setting.graphd, ["import", "follows", follows, "--data-dir", stored])
            try Program.run(
                setting.graphd,
                ["import", "posts", directory + "/posts.csv", "--data-dir", stored] + SampleGraph.postColumns)
            server = try await Server(graphd: setting.graphd, directory: stored)
            self.shape = shape
        } catch {
            try? FileManager.default.removeItem(atPath: directory)
            throw error
        }
        do {
            let server = server
            // The jobs of the posts do nothing while there are no windows.
            try await server.client.waitUntilOutboxIsEmpty(within: .seconds(3_600))
            building = try await Program.time {
                try server.command(["timelines", "rebuild", "--all"])
                try await server.client.waitUntilOutboxIsEmpty()
            }.seconds
        } catch {
            server.stop()
            try? FileManager.default.removeItem(atPath: directory)
            throw error
        }
    }

    /// Returns users drawn uniformly from those who follow somebody.
    func readers(_ count: Int) -> [Int] {
        var generator = SeededGenerator(seed: 2)
        let draw = shape.readers()
        var chosen: Set<Int> = []
        while chosen.count < min(count, shape.names.count / 2) { chosen.insert(draw.draw(using: &generator)) }
        return chosen.sorted()
    }

    /// Returns the users with most followees.
    func largestReaders(_ count: Int) -> [Int] {
        Array(shape.followees.indices.sorted { shape.followees[$0] > shape.followees[$1] }.prefix(count))
    }

    /// Returns the users whose number of followees is nearest to `followees`.
    func readers(near followees: Int, count: Int) -> [Int] {
        Self.nearest(to: followees, in: shape.followees, count: count)
    }

    /// Returns the users whose number of followers is nearest to `followers`.
    func authors(near followers: Int, count: Int) -> [Int] {
        Self.nearest(to: followers, in: shape.followers, count: count)
    }

    private static func nearest(to degree: Int, in degrees: [Int], count: Int) -> [Int] {
        let order = degrees.indices.sorted { (abs(degrees[$0] - degree), $0) < (abs(degrees[$1] - degree), $1) }
        return Array(order.prefix(count))
    }

    func tokens(_ readers: [Int]) throws -> [String] { try server.tokens(readers.map(shape.username)) }

    func load(_ readers: [Int]) throws -> PageLoad {
        try PageLoad(tokens: try tokens(readers), script: directory + "/\(UUID().uuidString).lua")
    }

    /// Returns the same follows and posts in PostgreSQL; users are their numbers in `shape`.
    func inPostgreSQL(_ postgres: PostgreSQL, cap: Int) throws -> PostgreSQLTimelines {
        let numbers = Dictionary(uniqueKeysWithValues: shape.names.enumerated().map { ($1, $0) })
        let text = try String(contentsOfFile: directory + "/follows.csv", encoding: .utf8)
        let lines = text.split(separator: "\n").dropFirst().map { line -> String in
            let pair = line.split(separator: ",").compactMap { Int($0.dropFirst()).flatMap { numbers[$0] } }
            return pair.count == 2 ? "\(pair[0]),\(pair[1])" : ""
        }
        return try PostgreSQLTimelines(
            postgres, follows: lines.joined(separator: "\n") + "\n", authors: authors, cap: cap)
    }

    func remove() {
        server.stop()
        try? FileManager.default.removeItem(atPath: directory)
    }
}
