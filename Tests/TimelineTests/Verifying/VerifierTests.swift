import Database
import RedisClient
import SocialGraph
import TestSupport
import Testing

@testable import Timeline

@Suite(.timeLimit(.process))
struct VerifierTests {
    /// A reader with two followees who reshare a stranger's post, the first before the second.
    private struct Scene {
        let harness: TimelineHarness
        let users: [UserID]
        let post: PostID
        let places: [FeedPosition]
        let key: String

        var reader: UserID { users[0] }

        func put(_ position: FeedPosition, _ post: PostID) async throws {
            try await send(["ZADD", key, "-\(position.rawValue)", "\(post.rawValue)"])
        }

        func send(_ words: [String]) async throws {
            try await withConnection(harness.server.configuration) { connection in
                try await connection.send(RedisCommand(words: words)) { _ in }
            }
        }

        func report() async throws -> TimelineVerifier.Report { try await harness.verify(users) }
    }

    private func withScene(_ body: (Scene) async throws -> Void) async throws {
        try await withTimeline { harness async throws in
            let (graph, users) = (harness.graph, try await harness.users(5))
            for user in users[1...2] { try await graph.follows.follow(users[0], user) }
            for _ in 0..<3 { try await harness.post(users[1]) }
            let post = try await harness.post(users[3])
            for user in users[1...2] {
                try await graph.reshares.reshare(post, by: user)
                try await harness.post(user)
            }
            try await harness.waitForJobs()
            try await harness.warm(users)
            let keys = try #require(try await WindowSpace.stored(in: graph)?.keys)
            let scene = Scene(
                harness: harness, users: users, post: post,
                places: try await graph.feeds.reshares(of: post, limit: 2).map(\.position),
                key: "h:\(keys.generation):\(users[0].rawValue)")
            let before = try await scene.report()
            #expect(before.isClean && before.windows == 5)
            try await body(scene)
        }
    }

    @Test(.redisServer)
    func `a reshared post at a later reshare than the first is misplaced`() async throws {
        try await withScene { scene in
            try await scene.put(scene.places[1], scene.post)
            let report = try await scene.report()
            #expect(report.misordered == 1 && report.missing == 0 && report.extra == 0)
            #expect(report.drifted == [scene.reader])
        }
    }

    @Test(.redisServer)
    func `a reshared post where nobody has reshared it, or at its own place, is extra`() async throws {
        try await withScene { scene in
            for position in [FeedPosition(rawValue: scene.places[0].rawValue + 1), FeedPosition(scene.post)] {
                try await scene.put(position, scene.post)
                let report = try await scene.report()
                #expect(report.extra == 1 && report.drifted == [scene.reader])
            }
        }
    }

    @Test(.redisServer)
    func `a reshared post that is not there is missing, unless its reshares are muted`() async throws {
        try await withScene { scene in
            try await scene.send(["ZREM", scene.key, "\(scene.post.rawValue)"])
            #expect(try await scene.report().missing == 1)
            for user in scene.users[1...2] {
                try await scene.harness.graph.blocksAndMutes.mute(scene.reader, user, .reshares)
            }
            try await scene.harness.waitForJobs()
            #expect(try await scene.report().isClean)
        }
    }

    @Test(.redisServer)
    func `a position below the post's own is out of order`() async throws {
        try await withScene { scene in
            try await scene.put(FeedPosition(rawValue: scene.post.rawValue - 1), scene.post)
            let report = try await scene.report()
            #expect(!report.isClean && report.misordered >= 1)
        }
    }

    @Test(.redisServer)
    func `a hub's entries may be in windows or not, but only where a reason stands`() async throws {
        try await withScene { scene in
            let graph = scene.harness.graph
            for user in scene.users[3...4] { try await graph.follows.follow(user, scene.users[1]) }
            try await graph.hubs.setHubThreshold(2)
            try await scene.harness.waitForJobs()
            #expect(try await graph.hubs.hubs().map(\.user) == [scene.users[1]])
            #expect(try await scene.report().isClean, "what was pushed before stays")
            let theirs = try await graph.feeds.authorFeed(of: scene.users[1], below: nil, limit: 10)
            for post in theirs { try await scene.send(["ZREM", scene.key, "\(post.rawValue)"]) }
            #expect(try await scene.report().isClean, "what is pulled need not be there")
            try await scene.put(scene.places[1], scene.post)
            #expect(try await scene.report().isClean, "its first place is the hub's, and pulled")
            try await scene.put(FeedPosition(rawValue: theirs[0].rawValue + 1), theirs[0])
            #expect(try await scene.report().extra == 1)
            try await scene.send(["ZREM", scene.key, "\(theirs[0].rawValue)"])
            try await scene.send(["ZREM", scene.key, "\(scene.post.rawValue)"])
            #expect(try await scene.report().missing == 1, "the second reshare is pushed")
            // Pushing again repairs any defects.
            try await graph.hubs.setHubThreshold(0)
            try await scene.harness.waitForJobs()
            #expect(try await scene.report().isClean)
            #expect(try await graph.hubs.hubs().isEmpty)
            let truth = try await graph.feeds.homeByDefinition(of: scene.reader).map(\.post)
            #expect(try await scene.harness.walk(scene.reader, limit: 3) == truth)
        }
    }

    @Test(.redisServer)
    func `what is published and delivered while it looks is no drift, however often that happens`() async throws {
        try await withScene { scene in
            let (graph, service, users) = (scene.harness.graph, scene.harness.service, scene.users)
            let keys = try #require(try await WindowSpace.stored(in: graph)?.keys)
            let (key, post) = (scene.key, scene.post)
            try await withConnection(scene.harness.server.configuration) { connection in
                let busy = MeddlingConnection(connection: connection) {
                    _ = try await graph.posts.publish(.sample(users[1]))
                    // Not for synchronisation: the pause between two polls.
                    while try await service.pending().count > 0 { try await Task.sleep(for: .milliseconds(5)) }
                }
                let verifier = TimelineVerifier(graph: graph, connection: busy, keys: keys)
                let report = try await verifier.verify(users, patience: .zero)
                #expect(report.isClean && report.windows == 5, "\(report)")
                let remove = RedisCommand(words: ["ZREM", key, "\(post.rawValue)"])
                try await connection.send(remove) { _ in }
                let drifted = try await verifier.verify(users, patience: .zero)
                #expect(drifted.missing == 1 && drifted.drifted == [users[0]], "what is amiss is found")
            }
        }
    }
}

extension RedisCommand {
    /// A command whose name is data as well, for commands written by hand in these tests.
    init(words: [String]) {
        self.init("EVAL", ["return redis.call(unpack(ARGV))", "0"] + words)
    }
}

/// A connection that runs an act of the test after every read.
private struct MeddlingConnection: RedisSending {
    let connection: RedisConnection
    let meddle: @Sendable () async throws -> Void

    func send<T: Sendable>(
        _ command: RedisCommand, timeout: Duration?, decode: @escaping @Sendable (RedisReplyView) throws -> T
    ) async throws -> T {
        try await connection.send(command, timeout: timeout, decode: decode)
    }

    func send<T: Sendable>(
        _ commands: [RedisCommand], timeout: Duration?, decode: @escaping @Sendable (RedisReplies) throws -> T
    ) async throws -> T {
        let value = try await connection.send(commands, timeout: timeout, decode: decode)
        try await meddle()
        return value
    }
}
