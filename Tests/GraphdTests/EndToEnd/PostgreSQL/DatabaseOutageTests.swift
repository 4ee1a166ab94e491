import Foundation
import Glibc
import ServiceTestSupport
import TestSupport
import Testing

@testable import StrictJSON

/// A PostgreSQL server that is away, full or out of connections, under a running graphd with load: clear answers,
/// nothing acknowledged is lost, nothing happens twice, and service comes back by itself.
@Suite(.serialized, .timeLimit(.process))
struct DatabaseOutageTests {
    /// Pages that need SQL.
    private static let pages = [
        "/v1/timelines/home", "/v1/timelines/public", "/v1/timelines/trending", "/v1/search/posts?q=post", "/v1/me",
    ]

    private static func withServer(
        _ server: PostgreSQLServer, database options: String = "", _ arguments: [String] = [],
        _ body: (GraphdServer, String) async throws -> Void
    ) async throws {
        let database = try await server.newDatabase(options)
        try await GraphdServer.running(
            arguments, in: .process, on: .init(database: server.url(of: database))
        ) { try await body($0, database) }
    }

    private static func expectUnavailable(_ answer: Answer, sourceLocation: SourceLocation = #_sourceLocation) throws {
        try answer.expectProblem(503, "unavailable", sourceLocation: sourceLocation)
        #expect(answer.header("Retry-After") != nil, "\(answer)", sourceLocation: sourceLocation)
    }

    /// Expects that operators hear of the outage, and of what the server knows without its database.
    private static func checkOperations(_ server: GraphdServer) async throws {
        // At once: together they must be quicker than a request that waits for the database.
        async let readiness = server.client().get("/readyz")
        async let measures = server.client().get("/metrics")
        async let health = server.client().get("/healthz")
        let (ready, metrics, alive) = try await (readiness, measures, health)
        #expect(ready.status == 503 && ready.text.contains("\"database\":\"down\""), "\(ready)")
        #expect(ready.text.contains("\"code\":\"database_down\""), "\(ready)")
        #expect(metrics.status == 200, "\(metrics)")
        #expect(metrics.text.contains("graphd_problem{code=\"database_down\"} 1"), "\(metrics.text.suffix(2_000))")
        #expect(alive.status == 200, "\(alive)")
    }

