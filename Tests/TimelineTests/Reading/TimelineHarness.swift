import Coordination
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

/// A graph with one serving `TimelineService`, or with several nodes, over the test's redis-servers, and a further
/// opener of the same database, like another process.
final class TimelineHarness {
    static let cap = 16
    /// Small, so that tails are folded all the time.
    static let slack = 6

    /// The limits of a service, which depend on the test.
    struct Conditions {
        /// The time for which it waits for the reply to a command, and for a connection.
        var command: Duration
        /// The time for which it waits for the reply to a page read.
        var read: Duration
        /// The time for which it waits for one of several shards.
        var shard: Duration
        /// False if the keys of retired generations stay.
        var isSwept = true
        /// True if each node has lines of its own to PostgreSQL and Redis, which a test may cut.
        var hasLines = false

        /// For tests whose Redis answers: no time that a busy machine reaches.
        static let patient = Conditions(command: .seconds(600), read: .seconds(600), shard: .seconds(600))
        /// For histories in which Redis is stalled. One of several shards is given up now and then, also without need.
        static let impatient = Conditions(
            command: .seconds(5), read: .milliseconds(500), shard: .milliseconds(50))
    }

    /// An opener of the database, and its service.
    private struct Node {
        let database: any TestDatabase
        let service: TimelineService
        let turns: FanoutTurns?
        let serving: Task<Void, Never>
    }

    /// The servers that windows may be distributed over. They outlive the service, unlike private ones.
    let servers: [RedisServer]
    /// The cluster that has the windows instead; nil: the servers have them.
    let cluster: RedisClusterServers?
    /// The number of servers in use.
    private(set) var shards: Int
    let location: GraphLocation
    private var nodes: [Node] = []
    /// The lines of each node, if they can be cut.
    let lines: [NodeLines]
    /// True if other nodes may read and maintain the windows, too.
    let isShared: Bool
    /// The time at which mutes expire; it stands until a test moves it.
    let expiry = AdjustableClock(SystemClock.milliseconds() - 60_000)
    let otherProcess: any TestDatabase

    var server: RedisServer { servers[0] }
    var database: any TestDatabase { nodes[0].database }
    var service: TimelineService { nodes[0].service }
    /// The graph of any node.
    var graph: GraphStore { GraphStore(database: (nodes.randomElement() ?? nodes[0]).database) }
    var otherGraph: GraphStore { GraphStore(database: otherProcess) }
    var timelines: Timelines { service.readers }

    private let mechanisms: SharingMechanisms
    private let conditions: Conditions

    /// - Parameter nodes: nil: one service that has the database for itself.
    init(
        at location: GraphLocation, servers: [RedisServer], cluster: RedisClusterServers? = nil, nodes count: Int?,
        _ mechanisms: SharingMechanisms, _ conditions: Conditions
    ) async throws {
        self.mechanisms = mechanisms
        self.conditions = conditions
        self.location = location
        self.servers = servers
        self.cluster = cluster
        shards = servers.count
        isShared = count != nil
        otherProcess = try location.open(Self.times(expiry))
        if conditions.hasLines, case .server(let address) = location {
            lines = try (0..<(count ?? 1)).map { _ in try NodeLines(to: address, servers) }
        } else {
            lines = []
        }
        for number in 0..<(count ?? 1) { nodes.append(try await begin(number)) }
    }

    private static func times(_ expiry: AdjustableClock) -> GraphClock {
        GraphClock(now: SystemClock.milliseconds, expiry: { expiry.now }, wall: SystemClock.milliseconds)
    }

    private func begin(_ number: Int) async throws -> Node {
        let lines = lines.isEmpty ? nil : lines[number]
        let database = try (lines?.location ?? location).open(Self.times(expiry))
        let graph = GraphStore(database: database)
        let depth = WindowDepth(cap: Self.cap, slack: Self.slack)
        let redis: WindowServers =
            try cluster.map { .cluster(try clusterConfiguration($0)) } ?? .servers(configurations(lines))
        var options = TimelineOptions(isAudited: false, shardPatience: conditions.shard)
        options.mechanisms = mechanisms
        options.isSwept = conditions.isSwept
        let turns =
            isShared ? FanoutTurns(database, groups: TimelineService.fanoutGroups(in: redis)) : nil
        let service =
            if let turns {
                try await TimelineService(
                    graph: graph, sharedBy: turns.duties, redis: redis, depth: depth, options: options, logger: quiet,
                    encoding: .none)
            } else {
                try await TimelineService(
                    graph: graph, formerOwner: .mayLive, redis: redis, depth: depth, options: options, logger: quiet,
                    encoding: .none)
            }
        return Node(database: database, service: service, turns: turns, serving: Task { try? await service.run() })
    }

