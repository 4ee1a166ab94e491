import Database
import SocialGraph
import TestSupport
import Testing

@testable import Timeline

@Suite(.timeLimit(.model))
struct StreamReplayTests {
    @Test(.redisServer)
    func `what was missed comes once, over a restart, with what another process wrote`() async throws {
        try await withTimeline { harness async throws in
            let users = try await harness.users(3)
            let (me, friend) = (users[0], users[1])
            try await harness.graph.follows.follow(me, friend)
            var client = try #require(harness.open(me))
            var (expected, told): ([PostID], [PostID]) = ([], [])
            for round in 0..<6 {
                expected.append(try await harness.post(friend))
                #expect(await client.read(until: expected[expected.count - 1]))
                await client.disconnect()
                told += client.posts
                let last = try #require(client.events.last?.sequence)
                expected.append(try await harness.otherGraph.posts.publish(.sample(friend)).id)
                if round.isMultiple(of: 2) { try await harness.restartService() }
                expected.append(try await harness.post(me))
                try await harness.post(users[2])
                client = try #require(harness.open(me, after: last))
            }
            expected.append(try await harness.post(me))
            #expect(await client.read(until: expected[expected.count - 1]))
            #expect(told + client.posts == expected)
        }
    }

    @Test(.redisServer)
    func `a post, and the author by whom it is here, are told of once where both were missed`() async throws {
        try await withTimeline { harness async throws in
            let (graph, users) = (harness.graph, try await harness.users(3))
            try await graph.follows.follow(users[0], users[2])
            let start = try await graph.changes.latestChange()
            let post = try await harness.post(users[1], with: [users[2]])
            try await graph.collaborations.acceptCollaboration(on: post, by: users[2])
            let marker = try await harness.post(users[0])
            let client = try #require(harness.open(users[0], after: start))
            #expect(await client.read(until: marker))
            #expect(client.posts == [post, marker])
        }
    }

