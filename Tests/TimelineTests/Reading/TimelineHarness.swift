import Database
import Logging
import RedisClient
import SocialGraph
import TestSupport
import Testing

@testable import Timeline

/// A logger that writes nothing.
let quiet = {
    var logger = Logger(label: "test")
    logger.logLevel = .critical
    return logger
}()

/// A graph with a serving `TimelineService` over the test's redis-servers, and a second opener of the same
/// database, like another process.
final class TimelineHarness {
    static let cap = 16
    /// Small, so that tails are folded all the time.
    static let slack = 6

    /// The servers that windows may be distributed over. They outlive the service, unlike private ones.
    let servers: [RedisServer]
    /// The number of servers in use.
    private(set) var shards: Int
    let location: GraphLocation
    private(set) var database: any TestDatabase
    private(set) var service: TimelineService
    private var serving: Task<Void, Never>
    /// The time at which mutes expire; it stands until a test moves it.
    let expiry = AdjustableClock(SystemClock.milliseconds() - 60_000)
    let otherProcess: any TestDatabase

    var server: RedisServer { servers[0] }
    var graph: GraphStore { GraphStore(database: database) }
    var otherGraph: GraphStore { GraphStore(database: otherProcess) }
    var timelines: Timelines { service.readers }

    init(at location: GraphLocation, servers: [RedisServer]) async throws {
        self.location = location
        self.servers = servers
        shards = servers.count
        otherProcess = try location.open(Self.times(expiry))
        (database, service) = try await Self.open(location, servers, expiry)
        serving = Self.serve(service)
    }

    private static func times(_ expiry: AdjustableClock) -> GraphClock {
        GraphClock(now: SystemClock.milliseconds, expiry: { expiry.now }, wall: SystemClock.milliseconds)
    }

    private static func open(
        _ location: GraphLocation, _ servers: [RedisServer], _ expiry: AdjustableClock,
        patience: Duration = .milliseconds(50)
    ) async throws -> (any TestDatabase, TimelineService) {
        let database = try location.open(times(expiry))
        let redis = servers.map { server in
            var redis = server.configuration
            redis.backoff = RedisBackoff(minimum: .milliseconds(5), maximum: .milliseconds(50))
            // One of several shards is given up now and then, also without need.
            redis.commandTimeout = servers.count == 1 ? .seconds(5) : .seconds(1)
            redis.connectTimeout = .seconds(5)
            return redis
        }
        let service = try await TimelineService(
            graph: GraphStore(database: database), formerOwner: .mayLive, redis: redis,
            depth: WindowDepth(cap: cap, slack: slack),
            isAudited: false, shardPatience: patience, logger: quiet, encoding: .none)
        return (database, service)
    }

    private static func serve(_ service: TimelineService) -> Task<Void, Never> {
        Task { try? await service.run() }
    }

    /// Ends the serving process and all its tasks.
    func stop() async {
        serving.cancel()
        await serving.value
    }

    fileprivate func close() async throws {
        await stop()
        for database in [database, otherProcess] { try await onThread { try database.close() } }
    }

    /// Returns once the service has ended by itself.
    func waitUntilEnded() async { await serving.value }

    /// - Parameters:
    ///   - shards: The number of servers over which the windows are distributed from now on.
    ///   - patience: The time for which one of several shards may be down before it is given up.
    func restartService(shards: Int? = nil, patience: Duration = .milliseconds(50)) async throws {
        await stop()
        try database.close()
        self.shards = shards ?? self.shards
        (database, service) = try await Self.open(
            location, Array(servers.prefix(self.shards)), expiry, patience: patience)
        serving = Self.serve(service)
    }

    func waitUntilUp() async throws {
        // Not for synchronisation: the pause between two polls.
        while await !service.redisAnswers() { try await Task.sleep(for: .milliseconds(5)) }
    }

    /// Returns once no job and no build is left.
    func waitForJobs() async throws {
        // Not for synchronisation: the pause between two polls.
        while try await service.pending().count > 0 { try await Task.sleep(for: .milliseconds(5)) }
    }

    func users(_ count: Int) async throws -> [UserID] {
        var users: [UserID] = []
        for number in 0..<count {
            users.append(
                try await graph.accounts.createAccount(username: "user\(number)", email: nil, passwordHash: nil).id)
        }
        // All users accept invitations, so that a post with collaborators has several authors at once.
        try await database.write { try $0.execute("UPDATE account SET auto_accepts = 1", []) }
        return users
    }