    private func configurations(_ lines: NodeLines?) -> [RedisConfiguration] {
        servers.prefix(shards).enumerated().map { number, server in
            var redis = server.configuration
            if let lines { redis.endpoint = .unix(path: lines.redis[number].path) }
            redis.backoff = RedisBackoff(minimum: .milliseconds(5), maximum: .milliseconds(50))
            redis.commandTimeout = conditions.command
            redis.connectTimeout = conditions.command
            redis.readTimeout = conditions.read
            return redis
        }
    }

    private func clusterConfiguration(_ cluster: RedisClusterServers) throws -> RedisClusterConfiguration {
        var configuration = try cluster.clientConfiguration(patience: conditions.command)
        configuration.node.readTimeout = conditions.read
        return configuration
    }

    /// The timelines of any node, for a request that begins now.
    func request() async throws -> Timelines {
        let node = nodes.randomElement() ?? nodes[0]
        try await node.service.confirm()
        return node.service.readers
    }

    /// A page of a request to any node, as the server answers it.
    func page(
        of viewer: UserID, below cursor: FeedPosition? = nil, limit: Int, filter: FeedFilter = .none
    ) async throws -> TimelinePage {
        let node = nodes.randomElement() ?? nodes[0]
        let early = try await node.service.confirm(
            reading: cursor == nil && filter.isNone ? (viewer: viewer, limit: limit) : nil)
        return try await node.service.readers.home.page(
            of: viewer, below: cursor, limit: limit, filter: filter, early: early)
    }

    var services: [TimelineService] { nodes.map(\.service) }
    /// The timelines of the node with that number, which has perhaps not heard of the latest commits.
    func node(_ number: Int) -> Timelines { nodes[number].service.readers }
    func graph(of node: Int) -> GraphStore { GraphStore(database: nodes[node].database) }

    /// Leaves the fan-out to one of several nodes from now on, or to none. Returns once no other does any.
    func leaveFanout(to number: Int?) async throws {
        let others = nodes.indices.filter { $0 != number }.compactMap { nodes[$0].turns }
        for turns in others { turns.pause() }
        // Not for synchronisation: the pause between two polls.
        while others.contains(where: \.isAtWork) { try await Task.sleep(for: .milliseconds(5)) }
    }

    /// Returns when the node knows everything that has been committed.
    func confirm(_ node: Int) async throws { try await nodes[node].service.confirm() }

    /// Ends the serving process and all its tasks.
    func stop() async {
        for node in nodes { node.serving.cancel() }
        for node in nodes { await node.serving.value }
    }

    fileprivate func close() async throws {
        await stop()
        for database in nodes.map(\.database) + [otherProcess] { try await onThread { try database.close() } }
        for line in lines { line.stop() }
    }

    /// Returns once the service has ended by itself.
    func waitUntilEnded() async { await nodes[0].serving.value }

    /// Restarts the service, or one of several nodes.
    ///
    /// - Parameters:
    ///   - shards: The number of servers over which the windows are distributed from now on.
    ///   - isCrash: The node leaves its lease to its end.
    func restartService(shards: Int? = nil, isCrash: Bool = false) async throws {
        let index = nodes.indices.randomElement() ?? 0
        if isCrash { nodes[index].turns?.crash() }
        nodes[index].serving.cancel()
        await nodes[index].serving.value
        try nodes[index].database.close()
        self.shards = shards ?? self.shards
        nodes[index] = try await begin(index)
    }

    func waitUntilUp() async throws {
        // Not for synchronisation: the pause between two polls.
        for node in nodes {
            while await node.service.shardsAnswer().contains(false) {
                try await Task.sleep(for: .milliseconds(5))
                try await node.service.parts.follower.catchUp()
            }
        }
    }

