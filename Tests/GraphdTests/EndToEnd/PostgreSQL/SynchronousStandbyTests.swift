import Database
import ServiceTestSupport
import SocialGraph
import TestSupport
import Testing

@testable import StrictJSON

/// A primary with a synchronous standby, and a graphd that requires one.
@Suite(.serialized, .timeLimit(.process))
struct SynchronousStandbyTests {
    /// Runs `body` with a graphd whose address names both servers, and with the servers.
    private static func withPair(
        _ body: (GraphdServer, _ primary: PostgreSQLServer, _ standby: PostgreSQLServer) async throws -> Void
    ) async throws {
        try await PostgreSQLServer.runningPair { primary, standby, url in
            try await GraphdServer.running(
                ["--require-standby", "on"], in: .process, on: .init(database: url)
            ) { try await body($0, primary, standby) }
        }
    }

    /// Returns once the database of the test, which waits no longer than a server's callers, is that of the promoted
    /// standby.
    private static func follow(_ graphd: GraphdServer) async {
        while (try? await graphd.graph.database.read { try $0.exists("SELECT 1 FROM account", []) }) == nil {}
    }

    private static func load(_ graphd: GraphdServer) async throws -> PublishingLoad {
        var people: [Person] = []
        for _ in 0..<6 { people.append(try await graphd.person()) }
        return PublishingLoad(graphd, people, PublishingHistory())
    }

    @Test func `a promoted standby has everything that was acknowledged`() async throws {
        try await Self.withPair { graphd, primary, standby in
            let load = try await Self.load(graphd)
            try await load.run {
                try await load.progress(by: 60)
                await primary.kill()
                try await standby.execute("SELECT pg_promote()::text")
                try await load.progress(by: 60)
            }
            await Self.follow(graphd)
            try await load.history.check(graphd)
            try await graphd.waitForJobs()
            try await graphd.expectCleanTimelines()
            await graphd.kill()
            // The standby is the primary now. It has no standby of its own yet.
            try await graphd.start(["--require-standby", "off"])
            #expect(try await graphd.client(load.people[0]).get("/v1/timelines/home").status == 200)
        }
    }

    @Test func `a promoted standby is found although the former primary stands still`() async throws {
        try await Self.withPair { graphd, primary, standby in
            let load = try await Self.load(graphd)
            try await load.run {
                try await load.progress(by: 60)
                await primary.freeze()
                try await standby.execute("SELECT pg_promote()::text")
                try await load.progress(by: 60)
            }
            await Self.follow(graphd)
            try await load.history.check(graphd)
            // The former primary answers again, and knows nothing of what follows.
            await primary.thaw()
            let (author, reader) = (graphd.client(load.people[0]), graphd.client(load.people[1]))
            for _ in 0..<30 {
                let post = try await author.publish()
                #expect(try await reader.get("/v1/posts/\(post)").status == 200)
                #expect(try await reader.page(load.people[0].timeline).first == post)
            }
        }
    }

    /// Its commits wait for the standby, which has left it.
    @Test func `a promoted standby is found although the former primary goes on`() async throws {
        try await Self.withPair { graphd, primary, standby in
            let load = try await Self.load(graphd)
            try await load.run {
                try await load.progress(by: 60)
                try await standby.execute("SELECT pg_promote()::text")
                try await load.progress(by: 60)
            }
            // A start beside the former primary, which the address names first, finds the new one.
            await graphd.kill()
            try await graphd.start(["--require-standby", "off"])
            let (author, reader) = (graphd.client(load.people[0]), graphd.client(load.people[1]))
            for number in 0..<5 {
                let post = try await author.publish("after the promotion \(number)")
                #expect(try await reader.get("/v1/posts/\(post)").status == 200)
            }
            // The check would read the former primary, as anybody would who has connected before and commits nothing.
            await primary.kill()
            await Self.follow(graphd)
            try await load.history.check(graphd)
            try await graphd.waitForJobs()
            try await graphd.expectCleanTimelines()
        }
    }

    @Test func `a standby that goes away stalls commits and acknowledges nothing`() async throws {
        try await Self.withPair { graphd, _, standby in
            let author = graphd.client(try await graphd.person())
            let kept = try await author.publish("kept")
            await standby.kill()
            let body = #"{"caption":"stalled","mediaUrl":"https://example.org/v"}"#
            for _ in 0..<2 {
                let answer = try await author.post("/v1/posts", body, headers: [("Idempotency-Key", "stalled")])
                try answer.expectProblem(503, "unavailable")
                #expect(answer.header("Retry-After") != nil)
            }
            #expect(try await author.get("/v1/posts/\(kept)").status == 200)
            try await standby.restart()
            var answer = try await author.post("/v1/posts", body, headers: [("Idempotency-Key", "stalled")])
            while answer.status == 503 {
                answer = try await author.post("/v1/posts", body, headers: [("Idempotency-Key", "stalled")])
            }
            #expect(answer.status == 201, "\(answer)")
            let found = try await graphd.graph.database.read { reader in
                try reader.rows("SELECT caption FROM post ORDER BY id", []) { $0.text(0) }
            }
            #expect(found == ["kept", "stalled"])
        }
    }

    @Test func `a start is refused while the address leads to standbys only`() async throws {
        try await PostgreSQLServer.running { primary in
            var setup = PostgreSQLServer.Setup()
            setup.primary = primary
            try await PostgreSQLServer.running(setup) { standby in
                let run = try await CommandRun.of([
                    "serve", "--port", "0", "--data-dir", temporaryPath("standby"),
                    "--database", standby.url(of: "postgres"),
                ])
                run.expect(1)
                let reason = "read-only standby; give the address of the primary"
                #expect(run.errors.last?.contains(reason) == true, "\(run)")
            }
        }
    }
}
