import Database
import Logging
import RedisClient
import SocialGraph
import Synchronization
import TestSupport
import Testing

@testable import Timeline

@Suite(.timeLimit(.process))
struct WindowAuditTests {
    @Test(.redisServer)
    func `drift is found, named in the log, and put right`() async throws {
        try await withAudit { audit in
            let (harness, users) = (audit.harness, audit.users)
            let posts = try await harness.graph.feeds.homeByDefinition(of: users[1]).map(\.post.rawValue)
            try await audit.all()
            #expect(audit.log.entries.isEmpty, "nothing has drifted yet")
            try await audit.send(["ZREM", audit.key(users[1]), "\(posts[1])"])
            try await audit.send(["ZADD", audit.key(users[2]), "-9", "9"])
            let report = try await harness.verify(users)
            #expect(!report.isClean)
            try await audit.all()
            let lines = audit.log.entries.map(\.metadata)
            #expect(lines.count == 1)
            let line = try #require(lines.first)
            #expect(line["missing"] == "1" && line["extra"] == "1" && line["misordered"] == "0")
            for user in users[1...2] { #expect(line["users"]?.contains("\(user.rawValue)") == true) }
            try await harness.restartService()
            try await harness.waitForJobs()
            try await harness.warm(users)
            let after = try await harness.verify(users)
            #expect(after.isClean && after.windows == users.count)
            try await audit.all()
            #expect(audit.log.entries.count == 1)
        }
    }

    @Test(.redisServer)
    func `what the outbox has yet to deliver is no drift`() async throws {
        try await withAudit { audit in
            // Pushes that no worker handles at the moment.
            for user in audit.users { try await audit.harness.post(user) }
            try await audit.harness.graph.follows.unfollow(audit.users[1], audit.users[0])
            try await audit.all()
            #expect(audit.log.entries.isEmpty)
        }
    }

    @Test(.redisServer)
    func `a young post may be missing, but nothing may be extra`() async throws {
        try await withAudit { audit in
            let posts = try await audit.harness.graph.feeds.homeByDefinition(of: audit.users[1]).map(\.post.rawValue)
            try await audit.send(["ZREM", audit.key(audit.users[1]), "\(posts[1])"])
            var patient = audit.audit
            patient.leastAge = 1 << 50
            #expect(try await patient.audit(audit.keys, from: "0").windows > 0)
            #expect(audit.log.entries.isEmpty)
            try await audit.send(["ZADD", audit.key(audit.users[1]), "-9", "9"])
            _ = try await patient.audit(audit.keys, from: "0")
            #expect(audit.log.entries.map { $0.metadata["extra"] } == ["1"])
        }
    }

    @Test(.redisServer)
    func `a window without an expiry gets one, and keeps its entries`() async throws {
        try await withAudit { audit in
            let key = audit.key(audit.users[1])
            let before = try await audit.integer(["ZCARD", key])
            try await audit.send(["PERSIST", key])
            #expect(try await audit.integer(["TTL", key]) == -1)
            let others = try await audit.integer(["TTL", audit.key(audit.users[2])])
            try await audit.all()
            let lifetime = try await audit.integer(["TTL", key])
            #expect(lifetime > 0 && lifetime <= 1_000)
            #expect(try await audit.integer(["ZCARD", key]) == before)
            #expect(try await audit.integer(["TTL", audit.key(audit.users[2])]) <= others, "not renewed by the audit")
        }
    }

    @Test(.redisServer)
    func `a window of a user who does not exist is gone in the end`() async throws {
        try await withAudit { audit in
            let nobody = UserID(rawValue: 4_711)
            try await audit.send(["SET", "t" + audit.key(nobody).dropFirst(), "stamp123"])
            try await audit.send(["ZADD", audit.key(nobody), "-9", "9", "0", "0"])
            try await audit.all()
            try await audit.harness.restartService()
            try await audit.harness.waitForJobs()
            #expect(try await audit.integer(["EXISTS", audit.key(nobody)]) == 0)
            // A window without defects gets an expiry.
            try await audit.send(["SET", "t" + audit.key(nobody).dropFirst(), "stamp123"])
            try await audit.send(["ZADD", audit.key(nobody), "0", "0"])
            try await audit.all()
            #expect(try await audit.integer(["TTL", audit.key(nobody)]) > 0)
            #expect(try await audit.integer(["TTL", "t" + audit.key(nobody).dropFirst()]) > 0)
            #expect(try await audit.harness.verify(audit.users).isClean)
        }
    }
}

private struct AuditFixture {
    let harness: TimelineHarness
    let users: [UserID]
    let log: RecordingLog
    let connection: RedisConnection
    let audit: WindowAudit
    let keys: WindowKeys

    func key(_ user: UserID) -> String { "h:\(keys.generation):\(user.rawValue)" }

    func send(_ words: [String]) async throws {
        try await connection.send(RedisCommand(words: words)) { _ in }
    }

    func integer(_ words: [String]) async throws -> Int64 {
        try await connection.send(RedisCommand(words: words)) { try $0.integer }
    }

    /// Runs as many steps as it takes to see every window.
    func all() async throws {
        var cursor = "0"
        repeat { cursor = try await audit.audit(keys, from: cursor).next } while cursor != "0"
    }
}

/// Runs `body` with five readers with windows, and an audit while no process serves. The audit's jobs stay in the
/// outbox until the service is back.
private func withAudit(_ body: (AuditFixture) async throws -> Void) async throws {
    try await withTimeline { harness async throws in
        let users = try await harness.users(5)
        for user in users.dropFirst() { try await harness.graph.follows.follow(user, users[0]) }
        for _ in 0..<6 { try await harness.post(users[0]) }
        try await harness.waitForJobs()
        try await harness.warm(users)
        await harness.stop()
        let log = RecordingLog(from: .error)
        let logger = Logger(label: "test") { _ in log }
        let space = WindowSpace(graph: harness.otherGraph, lease: .outbox(2), logger: logger)
        let connection = try RedisConnection(
            configuration: harness.server.configuration, name: "audit", logger: logger
        ) { try await space.establish(over: $0, runID: $0.runID) }
        try await withThrowingTaskGroup(of: Void.self) { group in
            group.addTask { await connection.run() }
            defer { connection.close() }
            try await connection.waitUntilUp()
            let audit = WindowAudit(
                graph: harness.otherGraph, connection: connection, space: space, idle: .seconds(1_000),
                metrics: TimelineMetrics(), logger: logger, leastAge: 0)
            let keys = try #require(space.keys)
            try await body(
                AuditFixture(
                    harness: harness, users: users, log: log, connection: connection, audit: audit, keys: keys))
        }
    }
}
