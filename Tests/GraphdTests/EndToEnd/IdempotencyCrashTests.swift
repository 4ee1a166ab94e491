import Database
import ServiceTestSupport
import SocialGraph
import TestSupport
import Testing

@testable import StrictJSON

/// Requests with an `Idempotency-Key` whose server is killed before their answers arrive.
@Suite(.serialized, .timeLimit(.process))
struct IdempotencyCrashTests {
    private static let body = #"{"caption":"once","mediaUrl":"https://example.org/v"}"#

    private func count(_ server: GraphdServer, _ table: String) async throws -> Int64 {
        try await server.graph.database.read {
            try $0.first("SELECT COUNT(*) FROM \(table)", []) { $0.integer(0) } ?? 0
        }
    }

    private func send(_ key: String, by person: Person, to server: GraphdServer) async throws -> RawConnection {
        let connection = try RawConnection(port: server.port)
        try await connection.send(
            "POST /v1/posts HTTP/1.1\r\nHost: a\r\nAuthorization: Bearer \(person.token)\r\n"
                + "Content-Type: application/json\r\nIdempotency-Key: \(key)\r\n"
                + "Content-Length: \(Self.body.utf8.count)\r\n\r\n\(Self.body)")
        return connection
    }

    private func retry(_ key: String, by person: Person, to server: GraphdServer) async throws -> Answer {
        try await server.client(person).post("/v1/posts", Self.body, headers: [("Idempotency-Key", key)])
    }

    @Test func `a server killed after the commit repeats the answer that nobody got`() async throws {
        try await GraphdServer.running(in: .process) { server in
            let person = try await server.person()
            let connection = try await send("k", by: person, to: server)
            while try await count(server, "post") == 0 { await Task.yield() }
            await server.kill()
            withExtendedLifetime(connection) {}
            let kept = try await server.graph.database.read {
                try $0.first("SELECT body FROM idempotent_request", []) { $0.blob(0) }
            }
            try await server.start()
            let answer = try await retry("k", by: person, to: server)
            #expect(answer.status == 201 && answer.header("Idempotent-Replayed") == "true")
            #expect(answer.body == kept)
            let post = try #require(try answer.json["postId"]?.text)
            #expect(answer.header("Location") == "/v1/posts/\(post)")
            #expect(try await server.client(person).get("/v1/posts/\(post)").body == answer.body)
            #expect(try await count(server, "post") == 1)
        }
    }

    @Test func `a server killed at any instant has made a request or forgotten it`() async throws {
        try await GraphdServer.running(in: .process) { server in
            let person = try await server.person()
            var generator = SplitMix64(seed: 51)
            for round in 0..<8 {
                var connections: [RawConnection] = []
                for number in 0..<5 {
                    connections.append(try await send("\(round)-\(number)", by: person, to: server))
                }
                // Not for synchronisation: it picks the instant of the fault.
                try await Task.sleep(for: .milliseconds(Int64.random(in: 0...30, using: &generator)))
                await server.kill()
                withExtendedLifetime(connections) {}
                #expect(try await count(server, "post") == count(server, "idempotent_request"))
                try await server.start()
                for number in 0..<5 {
                    let answer = try await retry("\(round)-\(number)", by: person, to: server)
                    #expect(answer.status == 201, "\(answer)")
                }
                #expect(try await count(server, "post") == Int64(5 * (round + 1)))
            }
        }
    }
}
