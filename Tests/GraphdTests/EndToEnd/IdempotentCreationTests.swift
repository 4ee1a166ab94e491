import Database
import MediaJobs
import ServiceTestSupport
import SocialGraph
import TestSupport
import Testing

@testable import CommandSupport
@testable import GraphHTTP
@testable import StrictJSON

/// `Idempotency-Key` at every route that accepts it, over HTTP.
@Suite(.serialized, .timeLimit(.process), .sharedGraphd("--webhooks", "public"))
struct IdempotentCreationTests {
    let server: GraphdServer

    init() throws { server = try GraphdServer.shared }

    /// Tables whose rows the routes create.
    private static let effects = [
        "post", "comment", "community", "collection", "webhook", "app_webhook", "report", "appeal", "moderation_entry",
        "moderation_rule", "classifier", "external_share", "reshare", "media",
    ]

    private func rows(_ tables: [String] = effects) async throws -> [Int64] {
        try await server.graph.database.read { reader in
            try tables.map { try reader.first("SELECT COUNT(*) FROM \($0)", []) { $0.integer(0) } ?? 0 }
        }
    }

    /// A repetition with the key, in which a form has another boundary.
    private func send(_ call: KeyedCall, _ key: String, attempt: Int = 1) async throws -> Answer {
        let (body, type) = call.body(attempt)
        return try await server.client(call.person).send(
            "POST", call.path, body: body, headers: [("Idempotency-Key", key), ("Content-Type", type)])
    }

    @Test(arguments: IdempotentRoutes.table.keys.sorted())
    func `a repetition creates nothing and gets the same answer`(_ route: String) async throws {
        let call = try await KeyedCall(route, on: server)
        let before = try await rows()
        let first = try await send(call, "k")
        #expect((200...201).contains(first.status), "\(first)")
        #expect(first.header("Idempotent-Replayed") == nil)
        let created = try await rows()
        #expect(created != before, "nothing was created")
        #expect(try await rows(["idempotent_request WHERE operation = 'POST \(call.path)'"]) == [1])

        for attempt in 2...3 {
            let again = try await send(call, "k", attempt: attempt)
            #expect(again.status == first.status && again.body == first.body, "\(again)")
            #expect(again.header("Location") == first.header("Location"))
            #expect(again.header("Content-Type") == first.header("Content-Type"))
            #expect(again.header("Idempotent-Replayed") == "true")
        }
        #expect(try await rows() == created)

        let other = try await server.client(call.person).send(
            "POST", call.path, body: call.otherBody.0,
            headers: [("Idempotency-Key", "k"), ("Content-Type", call.otherBody.1)])
        #expect(other.status == 422, "\(other)")
        #expect(try other.json["code"] == .string("idempotency_key_reused"))
        #expect(try await rows() == created)
    }

    @Test(arguments: ["/v1/posts/{id}/comments", "/v1/communities", "/social/post/{id}/share", "/v1/media"])
    func `requests at once have one effect and one answer`(_ route: String) async throws {
        let call = try await KeyedCall(route, on: server)
        let before = try await rows().reduce(0, +)
        let count = route == "/v1/media" ? 4 : 50
        let answers = try await withThrowingTaskGroup(of: Answer.self) { group in
            for attempt in 0..<count { group.addTask { try await send(call, "once", attempt: attempt) } }
            return try await group.reduce(into: [Answer]()) { $0.append($1) }
        }
        #expect(Set(answers.map(\.body)).count == 1)
        #expect(answers.allSatisfy { (200...201).contains($0.status) })
        #expect(answers.filter { $0.header("Idempotent-Replayed") == nil }.count == 1)
        #expect(try await rows().reduce(0, +) == before + 1)
        while try await server.graph.mediaJobs.backlog() > 0 {
            // Not for synchronisation: the pause between two polls.
            try await Task.sleep(for: .milliseconds(5))
        }
        let directory = server.directory.media
        #expect(try fileNames(below: directory + "/incoming") == [])
    }

    @Test func `another user's key is another key`() async throws {
        let calls = [
            try await KeyedCall("/v1/me/collections", on: server),
            try await KeyedCall("/v1/me/collections", on: server),
        ]
        let answers = [try await send(calls[0], "same"), try await send(calls[1], "same")]
        #expect(answers.map(\.status) == [201, 201])
        #expect(answers[0].body != answers[1].body)
    }

    @Test func `a key at another path is another key`() async throws {
        let call = try await KeyedCall("/v1/posts/{id}/comments", on: server)
        let client = server.client(call.person)
        let first = try await send(call, "both")
        let second = try await client.post(
            "/v1/posts/\(try await client.publish())/comments", #"{"content":"a"}"#,
            headers: [("Idempotency-Key", "both")])
        #expect([first.status, second.status] == [201, 201])
        #expect(second.header("Idempotent-Replayed") == nil)
    }

    @Test func `a product answers in its own format`() async throws {
        let call = try await KeyedCall("/social/post/create", on: server)
        #expect(try await send(call, "k").status == 201)
        let other = try await server.client(call.person).post(
            call.path, "{}", headers: [("Idempotency-Key", "k")])
        #expect(other.status == 422 && other.header("Content-Type")?.hasPrefix("application/json") == true)
        #expect(try other.json["code"] == .string("idempotency_key_reused"))
        let bad = try await server.client(call.person).post(call.path, "{}", headers: [("Idempotency-Key", "a b")])
        #expect(bad.status == 400)
        #expect(try bad.json["code"] == .string("invalid_header"))
    }

    @Test func `a comment that was deleted is not written again`() async throws {
        let call = try await KeyedCall("/v1/posts/{id}/comments", on: server)
        let client = server.client(call.person)
        let path = try #require(try await send(call, "k").header("Location"))
        #expect(try await client.delete(path).status == 204)
        try await send(call, "k").expectProblem(404, "comment_not_found")
    }

    @Test func `a refused upload does not use up its key`() async throws {
        let call = try await KeyedCall("/v1/media", on: server)
        let client = server.client(call.person)
        let refused = try await client.send(
            "POST", call.path, body: Array("no form".utf8), headers: [("Idempotency-Key", "k")])
        #expect(refused.status == 415, "\(refused)")
        #expect(try await send(call, "k").status == 201)
    }
}
