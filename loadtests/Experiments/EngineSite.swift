import Foundation
import GraphdClient

/// The files that every engine imports.
struct EngineFiles: Sendable {
    let directory: String
    let authors: Int
    let readers: Int
    let posts: Int

    var follows: String { directory + "/follows.csv" }
    var stored: String { directory + "/posts.csv" }
    /// Authors with two followers, so that their posts cost few deliveries.
    var composers: [String] { (1...256).map { "c\($0)" } }

    func write() throws {
        try SampleGraph.writeFollows(authors: authors, followers: readers, to: follows)
        let handle = try FileHandle(forWritingTo: URL(fileURLWithPath: follows))
        try handle.seekToEnd()
        try handle.write(contentsOf: Data(composers.map { "f1,\($0)\nf2,\($0)\n" }.joined().utf8))
        try handle.close()
        try SampleGraph.writePosts(authors: authors, count: posts, to: stored)
    }
}

/// A server over one engine, with a window for every reader.
struct EngineSite: Sendable {
    private static let coldReaders = 100
    private static let batch = 40

    let engine: Engine
    let server: Server
    private let files: EngineFiles
    private let graphd: String
    private let authors: [MixedWorkload.Person]
    private let composers: [MixedWorkload.Person]
    private let pages: PageLoad

    /// Imports the files and builds all windows. Calls `found` with the figures of both.
    init(
        _ engine: Engine, _ files: EngineFiles, graphd: String, found: (String, Double) -> Void
    ) async throws {
        self.engine = engine
        self.files = files
        self.graphd = graphd
        let data = files.directory + "/" + engine.name.replacing(" ", with: "-")
        let place = Server.place(data, engine.database)
        let follows = try await Program.time { try Program.run(graphd, ["import", "follows", files.follows] + place) }
        found("import, follows/s", Double(files.authors * files.readers) / follows.seconds)
        let posts = try await Program.time {
            try Program.run(graphd, ["import", "posts", files.stored] + place + SampleGraph.postColumns)
        }
        found("import, posts/s", Double(files.posts) / posts.seconds)
        server = try await Server(graphd: graphd, directory: data, database: engine.database)
        try await server.client.waitUntilOutboxIsEmpty(within: .seconds(1_800))
        let server = server
        let rebuild = try await Program.time {
            try server.command(["timelines", "rebuild", "--all"])
            try await server.client.waitUntilOutboxIsEmpty()
        }
        found("rebuild, windows/s", Double(files.readers) / rebuild.seconds)
        func people(_ names: [String]) throws -> [MixedWorkload.Person] {
            try server.tokens(names).map { MixedWorkload.Person(id: "", token: $0, followers: 0) }
        }
        authors = try people((1...files.authors).map { "a\($0)" })
        composers = try people(files.composers)
        pages = try PageLoad(
            tokens: server.tokens((1...64).map { "f\($0)" }), script: "\(data)-\(UUID().uuidString).lua")
    }

    private init(_ other: EngineSite, _ server: Server) {
        (engine, files, graphd) = (other.engine, other.files, other.graphd)
        (authors, composers, pages) = (other.authors, other.composers, other.pages)
        self.server = server
    }

    func warmPage(seconds: Int) throws -> Double { try p50("/v1/timelines/home?limit=20", seconds) }

    func search(seconds: Int) throws -> Double { try p50("/v1/search/posts?q=number+77", seconds) }

    private func p50(_ path: String, _ seconds: Int) throws -> Double {
        _ = try pages.run(server.base + path, connections: 1, seconds: 1)
        return try pages.run(server.base + path, connections: 1, seconds: seconds).p50
    }

    func postsASecond(_ seconds: Double) async throws -> Double {
        let plan = LoadGenerator.Plan(port: server.port, connections: 64, pace: .closed, warmUp: 0.5, seconds: seconds)
        let result = try await LoadGenerator.run(
            plan, MixedWorkload([.compose: 1], people: composers, tags: [], seed: 1))
        guard result.failed == 0 else {
            throw Program.Failure(description: "posts were refused: \(result.failures)")
        }
        try await server.client.waitUntilOutboxIsEmpty(within: .seconds(600))
        return result.rate
    }

    /// Deliveries until the outbox is empty, which include the time of the posts.
    func deliveriesASecond() async throws -> Double {
        let clients = authors.map { server.client.with(token: $0.token) }
        let seconds = try await Program.time {
            try await withThrowingTaskGroup(of: Void.self) { group in
                for client in clients {
                    group.addTask {
                        for number in 0..<Self.batch { _ = try await client.publish(SampleGraph.draft(number)) }
                    }
                }
                try await group.waitForAll()
            }
            try await server.client.waitUntilOutboxIsEmpty(within: .seconds(600))
        }.seconds
        return Double(clients.count * Self.batch * files.readers) / seconds
    }

    /// Starts the server again, which loses caches and windows. Returns it and the p50 of a first page.
    func restartedColdly() async throws -> (EngineSite, Double) {
        let tokens = try server.tokens((1...Self.coldReaders).map { "f\($0)" })
        server.stop()
        let again = try await Server(graphd: graphd, directory: server.directory, database: engine.database)
        var times: [Double] = []
        for token in tokens {
            let client = again.client.with(token: token)
            times.append(try await Program.time { _ = try await client.homePage() }.seconds * 1_000)
        }
        return (EngineSite(self, again), PairedFigure.median(times))
    }
}
