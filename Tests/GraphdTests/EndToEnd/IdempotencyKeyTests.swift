import ServiceTestSupport
import TestSupport
import Testing

@testable import StrictJSON

/// `Idempotency-Key` on posting, over HTTP.
@Suite(.timeLimit(.process), .sharedGraphd)
struct IdempotencyKeyTests {
    let server: GraphdServer

    init() throws { server = try GraphdServer.shared }

    private static let body = #"{"caption":"once","mediaUrl":"https://example.org/v"}"#

    private func publish(_ client: APIClient, _ key: String, _ body: String = body) async throws -> Answer {
        try await client.post("/v1/posts", body, headers: [("Idempotency-Key", key)])
    }

    @Test func `the same request twice is one post`() async throws {
        let person = try await server.person()
        let client = server.client(person)
        let (first, second) = (try await publish(client, "k"), try await publish(client, "k"))
        #expect(first.status == 201 && second.status == 201)
        #expect(first.body == second.body)
        #expect(first.header("Location") == second.header("Location"))
        #expect(first.header("Idempotent-Replayed") == nil && second.header("Idempotent-Replayed") == "true")
        #expect(try await client.get("/v1/me").json["postsCount"] == .integer(1))
        #expect(try await publish(client, "other").body != first.body)
    }

    @Test func `fifty at once are one post`() async throws {
        let person = try await server.person()
        let client = server.client(person)
        let bodies = try await withThrowingTaskGroup(of: Answer.self) { group in
            for _ in 0..<50 { group.addTask { try await publish(client, "fifty") } }
            return try await group.reduce(into: Set<[UInt8]>()) {
                #expect($1.status == 201)
                $0.insert($1.body)
            }
        }
        #expect(bodies.count == 1)
        #expect(try await client.get("/v1/me").json["postsCount"] == .integer(1))
        #expect(try await client.ids("/v1/timelines/home").count == 1)
    }

    @Test func `another body with the same key is refused`() async throws {
        let client = server.client(try await server.person())
        #expect(try await publish(client, "k").status == 201)
        let other = try await publish(client, "k", Self.body.replacing("once", with: "twice"))
        #expect(other.status == 422)
        #expect(try other.json["code"] == .string("idempotency_key_reused"))
        #expect(try await client.get("/v1/me").json["postsCount"] == .integer(1))
    }

    @Test func `a refused request does not use up its key`() async throws {
        let client = server.client(try await server.person())
        #expect(try await publish(client, "k", #"{"caption":"once"}"#).status == 400)
        let unknown = #"{"caption":"c","mediaUrl":"https://e.org/","collaborators":["1"]}"#
        #expect(try await publish(client, "k", unknown).status == 422)
        #expect(try await publish(client, "k").status == 201)
    }

    @Test func `another user's key is another key`() async throws {
        let (one, two) = (try await server.person(), try await server.person())
        let answers = [try await publish(server.client(one), "k"), try await publish(server.client(two), "k")]
        #expect(answers.map(\.status) == [201, 201])
        #expect(try answers[0].json["postId"] != answers[1].json["postId"])
    }

    @Test(arguments: ["", "a b", "é", String(repeating: "k", count: 256)])
    func `a bad key is refused`(_ key: String) async throws {
        let client = server.client(try await server.person())
        let answer = try await publish(client, key)
        #expect(answer.status == 400, "\(answer)")
        #expect(try answer.json["code"] == .string("invalid_header"))
        #expect(try await client.get("/v1/me").json["postsCount"] == .integer(0))
        #expect(try await publish(client, String(repeating: "k", count: 255)).status == 201)
    }

    @Test func `a post that was deleted is not published again`() async throws {
        let client = server.client(try await server.person())
        let id = try #require(try await publish(client, "k").json["postId"]?.text)
        #expect(try await client.delete("/v1/posts/\(id)").status == 204)
        #expect(try await publish(client, "k").status == 404)
        #expect(try await client.get("/v1/me").json["postsCount"] == .integer(0))
    }
}
