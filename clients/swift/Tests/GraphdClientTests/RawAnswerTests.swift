import Foundation
import Testing

@testable import GraphdClient

/// Answers that an app reads itself.
@Suite(.timeLimit(.minutes(1)))
struct RawAnswerTests {
    @Test func `an answer comes unchanged, with its headers`() async throws {
        let text = #"{"later": [1e400], "unreadCount" : 2}"#
        let peer = ScriptedPeer { _, _ in .json(text, status: 201, headers: [("ETag", "a"), ("etag", "b")]) }
        let answer = try await GraphdClient.scripted(peer).answer(
            .put, "/v1/things/a b", query: [("q", "1&2"), ("none", nil)], body: Data(#"{"b":1,"a":2}"#.utf8))
        #expect(answer.status == 201 && answer.body == Data(text.utf8) && answer.headers == ["etag": "b"])
        #expect(answer.refusal == nil)
        let request = try #require(await peer.requests.first)
        #expect(request.url.absoluteString == "http://peer.example/v1/things/a%20b?q=1%262")
        #expect(request.method == .put && request.headers["Content-Type"] == "application/json")
        #expect(request.headers["Authorization"] == "Bearer token1")
        #expect(await peer.bodies == [Data(#"{"b":1,"a":2}"#.utf8)])
    }

    @Test func `a refusal is an answer, and an error on request`() async throws {
        let peer = ScriptedPeer { _, _ in .problem(404, "post_not_found", headers: [("Retry-After", "3")]) }
        let answer = try await GraphdClient.scripted(peer).answer(.get, "/v1/posts/5")
        #expect(answer.status == 404 && String(decoding: answer.body, as: UTF8.self).contains("post_not_found"))
        #expect(answer.refusal?.code == .postNotFound && answer.refusal?.retryAfter == 3)
        #expect(await peer.requests.count == 1)
    }

    @Test func `a refusal may be read as the type that the API describes`() async throws {
        let peer = ScriptedPeer { _, _ in .json(#"{"status":"degraded"}"#, status: 503) }
        let client = try GraphdClient.scripted(peer) { $0.retries.maximumAttempts = 1 }
        #expect(try await client.answer(.get, "/readyz").decoded(Readiness.self).status == .degraded)
        await #expect(throws: ClientError.self) {
            try await client.answer(.get, "/readyz").decoded([String].self)
        }
    }

    @Test func `a request is repeated like any other, and then its last refusal is the answer`() async throws {
        let peer = ScriptedPeer { _, _ in .problem(503, "busy") }
        #expect(try await GraphdClient.scripted(peer).answer(.get, "/v1/me").status == 503)
        #expect(await peer.requests.count == 4)
        let broken = ScriptedPeer { number, _ in
            number == 1 ? .pieces(["{"], breaksOff: true) : .pieces(["{", "}"])
        }
        #expect(try await GraphdClient.scripted(broken).answer(.get, "/v1/me").body == Data("{}".utf8))
    }

    @Test(arguments: [nil, "mine"])
    func `a POST is repeated after a lost answer only under a key`(_ key: String?) async throws {
        let peer = ScriptedPeer { number, _ in
            if number == 1 { throw ScriptedPeer.ConnectionLost() }
            return .empty
        }
        let client = try GraphdClient.scripted(peer)
        let answer = try? await client.answer(.post, "/v1/posts", body: Data("{}".utf8), idempotencyKey: key)
        #expect((answer?.status == 204) == (key != nil))
        #expect(await peer.requests.map { $0.headers["Idempotency-Key"] } == (key == nil ? [nil] : [key, key]))
    }

    @Test func `an expired token is renewed`() async throws {
        let peer = ScriptedPeer { _, request in
            if request.url.path == "/v1/auth/refresh" { return .json(Session.numbered(2).json) }
            return request.headers["Authorization"] == "Bearer token2" ? .empty : .problem(401, "token_expired")
        }
        #expect(try await GraphdClient.scripted(peer).answer(.get, "/v1/me").status == 204)
    }

    @Test(arguments: ["", "v1/me", "@other.example/v1/me", "/", "/v1//me", "/v1/../me", "/v1/me/"])
    func `a path that would leave its place is not sent`(_ path: String) async throws {
        let peer = ScriptedPeer { _, _ in .empty }
        await #expect(throws: ClientError.self) { try await GraphdClient.scripted(peer).answer(.get, path) }
        #expect(await peer.requests.isEmpty)
    }

    @Test func `a question mark or a percent sign stays in the path`() async throws {
        let peer = ScriptedPeer { _, _ in .empty }
        _ = try await GraphdClient.scripted(peer).answer(.get, "/v1/users/a?b#c%2F")
        let url = await peer.requests.first?.url.absoluteString
        #expect(url == "http://peer.example/v1/users/a%3Fb%23c%252F")
    }
}
