import Database
import Discovery
import Importing
import SocialGraph
import TestSupport
import Testing

@testable import Timeline

/// Round trips to a PostgreSQL server, as the driver counts them. The numbers are exact, so that a change is noticed.
@Suite(.timeLimit(.process))
struct ServerRoundTripTests {
    /// BEGIN with the lock on the sequencer row and what is read ahead, and COMMIT after all statements.
    private static let group = 2

    private static func withCountedGraph(
        _ body: (GraphStore, any TestDatabase, RoundTrips) async throws -> Void
    ) async throws {
        try await withGraphLocation(on: .postgreSQL) { location in
            let trips = RoundTrips()
            let database = try await onThread { try location.open(observingRoundTrips: trips.note) }
            try await closing(database) { try await body(GraphStore(database: database), database, trips) }
        }
    }

    private static func users(_ count: Int, _ graph: GraphStore, prefix: String = "user") async throws -> [UserID] {
        var users: [UserID] = []
        for number in 0..<count {
            users.append(
                try await graph.accounts.createAccount(username: "\(prefix)\(number)", email: nil, passwordHash: nil).id
            )
        }
        return users
    }

    @Test
    func `an act takes the round trips of its body and two of its group`() async throws {
        try await Self.withCountedGraph { graph, _, trips in
            let users = try await Self.users(3, graph)
            // The first post looks up once whether there are rules.
            let post = try await graph.posts.publish(.sample(users[0])).id
            func expect(_ count: Int, _ name: String, _ body: () async throws -> Void) async throws {
                let before = trips.count
                try await body()
                #expect(trips.count - before == count, "\(name)")
            }
            try await expect(Self.group, "post") { _ = try await graph.posts.publish(.sample(users[0])) }
            var tagged = NewPost.sample(users[0])
            (tagged.algorithmTags, tagged.category) = (["first", "second"], "third")
            try await expect(Self.group + 1, "post with new topics") { _ = try await graph.posts.publish(tagged) }
            try await expect(Self.group, "post with known topics") { _ = try await graph.posts.publish(tagged) }
            try await expect(Self.group + 3, "follow") { try await graph.follows.follow(users[1], users[0]) }
            try await expect(Self.group + 4, "like") { _ = try await graph.likes.like(post, by: users[1]) }
            let search = PostSearch(graph: graph, rankings: Rankings(graph: graph, trends: Trends(graph: graph)))
            try await expect(4, "search") {
                let query = PostQuery(words: "caption", sort: .recency)
                _ = try await search.page(query, for: users[1], limit: 20) { ids in
                    try await graph.posts.posts(ids).map(Optional.some)
                }
            }
        }
    }

    @Test
    func `posts that share a commit share the round trips of its group`() async throws {
        try await Self.withCountedGraph { graph, database, trips in
            let author = try await Self.users(1, graph)[0]
            _ = try await graph.posts.publish(.sample(author))
            let before = trips.count
            let posts = (0..<64).map { _ in
                { @Sendable in try await graph.posts.publish(.sample(author)).id }
            }
            let results = try await database.inOneGroup(posts)
            #expect(results.allSatisfy { $0.error == nil })
            // The writer was held by a write of its own.
            #expect(trips.count - before == Self.group + Self.group)
        }
    }

    @Test(.redisServer)
    func `a page from memory takes none, and one of 20 unknown posts three`() async throws {
        let redis = try #require(RedisServer.current).configuration
        try await Self.withCountedGraph { graph, _, trips in
            let service = try await TimelineService(
                graph: graph, formerOwner: .isDead, terms: .lasting, redis: .servers([redis]), depth: WindowDepth(),
                options: Self.options, logger: quiet, encoding: .none)
            try await withThrowingTaskGroup(of: Void.self) { group in
                group.addTask { try await service.run() }
                let least = try await Self.countPages(graph, service, trips, expecting: [3, 0])
                #expect(least == [3, 0])
                group.cancelAll()
            }
        }
    }

    @Test(.redisServer)
    func `on one of several nodes each page takes one more, for the look at the log`() async throws {
        let redis = try #require(RedisServer.current).configuration
        try await Self.withCountedGraph { graph, database, trips in
            let turns = FanoutTurns(database)
            let service = try await TimelineService(
                graph: graph, sharedBy: turns.duties, redis: .servers([redis]), depth: WindowDepth(),
                options: Self.options, logger: quiet, encoding: .none)
            try await withThrowingTaskGroup(of: Void.self) { group in
                group.addTask { try await service.run() }
                let least = try await Self.countPages(graph, service, trips, turns, expecting: [4, 1])
                #expect(least == [4, 1])
                group.cancelAll()
            }
        }
    }

    /// A service that does not look at the log unasked: nobody else writes.
    private static let options = {
        var options = TimelineOptions(isAudited: false)
        options.mechanisms.looksUnasked = false
        return options
    }()

    /// The least round trips of a page, cold and again, of readers whose number grows until the least is `expected`.
    /// The work of the service adds to some pages: the looks at the outbox. Between the turns of a node there is none.
    private static func countPages(
        _ graph: GraphStore, _ service: TimelineService, _ trips: RoundTrips, _ turns: FanoutTurns? = nil,
        expecting expected: [Int]
    ) async throws -> [Int] {
        // Not for synchronisation: the pause between two polls.
        while service.fanout == nil { try await Task.sleep(for: .milliseconds(5)) }
        while await service.shardsAnswer().contains(false) {
            // Not for synchronisation, either.
            try await Task.sleep(for: .milliseconds(5))
            try await service.confirm()
        }
        var least = [Int.max, Int.max]
        for round in 0..<8 where least != expected {
            turns?.resume()
            let readers = try await Self.readers(round, graph, service)
            turns?.pause()
            // Not for synchronisation: the pause between two polls.
            while turns?.isAtWork == true { try await Task.sleep(for: .milliseconds(5)) }
            for reader in readers {
                let cold = try await countPage(of: reader, service, trips)
                let warm = try await countPage(of: reader, service, trips)
                least = [min(least[0], cold), min(least[1], warm)]
            }
        }
        return least
    }

    /// Eight users whose windows hold more posts than a page.
    private static func readers(_ round: Int, _ graph: GraphStore, _ service: TimelineService) async throws -> [UserID]
    {
        let (count, followed) = (8, 5)
        let users = try await users(count * (1 + followed), graph, prefix: "round\(round)user")
        let readers = Array(users.prefix(count))
        for (number, reader) in readers.enumerated() {
            for author in users[count...].dropFirst(number * followed).prefix(followed) {
                try await graph.follows.follow(reader, author)
                _ = try await graph.bulkPosts.publish(batch: (0..<5).map { _ in .sample(author) })
            }
        }
        try await graph.outbox.enqueueBuild(of: readers)
        // Not for synchronisation: the pause between two polls.
        while try await service.pending().count > 0 { try await Task.sleep(for: .milliseconds(5)) }
        return readers
    }

    private static func countPage(
        of reader: UserID, _ service: TimelineService, _ trips: RoundTrips
    ) async throws -> Int {
        let before = trips.count
        try await service.confirm()
        let page = try await service.readers.home.page(of: reader, below: nil, limit: 20)
        #expect(page.items.count == 20)
        _ = try await service.readers.details.details(of: page.items.map(\.post), for: reader)
        return trips.count - before
    }
}
