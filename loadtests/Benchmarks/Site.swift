import Database
import GraphAssembly
import Logging
import RedisClient
import SocialGraph
import Timeline

/// The place where one operation is measured: a copy of the network and a redis-server of its own, in one directory.
struct Site: Sendable {
    static let silence = Logger(label: "benchmarks") { _ in SwiftLogNoOpLogHandler() }

    static func database(in directory: String) -> String { directory + "/graph.db" }

    let directory: String
    /// The count of statements; nil if SQLite does not report them, so that its cost is unchanged.
    let statements: Counter?
    /// The count of round trips; nil if nothing is between the graph and SQLite.
    let roundTrips: Counter?

    var redis: RedisConfiguration { RedisConfiguration(endpoint: .unix(path: directory + "/redis.sock")) }

    /// Opens the database without checkpoints of the log: those depend on time, and under Callgrind an operation takes
    /// many times longer.
    func database() throws -> SQLiteDatabase {
        let path = Self.database(in: directory)
        let clock = Network.clock(startingAt: Network.later)
        guard let statements else { return try SQLiteDatabase(path: path, purpose: .bulkWrites, clock: clock) }
        return try SQLiteDatabase(path: path, purpose: .bulkWrites, clock: clock) { statements.next() }
    }

    func graph() throws -> GraphStore { graph(over: try database()) }

    func graph(over database: SQLiteDatabase) -> GraphStore {
        guard let roundTrips else { return GraphStore(database: database) }
        return GraphStore(database: CountedDatabase(database) { roundTrips.next() })
    }

    func withTimelines(_ body: (Timelines) async throws -> Void) async throws {
        let timelines = try await Timelines(self, redis: .own)
        try await withThrowingTaskGroup(of: Void.self) { group in
            group.addTask { try await timelines.service.run() }
            try await timelines.waitUntilUp()
            try await body(timelines)
            group.cancelAll()
        }
    }
}

/// The timelines of the network as graphd serves them, without the encoding of posts.
struct Timelines: Sendable {
    enum Redis { case own, none }

    let graph: GraphStore
    let service: TimelineService

    /// Creates timelines. Without Redis every page comes from SQLite.
    init(_ site: Site, redis: Redis) async throws {
        graph = try site.graph()
        var configuration = site.redis
        if case .none = redis { configuration.endpoint = .unix(path: site.directory + "/nobody.sock") }
        service = try await TimelineService(
            graph: graph, formerOwner: .isDead, terms: .lasting, redis: .servers([configuration]), depth: WindowDepth(),
            options: TimelineOptions(isAudited: false), logger: Site.silence,
            encoding: ItemEncoding(
                post: { PostFragment(post: $0, json: Array($0.caption.utf8)) },
                author: { AuthorCard(json: Array($0.username.utf8)) }))
    }

    func user(_ name: String) async throws -> UserID { try await graph.user(name) }

    /// Reads a page of 20, which must be full, with the details of its items.
    func readPage(of reader: UserID, filter: FeedFilter = .none) async throws {
        let page = try await service.readers.home.page(of: reader, below: nil, limit: 20, filter: filter)
        guard page.items.count == 20 else { throw BenchmarkError("a page has \(page.items.count) posts") }
        _ = try await service.readers.details.details(of: page.items.map(\.post), for: reader)
    }

    /// Builds windows through the outbox, so that reads have nothing of the readers in memory yet.
    func buildWindows(of readers: [UserID]) async throws {
        try await graph.outbox.enqueueBuild(of: readers)
        try await waitForJobs()
    }

    /// Waits until no job and no build is left.
    func waitForJobs() async throws {
        while try await service.pending().count > 0 { try await Task.sleep(for: .milliseconds(5)) }
    }

    func waitUntilUp() async throws {
        while await service.shardsAnswer().contains(false) { try await Task.sleep(for: .milliseconds(5)) }
    }
}