    /// The number of filter windows that are being built, of all nodes.
    var pendingFilters: Int { nodes.reduce(0) { $0 + $1.service.readers.home.filterWindows.requests.pending } }

    /// Returns once no job and no build is left.
    func waitForJobs() async throws {
        // Not for synchronisation: the pause between two polls.
        for node in nodes {
            while try await node.service.pending().count > 0 { try await Task.sleep(for: .milliseconds(5)) }
        }
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
            let page = try await page(of: viewer, below: cursor, limit: limit)
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
            for viewer in cold { _ = try await page(of: viewer, limit: 1) }
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
        if let cluster { return try await withStores(of: cluster, body) }
        return try await withStores(ShardNumber.all(of: shards)[...], [], graph, body)
    }

    private func withStores<T: Sendable>(
        of cluster: RedisClusterServers, _ body: @Sendable (WindowStores) async throws -> T
    ) async throws -> T {
        let graph = graph
        return try await withCluster(cluster.clientConfiguration()) { client in
            try await cluster.eventually {
                await client.refresh()
                return RedisBucket.all.allSatisfy { client.master(of: $0)?.writing.present != nil }
            }
            var stores: [WindowStores.Store?] = []
            for number in ShardNumber.all(of: RedisBucket.count) {
                let session = client.master(of: RedisBucket(number.index))?.writing.present
                let stored = try await WindowSpace.stored(in: graph, number)
                stores.append(
                    session.map { .init(connection: $0, keys: stored?.runID == $0.runID ? stored?.keys : nil) })
            }
            return try await body(WindowStores(stores))
        }
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
func withTimeline<T>(
    shards: Int = 1, nodes: Int? = nil, mechanisms: SharingMechanisms = SharingMechanisms(),
    _ conditions: TimelineHarness.Conditions = .patient, _ body: (TimelineHarness) async throws -> T
) async throws -> T {
    try await withGraphLocation {
        try await withTimeline(at: $0, shards: shards, nodes: nodes, mechanisms: mechanisms, conditions, body)
    }
}

/// Runs `body` on the graph at `location` and the test's redis-server, with further ones for further shards.
func withTimeline<T>(
    at location: GraphLocation, shards: Int = 1, nodes: Int? = nil,
    mechanisms: SharingMechanisms = SharingMechanisms(), _ conditions: TimelineHarness.Conditions = .patient,
    _ body: (TimelineHarness) async throws -> T
) async throws -> T {
    var servers = [try #require(RedisServer.current)]
    for _ in 1..<max(shards, 1) { servers.append(try RedisServer()) }
    for server in servers.dropFirst() { try await server.start() }
    let result: Result<T, any Error>
    do {
        result = .success(try await withTimeline(at: location, over: servers, nodes, mechanisms, conditions, body))
    } catch {
        result = .failure(error)
    }
    for server in servers.dropFirst() { await server.remove() }
    return try result.get()
}

/// Runs `body` on a new graph and a cluster.
func withTimeline<T>(
    cluster: RedisClusterServers, nodes: Int? = nil, _ conditions: TimelineHarness.Conditions,
    _ body: (TimelineHarness) async throws -> T
) async throws -> T {
    try await withGraphLocation {
        try await withTimeline(at: $0, cluster: cluster, nodes: nodes, conditions, body)
    }
}

/// Runs `body` on the graph at `location` and a cluster.
func withTimeline<T>(
    at location: GraphLocation, cluster: RedisClusterServers, nodes: Int?, _ conditions: TimelineHarness.Conditions,
    _ body: (TimelineHarness) async throws -> T
) async throws -> T {
    try await withTimeline(at: location, over: [], cluster: cluster, nodes, SharingMechanisms(), conditions, body)
}

private func withTimeline<T>(
    at location: GraphLocation, over servers: [RedisServer], cluster: RedisClusterServers? = nil, _ nodes: Int?,
    _ mechanisms: SharingMechanisms, _ conditions: TimelineHarness.Conditions,
    _ body: (TimelineHarness) async throws -> T
) async throws -> T {
    let harness = try await TimelineHarness(
        at: location, servers: servers, cluster: cluster, nodes: nodes, mechanisms, conditions)
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