    @Test(.redisServer)
    func `a place that the log has not, or has no more, means to read anew, and then to go on`() async throws {
        try await withTimeline { harness async throws in
            let users = try await harness.users(1)
            for _ in 0..<10 { try await harness.post(users[0]) }
            let latest = try await harness.graph.changes.latestChange()
            try await harness.graph.database.write { transaction -> Void in
                try transaction.execute("DELETE FROM change WHERE seq < ?1", [.integer(latest - 2)])
            }
            for (name, isReset) in [
                ("beginning", true), ("lost", true), ("never", true), ("oldest", false), ("latest", false),
            ] {
                try await harness.waitForBroker()
                let (oldest, latest) = try await (
                    harness.graph.changes.oldestChange() ?? 0, harness.graph.changes.latestChange()
                )
                let places = [
                    "beginning": 0, "lost": oldest - 2, "never": latest + 1_000, "latest": latest,
                    // A client that has seen the change before the oldest one misses nothing.
                    "oldest": oldest - 1,
                ]
                let lastEvent = try #require(places[name])
                let client = try #require(harness.open(users[0], after: lastEvent))
                let marker = try await harness.post(users[0])
                if isReset {
                    guard case .reset = await client.next() else { return #expect(Bool(false), "\(name)") }
                    #expect(await client.read(until: marker))
                    #expect(client.posts == [marker])
                } else {
                    #expect(await client.read(until: marker))
                    #expect(client.posts.count == Int(latest - lastEvent) + 1, "\(name)")
                }
                await client.disconnect()
            }
        }
    }

    @Test(.redisServer)
    func `who subscribes while others are asked has the change too, and who has seen it has it once`() async throws {
        try await withTimeline { harness async throws in
            let (graph, users) = (harness.graph, try await harness.users(3))
            let (author, gatekeeper, reader) = (users[0], users[1], users[2])
            for user in [gatekeeper, reader] { try await graph.follows.follow(user, author) }
            let gated = GatedGraph(graph: graph, waitingFor: gatekeeper)
            let broker = try await harness.broker(gated)
            let start = try await graph.changes.latestChange()
            let running = Task { await broker.run() }
            defer { running.cancel() }
            _ = try #require(broker.subscribe(gatekeeper))
            let post = try await harness.post(author)
            var arrivals = gated.arrivals.stream.makeAsyncIterator()
            await arrivals.next()
            // The broker is waiting for the gatekeeper's context. One client starts now, one resumes from before, and
            // one has seen the post already.
            let change = try await graph.changes.latestChange()
            let clients = try [nil, start, change].map {
                StreamClient(try #require(broker.open(for: reader, lastEvent: $0)))
            }
            gated.releases.continuation.yield()
            let marker = try await harness.post(author)
            for (client, told) in zip(clients, [[post, marker], [post, marker], [marker]]) {
                #expect(await client.read(until: marker))
                #expect(client.posts == told)
            }
        }
    }

    @Test(
        .redisServer,
        arguments: 1...6 as ClosedRange<UInt64>)
    func `whenever a client is cut off, all that it was told is what was new, each once, in order`(seed: UInt64)
        async throws
    {
        try await withTimeline { harness async throws in
            var history = StreamHistory(harness: harness, random: SplitMix64(seed: seed))
            try await history.run(steps: 120)
            #expect(history.expected.count > 20)
            #expect(history.told == history.expected, "seed \(seed)")
        }
    }
}

/// The events of a reader over many connections, compared with the new entries by the definition of the home timeline.
/// After each step of a connection, both are brought to the same point of the log, because content hidden in between is
/// rightly not sent.
private struct StreamHistory {
    let harness: TimelineHarness
    var random: SplitMix64
    private(set) var told: [FeedEntry] = []
    private(set) var expected: [FeedEntry] = []
    private var users: [UserID] = []
    private var posts: [PostID] = []
    /// Expected entries of the present connection and the gap before it.
    private var expectedHere: Set<FeedEntry> = []
    private var client: StreamClient?
    private var place: Int64 = 0

    private var graph: GraphStore { harness.graph }
    private var me: UserID { users[0] }

    init(harness: TimelineHarness, random: SplitMix64) {
        self.harness = harness
        self.random = random
    }

    private mutating func chance(_ sides: Int) -> Bool { Int.random(in: 0..<sides, using: &random) == 0 }
    private mutating func someone() -> UserID { users.randomElement(using: &random) ?? me }

    mutating func run(steps: Int) async throws {
        users = try await harness.users(8)
        for user in users[1...3] { try await graph.follows.follow(me, user) }
        place = try await graph.changes.latestChange()
        for _ in 0..<steps {
            if client == nil, chance(4) {
                client = harness.open(me, after: place)
                try await note()
            }
            try await act()
            // While connected, the definition is compared with the log step by step.
            if client != nil { try await note() }
            if client != nil, chance(8) { try await cut() }
        }
        client = client ?? harness.open(me, after: place)
        try await note()
        posts.append(try await graph.posts.publish(.sample(me)).id)
        try await note()
        try await cut()
    }

    private mutating func act() async throws {
        let (user, other) = (someone(), someone())
        do {
            switch Int.random(in: 0..<14, using: &random) {
            case 0: try await graph.follows.follow(me, user)
            case 1: try await graph.follows.unfollow(me, user)
            case 2: try await graph.blocksAndMutes.mute(me, user, chance(2) ? .posts : [])
            case 3: try await graph.topics.followTopic("AI", by: me, isInHome: chance(2))
            case 4...5:
                guard let post = posts.suffix(10).randomElement(using: &random) else { return }
                try await graph.reshares.reshare(post, by: user)
            case 6:
                guard let post = posts.suffix(10).randomElement(using: &random) else { return }
                for partner in users { try? await graph.collaborations.acceptCollaboration(on: post, by: partner) }
            case 7: if client == nil, chance(3) { try await harness.restartService() }
            case 8: posts.append(try await harness.otherGraph.posts.publish(.sample(user)).id)
            default:
                let partners = chance(3) && other != user ? [other] : []
                posts.append(
                    try await graph.posts.publish(.sample(user, with: partners, tags: chance(3) ? ["AI"] : [])).id)
            }
        } catch is GraphError {}
    }

    /// Notes the entries that are new since the last call, by the present definition.
    private mutating func note() async throws {
        let changes = try await graph.changes.changes(above: place, limit: 10_000)
        let home = Set(try await graph.feeds.homeByDefinition(of: me))
        for logged in changes {
            let entry: FeedEntry
            switch logged.change {
            case .postPublished(let post, _): entry = FeedEntry(post)
            case .reshared(let position, let post): entry = FeedEntry(position: position, post: post)
            case .collaborationAccepted(let post, let user):
                entry = FeedEntry(post)
                if try await isReached(post, without: user.rawValue) { continue }
            default: continue
            }
            if home.contains(entry), expectedHere.insert(entry).inserted { expected.append(entry) }
        }
        place = changes.last?.sequence ?? place
        try await harness.waitForBroker()
        if let last = expected.last, let client {
            // Waits for each expected entry while it is new, because later acts may hide it.
            while told.last != last, client.events.last.map({ FeedEntry($0.item) }) != last {
                guard await client.next() != nil else { return }
            }
        }
    }

    private func isReached(_ post: PostID, without author: Int64) async throws -> Bool {
        let (me, post) = (me.rawValue, post.rawValue)
        return try await graph.database.read { reader in
            try reader.exists(
                """
                SELECT 1 FROM author_post a WHERE a.post_id = \(post) AND a.author_id <> \(author)
                AND (a.author_id = \(me) OR a.author_id IN (SELECT followee_id FROM follow WHERE follower_id = \(me)))
                UNION SELECT 1 FROM reshare r WHERE r.post_id = \(post)
                AND (r.user_id = \(me) OR r.user_id IN (SELECT followee_id FROM follow WHERE follower_id = \(me)))
                UNION SELECT 1 FROM topic_post p JOIN topic t ON t.id = p.topic_id
                JOIN topic_follow f ON f.topic_key = t.topic_key
                WHERE p.post_id = \(post) AND f.user_id = \(me) AND f.in_home = 1
                """, [])
        }
    }

    private mutating func cut() async throws {
        guard let client else { return }
        await client.disconnect()
        told += client.events.map { FeedEntry($0.item) }
        self.client = nil
        expectedHere = []
    }
}