    @discardableResult
    func post(_ author: UserID, with collaborators: [UserID] = []) async throws -> PostID {
        try await graph.posts.publish(.sample(author, with: collaborators)).id
    }

    /// All pages from the newest to the true end.
    func walk(_ viewer: UserID, limit: Int) async throws -> [PostID] {
        var posts: [PostID] = []
        var cursor: FeedPosition?
        repeat {
            let page = try await timelines.home.page(of: viewer, below: cursor, limit: limit)
            posts += page.items.map(\.post.id)
            #expect(page.next == nil || page.items.count == limit, "a page with a next is full")
            #expect(page.next == nil || page.next == page.items.last?.position)
            cursor = page.next
        } while cursor != nil
        return posts
    }

    /// Reads first pages until all `viewers` have windows.
    func warm(_ viewers: [UserID]) async throws {
        try await waitUntilUp()
        var cold = viewers
        while !cold.isEmpty {
            for viewer in cold { _ = try await timelines.home.page(of: viewer, below: nil, limit: 1) }
            try await waitForJobs()
            var left: [UserID] = []
            for viewer in cold {
                // A Redis that is slow for a moment shows no window.
                let slice = try? await timelines.home.sources.windows.reader(of: viewer)
                    .slice(of: viewer, below: .end, count: 1)
                if slice == nil { left.append(viewer) }
            }
            cold = left
        }
    }

    func verify(_ viewers: [UserID]) async throws -> TimelineVerifier.Report {
        let graph = graph
        return try await withStores { try await TimelineVerifier(graph: graph, windows: $0).verify(viewers) }
    }

    /// Runs `body` with the windows of all shards.
    func withStores<T: Sendable>(_ body: @Sendable (WindowStores) async throws -> T) async throws -> T {
        try await withStores(ShardNumber.all(of: shards)[...], [], graph, body)
    }

    private func withStores<T: Sendable>(
        _ numbers: ArraySlice<ShardNumber>, _ stores: [WindowStores.Store], _ graph: GraphStore,
        _ body: @Sendable (WindowStores) async throws -> T
    ) async throws -> T {
        guard let number = numbers.first else { return try await body(WindowStores(stores)) }
        // A generation that has ended belongs to no run.
        let stored = try await WindowSpace.stored(in: graph, number)
        let keys = stored?.runID == "ended" ? nil : stored?.keys
        let logger = Logger.silent
        let connection = try RedisConnection(
            configuration: servers[number.index].configuration, name: "test", logger: logger)
        let running = Task { await connection.run() }
        let result: Result<T, any Error>
        do {
            try await connection.waitUntilUp()
            let store = WindowStores.Store(connection: connection, keys: keys)
            result = .success(try await withStores(numbers.dropFirst(), stores + [store], graph, body))
        } catch {
            result = .failure(error)
        }
        connection.close()
        await running.value
        return try result.get()
    }
}

extension NewPost {
    static func sample(_ author: UserID, with collaborators: [UserID] = []) -> NewPost {
        NewPost(author: author, caption: "caption", mediaURL: "https://media.example/1", collaborators: collaborators)
    }
}

/// Runs `body` on a new graph and the test's redis-server, with further ones for further shards.
func withTimeline<T>(shards: Int = 1, _ body: (TimelineHarness) async throws -> T) async throws -> T {
    try await withGraphLocation { try await withTimeline(at: $0, shards: shards, body) }
}

/// Runs `body` on the graph at `location` and the test's redis-server, with further ones for further shards.
func withTimeline<T>(
    at location: GraphLocation, shards: Int = 1, _ body: (TimelineHarness) async throws -> T
) async throws -> T {
    var servers = [try #require(RedisServer.current)]
    for _ in 1..<max(shards, 1) { servers.append(try RedisServer()) }
    for server in servers.dropFirst() { try await server.start() }
    let result: Result<T, any Error>
    do {
        result = .success(try await withTimeline(at: location, over: servers, body))
    } catch {
        result = .failure(error)
    }
    for server in servers.dropFirst() { await server.remove() }
    return try result.get()
}

private func withTimeline<T>(
    at location: GraphLocation, over servers: [RedisServer], _ body: (TimelineHarness) async throws -> T
) async throws -> T {
    let harness = try await TimelineHarness(at: location, servers: servers)
    let result: Result<T, any Error>
    do { result = .success(try await body(harness)) } catch { result = .failure(error) }
    do {
        try await harness.close()
    } catch {
        _ = try result.get()
        throw error
    }
    return try result.get()
}
