import Foundation
import GraphAPI

/// A server over the real graph, with posts by authors drawn in proportion to followers and a window for everybody, and
/// the same as PostgreSQL has it.
struct RealNetwork {
    let shape: FollowGraph
    /// Of the stored posts, in order.
    let authors: [Int]
    let server: Server
    private let directory: String

    init(_ setting: RatioSetting, posts: Int) async throws {
        directory = try Scratch.directory("real")
        let (follows, stored) = (directory + "/follows.csv", directory + "/data")
        try GraphSource.follows(setting.data + "/ego-twitter-follows.csv.gz").write(to: follows, scratch: directory)
        let shape = try FollowGraph(csv: follows)
        var generator = SeededGenerator(seed: 1)
        let draw = shape.authors()
        authors = (0..<posts).map { _ in draw.draw(using: &generator) }
        Progress.say("importing \(shape.follows) follows and \(posts) posts")
        try SampleGraph.writePosts(by: authors.map(shape.username), to: directory + "/posts.csv")
        try Program.run(setting.graphd, ["import", "follows", follows, "--data-dir", stored])
        try Program.run(
            setting.graphd,
            ["import", "posts", directory + "/posts.csv", "--data-dir", stored] + SampleGraph.postColumns)
        server = try await Server(graphd: setting.graphd, directory: stored, port: setting.port)
        try server.command(["timelines", "rebuild", "--all"])
        try await server.client.waitUntilSettled()
        self.shape = shape
    }

    /// Users drawn alike from those who follow somebody.
    func readers(_ count: Int) -> [Int] {
        var generator = SeededGenerator(seed: 2)
        let draw = shape.readers()
        var chosen: Set<Int> = []
        while chosen.count < count { chosen.insert(draw.draw(using: &generator)) }
        return chosen.sorted()
    }

    /// Those who follow most.
    func largestReaders(_ count: Int) -> [Int] {
        Array(shape.followees.indices.sorted { shape.followees[$0] > shape.followees[$1] }.prefix(count))
    }

    func load(_ readers: [Int]) throws -> PageLoad {
        try PageLoad(
            tokens: try server.tokens(readers.map(shape.username)),
            script: directory + "/\(UUID().uuidString).lua")
    }

    /// The same follows and posts; users are their numbers in `shape`.
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
