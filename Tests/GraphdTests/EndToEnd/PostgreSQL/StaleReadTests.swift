import ServiceTestSupport
import SocialGraph
import TestSupport
import Testing

@testable import StrictJSON

/// A node that may answer reads without the primary.
@Suite(.serialized, .timeLimit(.process))
struct StaleReadTests {
    @Test func `without the primary pages are shown as they were and changes are refused`() async throws {
        try await PostgreSQLServer.runningPair { primary, standby, url in
            try await ExternalRedis.running { redis in
                let flags = ["--redis", redis.argument, "--stale-reads", "10m"]
                try await GraphdServer.running(flags, in: .process, on: .init(database: url)) { node in
                    try await Self.loseAndPromote(node, primary, standby)
                }
            }
        }
    }

    private static func loseAndPromote(
        _ node: GraphdServer, _ primary: PostgreSQLServer, _ standby: PostgreSQLServer
    ) async throws {
        let (author, reader) = (try await node.person(), try await node.person())
        #expect(try await node.client(reader).patient.put(author.path + "/follow").status == 204)
        let post = try await node.client(author).patient.publish("kept")
        try await node.waitForJobs()
        let page = try await Self.until(200, from: node.client(reader), "/v1/timelines/home") {
            $0.header("Stale-Seconds") == nil
        }
        #expect(page.text.contains(post))
        await primary.kill()

        let home = try await Self.until(200, from: node.client(reader), "/v1/timelines/home") {
            $0.header("Stale-Seconds") != nil
        }
        #expect(home.text.contains(post))
        let profile = try await node.client(reader).get(author.path)
        #expect(profile.status == 200 && profile.header("Stale-Seconds") != nil)
        let body = #"{"caption":"refused","mediaUrl":"https://example.org/v"}"#
        try await node.client(author).post("/v1/posts", body).expectProblem(503, "not_current")
        _ = try await Self.until(200, from: node.client(author), "/readyz") { $0.text.contains("not_current") }

        try await standby.execute("SELECT pg_promote()::text")
        try await standby.set("synchronous_standby_names", to: "")
        let fresh = try await Self.until(200, from: node.client(reader), "/v1/timelines/home") {
            $0.header("Stale-Seconds") == nil
        }
        #expect(fresh.text.contains(post))
        #expect(try await node.client(author).patient.put(reader.path + "/block").status == 204)
        let blocked = try await Self.until(200, from: node.client(reader), "/v1/timelines/home") {
            $0.header("Stale-Seconds") == nil
        }
        #expect(!blocked.text.contains(post))
    }

    /// The first answer with the status for which `holds` is true.
    private static func until(
        _ status: Int, from client: APIClient, _ path: String, _ holds: (Answer) -> Bool
    ) async throws -> Answer {
        while true {
            let answer = try await client.get(path)
            if answer.status == status, holds(answer) { return answer }
        }
    }

    @Test func `it is refused where the graph is not shared`() async throws {
        let run = try await CommandRun.of(["serve", "--data-dir", temporaryPath("stale"), "--stale-reads", "1m"])
        run.expect(1)
        #expect(run.errors.last?.contains("--stale-reads concerns nodes of a shared graph") == true, "\(run)")
    }
}