    /// Publishes under load while `fault` has its way, and expects clear answers until `repair`.
    private static func check(
        _ server: GraphdServer, fault: () async throws -> Void, repair: () async throws -> Void
    ) async throws {
        var people: [Person] = []
        for _ in 0..<8 { people.append(try await server.person()) }
        let load = PublishingLoad(server, people, PublishingHistory())
        try await load.run {
            try await load.progress(by: 40)
            try await fault()
            try await load.refusal()
            let answered = Counter()
            try await withThrowingTaskGroup(of: Void.self) { group in
                for path in pages {
                    let client = server.client(people[0])
                    group.addTask {
                        try expectUnavailable(try await client.get(path))
                        _ = answered.next()
                    }
                }
                try await checkOperations(server)
                // The next number: probes do not wait as long as requests do.
                #expect(answered.next() == 1)
                try await group.waitForAll()
            }
            try await repair()
            try await load.progress(by: 40)
        }
        for path in pages { #expect(try await server.client(people[0]).get(path).status == 200) }
        try await load.history.check(server)
        try await server.waitForJobs()
        try await server.expectCleanTimelines()
    }

    @Test func `a server that is killed and comes back is waited for`() async throws {
        try await PostgreSQLServer.running { server in
            try await Self.withServer(server) { graphd, _ in
                try await Self.check(graphd) {
                    await server.kill()
                } repair: {
                    try await server.restart()
                }
            }
        }
    }

    @Test func `a server that stands still is given up like one that is gone`() async throws {
        try await PostgreSQLServer.running { server in
            try await Self.withServer(server) { graphd, _ in
                try await Self.check(graphd) {
                    await server.freeze()
                } repair: {
                    await server.thaw()
                }
            }
        }
    }

    @Test func `a limit of connections refuses a start and does not end a running server`() async throws {
        try await PostgreSQLServer.running { server in
            // Superusers are not limited.
            try await server.execute("CREATE ROLE owner LOGIN")
            let database = try await server.newDatabase("OWNER owner")
            let url = server.url(of: database, user: "owner")
            try await GraphdServer.running(in: .process, on: .init(database: url)) { graphd in
                var people: [Person] = []
                for _ in 0..<4 { people.append(try await graphd.person()) }
                let load = PublishingLoad(graphd, people, PublishingHistory())
                try await load.run {
                    try await load.progress(by: 20)
                    try await server.execute("ALTER ROLE owner CONNECTION LIMIT 0")
                    try await server.end(connectionsTo: database)
                    try await load.refusal()
                    try Self.expectUnavailable(try await graphd.client(people[0]).get("/v1/timelines/home"))
                    let second = try await CommandRun.of([
                        "serve", "--port", "0", "--data-dir", temporaryPath("second"), "--database", url,
                    ])
                    second.expect(1)
                    #expect(second.errors.last?.contains("raise max_connections, or the limit") == true, "\(second)")
                    try await server.execute("ALTER ROLE owner CONNECTION LIMIT -1")
                    try await load.progress(by: 20)
                }
                try await load.history.check(graphd)
            }
        }
    }

    @Test func `a full disk under the log of the server loses nothing`() async throws {
        try await SmallDisk.with(bytes: 48 << 20) { disk in
            chmod(disk.path, 0o755)
            let log = disk.path + "/log"
            try FileManager.default.createDirectory(atPath: log, withIntermediateDirectories: true)
            try PostgreSQLServer.give(log)
            // Without checkpoints no file of the log is used again, so the log needs room soon.
            var setup = PostgreSQLServer.Setup(
                settings: ["min_wal_size=2MB", "max_wal_size=1GB", "checkpoint_timeout=1h"])
            setup.launcher = disk.entering
            setup.logDirectory = SmallDisk.mount + "/log"
            try await PostgreSQLServer.running(setup) { server in
                try await Self.withServer(server) { graphd, _ in
                    var people: [Person] = []
                    for _ in 0..<4 { people.append(try await graphd.person()) }
                    let load = PublishingLoad(graphd, people, PublishingHistory())
                    try await load.run {
                        try await load.progress(by: 20)
                        try disk.fill(leaving: 0)
                        try await load.refusal()
                        try disk.clear()
                        // A server ends if its log has no room, and is then started again, as by its supervisor.
                        try await server.restart()
                        try await load.progress(by: 20)
                    }
                    try await load.history.check(graphd)
                    try await graphd.waitForJobs()
                    try await graphd.expectCleanTimelines()
                }
            }
        }
    }

    @Test func `a full disk refuses writes and serves reads until there is room`() async throws {
        try await SmallDisk.with(bytes: 64 << 20) { disk in
            chmod(disk.path, 0o755)
            let space = disk.path + "/space"
            try FileManager.default.createDirectory(atPath: space, withIntermediateDirectories: true)
            try PostgreSQLServer.give(space)
            var setup = PostgreSQLServer.Setup(settings: ["shared_buffers=1MB", "checkpoint_timeout=30"])
            setup.launcher = disk.entering
            try await PostgreSQLServer.running(setup) { server in
                try await server.execute("CREATE TABLESPACE small LOCATION '\(SmallDisk.mount)/space'")
                try await Self.withServer(server, database: "TABLESPACE small") { graphd, _ in
                    var people: [Person] = []
                    for _ in 0..<4 { people.append(try await graphd.person()) }
                    let load = PublishingLoad(graphd, people, PublishingHistory())
                    try await load.run {
                        try await load.progress(by: 20)
                        try disk.fill(leaving: 0)
                        try await load.refusal()
                        #expect(try await graphd.client(people[0]).get("/v1/timelines/home").status == 200)
                        #expect(load.history.codes == ["storage_full"])
                        try disk.clear()
                        try await load.progress(by: 20)
                    }
                    try await load.history.check(graphd)
                    try await graphd.waitForJobs()
                    try await graphd.expectCleanTimelines()
                }
            }
        }
    }
}
