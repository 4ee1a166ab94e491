import Database
import Foundation
import GraphServices
import PostgreSQL
import PostgreSQLTestSupport
import ServiceTestSupport
import SocialGraph
import Synchronization
import TestSupport
import Testing

@testable import CommandSupport
@testable import graphd

/// Nodes that share a database and a Redis, each a process of its own.
@Suite(.timeLimit(.process))
struct NodeTests {
    /// Runs `body` with the flags of nodes of one new graph.
    private static func withSharedGraph(
        _ body: (_ url: String, _ redis: [String]) async throws -> Void
    ) async throws {
        let server = try await PostgreSQLServer.shared()
        let url = server.url(of: try await server.newDatabase())
        try await ExternalRedis.running { redis in try await body(url, ["--redis", redis.argument]) }
    }

    private static func records(_ node: GraphdServer) async throws -> [NodeRecord] {
        try await NodeStore(database: node.graph.database).records()
    }

    private static func states(_ node: GraphdServer) async throws -> [NodeRecord.State] {
        let records = try await records(node)
        let now = SystemClock.milliseconds()
        return records.map { $0.state(at: now) }
    }

    private static func id(_ node: GraphdServer) throws -> Int64 { try node.directory.nodeID() }

    /// Waits until a lease has an owner.
    private static func waitFor(_ owner: GraphdServer, of lease: String) async throws {
        let id = try id(owner)
        while try await LeaseStore(database: owner.graph.database).lease(lease)?.owner != id {
            // Not for synchronisation: the pause between two polls.
            try await Task.sleep(for: .milliseconds(20))
        }
    }

    private static func serve(_ url: String, _ more: [String]) async throws -> CommandRun {
        let path = temporaryPath("refused")
        defer { try? FileManager.default.removeItem(atPath: path) }
        return try await CommandRun.of(["serve", "--port", "0", "--data-dir", path, "--database", url] + more)
    }

    @Test func `embeddings are cleared only while no node serves`() async throws {
        try await Self.withSharedGraph { url, redis in
            try await GraphdServer.prepared(in: .process, on: .init(database: url)) { other in
                let command = ["embeddings", "clear"] + other.storageArguments
                try await GraphdServer.running(redis, in: .process, on: .init(database: url)) { _ in
                    let refused = try await CommandRun.of(command).expect(1)
                    let text = "\(refused)"
                    #expect(text.contains("A graphd serves the database") && text.contains("Stop it before"), "\(text)")
                }
                try await CommandRun.of(command).expect(0)
            }
        }
    }

    @Test func `a node is listed with its duties and is back at once after a kill`() async throws {
        try await Self.withSharedGraph { url, redis in
            try await GraphdServer.running(redis, in: .process, on: .init(database: url)) { node in
                try await Self.waitFor(node, of: Upkeep.leaseName)
                let id = try Self.id(node)
                let command = ["nodes", "list", "--json"] + node.storageArguments
                var list = try await CommandRun.of(command)
                // A node whose heartbeat is late is not listed as serving.
                while list.end == .exited(0), !list.output.contains("\"serving\"") {
                    list = try await CommandRun.of(command)
                }
                list.expect(0)
                #expect(list.output.contains("\"nodeId\":\"\(id)\"") && list.output.contains("upkeep"), "\(list)")
                // A start after a shutdown, which has given the heartbeat up, waits for nothing.
                await node.stop()
                let usual = try await node.timedStart()
                await node.kill()
                let time = try await node.timedStart()
                // Not a limit of speed: a heartbeat of another node would be waited for.
                #expect(time - usual < .seconds(25))
                _ = try await node.client(try await node.person()).patient.publish()
                #expect(await node.stop() == .exited(0))
                let record = try #require(try await Self.records(node).first)
                #expect(record.node.id == id && record.state(at: SystemClock.milliseconds()) == .gone)
                #expect(record.duties.isEmpty, "duties are given up at a shutdown")
            }
        }
    }

    @Test func `who cannot serve beside a node is refused with a sentence`() async throws {
        try await Self.withSharedGraph { url, redis in
            try await GraphdServer.running(redis, in: .process, on: .init(database: url)) { node in
                let alone = try await Self.serve(url, [])
                #expect(alone.end == .exited(1), "\(alone)")
                #expect(alone.errors.last?.contains("Give this server their Redis (--redis)") == true, "\(alone)")
                #expect(alone.errors.last?.contains("127.0.0.1:\(node.port)") == true, "\(alone)")
                for (flag, value, other) in [
                    ("--window-cap", "256", "128"), ("--hub-threshold", "5", "10000"),
                    ("--require-totp", "admins", "none"), ("--retention", "logIns=30d", "90d"),
                ] {
                    let refused = try await Self.serve(url, redis + [flag, value])
                    let own = value.split(separator: "=").last.map(String.init) ?? value
                    #expect(refused.end == .exited(1), "\(refused)")
                    let text = refused.errors.last ?? ""
                    #expect(text.contains(flag) && text.contains(own) && text.contains(other), "\(refused)")
                }
            }
        }
    }

    @Test func `a node is refused beside a server that is alone`() async throws {
        try await Self.withSharedGraph { url, redis in
            try await GraphdServer.running(in: .process, on: .init(database: url)) { _ in
                let refused = try await Self.serve(url, redis)
                #expect(refused.end == .exited(1), "\(refused)")
                #expect(
                    refused.errors.last?.contains("A graphd with a Redis of its own serves the database") == true,
                    "\(refused)")
            }
        }
    }

    @Test func `a node whose heartbeat cannot commit serves nothing until one does`() async throws {
        try await Self.withSharedGraph { url, redis in
            try await GraphdServer.running(redis, in: .process, on: .init(database: url)) { node in
                let client = node.client(try await node.person())
                #expect(try await client.patient.get("/v1/me").status == 200)
                try await Self.holdingWriter(of: url) {
                    while try await client.get("/v1/me").status == 200 {}
                    let answer = try await client.get("/v1/me")
                    try answer.expectProblem(503, "not_current")
                    #expect(answer.header("Retry-After") == "1")
                    #expect(try await client.get("/healthz").status == 200)
                    #expect(try await client.get("/readyz").status == 503)
                }
                while try await client.get("/v1/me").status != 200 {}
            }
        }
    }

    /// Runs `body` while no other transaction can write.
    private static func holdingWriter(of url: String, _ body: () async throws -> Void) async throws {
        let address = try PostgreSQLAddress(parsing: url)
        // With the time-outs of tests: those of a server would end the transaction after some seconds.
        let database = try await onThread { try GraphLocation.server(address).open() }
        let (isHeld, isOver) = (Flag(), Flag())
        try await closing(database) {
            try await withThrowingTaskGroup(of: Void.self) { group in
                group.addTask {
                    try await database.write { transaction in
                        // It begins with the first statement.
                        _ = try transaction.exists("SELECT 1", [])
                        isHeld.set()
                        // Not for synchronisation: the pause between two looks, on the thread of the writer.
                        while !isOver.isSet { usleep(10_000) }
                    }
                }
                defer { isOver.set() }
                while !isHeld.isSet { await Task.yield() }
                try await body()
            }
        }
    }

    @Test func `two nodes share tokens and duties, and one takes over from the other`() async throws {
        try await Self.withSharedGraph { url, redis in
            try await GraphdServer.running(redis, in: .process, on: .init(database: url)) { first in
                try await Self.waitFor(first, of: Upkeep.leaseName)
                try await GraphdServer.running(redis, in: .process, on: .init(database: url)) { second in
                    let person = try await first.person()
                    _ = try await first.client(person).patient.publish()
                    #expect(try await second.client(person).patient.get("/v1/me").status == 200)
                    while try await Self.states(first) != [.serving, .serving] {
                        // Not for synchronisation: the pause between two polls.
                        try await Task.sleep(for: .milliseconds(20))
                    }
                    await first.kill()
                    for lease in [Upkeep.leaseName, OutboxStore.lease] { try await Self.waitFor(second, of: lease) }
                    _ = try await second.client(person).patient.publish()
                    try await second.waitForJobs()
                    try await first.start()
                    #expect(try await first.client(person).patient.get("/v1/me").status == 200)
                }
            }
        }
    }

    /// Each act is at one node, and the next request at another, with no pause in between.
    @Test func `what one node acknowledges is in force at the others at once, also while one is killed`() async throws {
        try await Self.withSharedGraph { url, redis in
            try await GraphdServer.running(redis, in: .process, on: .init(database: url)) { first in
                try await GraphdServer.running(redis, in: .process, on: .init(database: url)) { second in
                    try await GraphdServer.running(redis, in: .process, on: .init(database: url)) { third in
                        try await Self.actAtTurns(first, second, third, rounds: 6)
                        await first.kill()
                        try await Self.actAtTurns(second, third, second, rounds: 6)
                        try await first.start()
                        try await Self.actAtTurns(third, first, second, rounds: 6)
                        try await second.waitForJobs()
                    }
                }
            }
        }
    }

    @Test func `nodes divide the buckets of a cluster among themselves, and take over those of one that is killed`()
        async throws
    {
        let server = try await PostgreSQLServer.shared()
        let url = server.url(of: try await server.newDatabase())
        // A master that is late must not lose its slots.
        try await RedisClusterServers.with(password: "hush", nodeTimeout: .seconds(15)) { servers in
            let redis = ["--redis", "redis-cluster://:hush@\(servers.seeds)"]
            try await GraphdServer.running(redis, in: .process, on: .init(database: url)) { first in
                try await GraphdServer.running(redis, in: .process, on: .init(database: url)) { second in
                    try await GraphdServer.running(redis, in: .process, on: .init(database: url)) { third in
                        try await Self.waitForGroups(of: [first, second, third])
                        try await Self.actAtTurns(first, second, third, rounds: 3)
                        await first.kill()
                        try await Self.actAtTurns(second, third, second, rounds: 3)
                        try await Self.waitForGroups(of: [second, third])
                        try await second.waitForJobs()
                        try await servers.promote(servers.nodes[3])
                        try await first.start()
                        try await Self.waitForGroups(of: [first, second, third])
                        try await Self.actAtTurns(third, first, second, rounds: 3)
                        try await second.waitForJobs()
                        try await first.run(["timelines", "verify", "--all", "--json"] + redis)
                        let alone = try await Self.serve(url, ["--redis", "redis://127.0.0.1:6379"])
                        #expect(alone.errors.last?.contains("a Redis Cluster") == true, "\(alone)")
                        for node in [first, second, third] { #expect(await node.stop() == .exited(0)) }
                    }
                }
            }
        }
    }

    /// Waits until all groups of windows have an owner, and each of `nodes` has its share.
    private static func waitForGroups(of nodes: [GraphdServer]) async throws {
        let ids = Set(try nodes.map(id))
        var counts: [Int] = []
        repeat {
            // Not for synchronisation: the pause between two polls.
            try await Task.sleep(for: .milliseconds(50))
            counts = try await records(nodes[0]).filter { ids.contains($0.node.id) }.map { record in
                record.duties.count { $0.hasPrefix(OutboxStore.lease) }
            }
        } while counts.reduce(0, +) != 16 || counts.contains { $0 < 16 / nodes.count }
    }

    private static func actAtTurns(
        _ one: GraphdServer, _ two: GraphdServer, _ three: GraphdServer, rounds: Int
    ) async throws {
        try await withThrowingTaskGroup(of: Void.self) { group in
            for _ in 0..<4 {
                let (author, reader) = (
                    try await one.person("author\(one.port)"), try await two.person("reader\(two.port)")
                )
                group.addTask {
                    for _ in 0..<rounds { try await act(author, reader, one, two, three) }
                    // A token that was revoked at one node is good at none.
                    try await three.client(reader).patient.act("POST", "/v1/auth/logout-everywhere")
                    try await one.client(reader).patient.get("/v1/me").expectProblem(401, "token_invalid")
                    try await two.client(reader).patient.get("/v1/me").expectProblem(401, "token_invalid")
                }
            }
            try await group.waitForAll()
        }
    }

    private static func act(
        _ author: Person, _ reader: Person, _ one: GraphdServer, _ two: GraphdServer, _ three: GraphdServer
    ) async throws {
        let home = "/v1/timelines/home"
        #expect(try await two.client(reader).patient.put("\(author.path)/follow").status == 204)
        let post = try await one.client(author).patient.publish()
        #expect(try await two.client(author).patient.page(home).first == post, "one's own post")
        #expect(try await three.client(reader).patient.get("/v1/posts/\(post)").status == 200)
        #expect(try await three.client(author).patient.delete("/v1/posts/\(post)").status == 204)
        #expect(try await one.client(reader).patient.page(home).contains(post) == false, "a deleted post")
        let next = try await two.client(author).patient.publish()
        #expect(try await one.client(author).patient.put("\(reader.path)/block").status == 204)
        let hidden = try await two.client(reader).patient.get("/v1/posts/\(next)").status
        #expect(hidden == 404, "a post of somebody who blocks")
        #expect(try await three.client(reader).patient.page(home).contains(next) == false)
        #expect(try await two.client(author).patient.delete("\(reader.path)/block").status == 204)
        #expect(try await three.client(reader).patient.put("\(author.path)/follow").status == 204)
        #expect(try await one.client(reader).patient.page(home).contains(next), "a post of somebody followed anew")
        #expect(try await three.client(reader).patient.delete("\(author.path)/follow").status == 204)
        #expect(try await one.client(reader).patient.page(home) == [])
    }
}

/// A flag that several threads see.
private final class Flag: Sendable {
    private let state = Mutex(false)
    var isSet: Bool { state.withLock { $0 } }
    func set() { state.withLock { $0 = true } }
}
