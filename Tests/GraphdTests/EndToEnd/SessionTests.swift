import Foundation
import ServiceTestSupport
import Sessions
import SocialGraph
import TestSupport
import Testing

@testable import StrictJSON

/// Log-in, renewal, log-out and passwords over HTTP. An ended session is invalid from the acknowledgement on.
@Suite(.timeLimit(.process), .sharedGraphd)
struct SessionTests {
    private static let password = "correct horse"

    let server: GraphdServer
    private let name = "s" + UUID().uuidString.prefix(8).lowercased()

    init() throws { server = try GraphdServer.shared }

    private struct Session {
        let token: String
        let refreshToken: String

        init(_ answer: Answer) throws {
            guard (200...201).contains(answer.status), let token = try answer.json["token"]?.text,
                let refreshToken = try answer.json["refreshToken"]?.text
            else { throw UnexpectedAnswer(answer) }
            self.token = token
            self.refreshToken = refreshToken
        }
    }

    private func signUp() async throws -> Session {
        let body = #"{"email":"\#(name)@example.org","password":"\#(Self.password)","username":"\#(name)"}"#
        return try Session(try await server.client().post("/v1/auth/signup", body))
    }

    private func logIn(_ password: String = Self.password) async throws -> Session {
        try Session(try await tryLogIn(password))
    }

    private func tryLogIn(_ password: String) async throws -> Answer {
        try await server.client().post(
            "/v1/auth/login", #"{"email":"\#(name)@example.org","password":"\#(password)"}"#)
    }

    private func refresh(_ token: String) async throws -> Answer {
        try await server.client().post("/v1/auth/refresh", #"{"refreshToken":"\#(token)"}"#)
    }

    private func expectLive(_ session: Session, _ isLive: Bool, at location: SourceLocation = #_sourceLocation)
        async throws
    {
        let answer = try await server.client(token: session.token).get("/v1/me")
        #expect(answer.status == (isLive ? 200 : 401), "\(answer)", sourceLocation: location)
        if !isLive { #expect(try answer.json["code"] == .string("token_invalid"), sourceLocation: location) }
    }

    @Test func `a renewed session works and a spent token ends it`() async throws {
        let first = try await signUp()
        let other = try await logIn()
        let second = try Session(try await refresh(first.refreshToken))
        #expect(second.refreshToken != first.refreshToken)
        try await expectLive(first, true)
        try await expectLive(second, true)
        let third = try Session(try await refresh(second.refreshToken))
        // A reused refresh token may be stolen, so the whole session ends.
        try await refresh(first.refreshToken).expectProblem(401, "refresh_token_invalid")
        for dead in [first, second, third] {
            try await expectLive(dead, false)
            try await refresh(dead.refreshToken).expectProblem(401, "refresh_token_invalid")
        }
        try await expectLive(other, true)
        _ = try Session(try await refresh(other.refreshToken))
    }

    @Test(arguments: ["", "x", String(repeating: "A", count: 43), String(repeating: "A", count: 44), "é"])
    func `what is no refresh token is refused`(_ token: String) async throws {
        try await refresh(token).expectProblem(401, "refresh_token_invalid")
        try await server.client().post("/v1/auth/refresh", "{}").expectProblem(
            400, "missing_field", field: "refreshToken")
    }

    @Test func `logging out ends that session alone`() async throws {
        let (first, second) = (try await signUp(), try await logIn())
        // The server has already accepted these tokens.
        try await expectLive(first, true)
        try await server.client(token: first.token).act("POST", "/v1/auth/logout")
        try await expectLive(first, false)
        try await refresh(first.refreshToken).expectProblem(401, "refresh_token_invalid")
        try await expectLive(second, true)
        // A token issued by the operator belongs to no session.
        let person = try await server.person()
        try await server.client(person).send("POST", "/v1/auth/logout").expectProblem(404, "not_found")
        #expect(try await server.client(person).get("/v1/me").status == 200)
    }

    @Test func `logging out everywhere ends every token of whatever kind`() async throws {
        let (first, second) = (try await signUp(), try await logIn())
        let account = try #require(try await server.graph.accounts.account(username: name))
        let operators = try await server.person(account)
        #expect(try await server.client(operators).get("/v1/me").status == 200)
        try await server.client(token: second.token).act("POST", "/v1/auth/logout-everywhere")
        for session in [first, second] {
            try await expectLive(session, false)
            try await refresh(session.refreshToken).expectProblem(401, "refresh_token_invalid")
        }
        #expect(try await server.client(operators).get("/v1/me").status == 401)
        try await expectLive(try await logIn(), true)
    }

    @Test func `a new password ends all other sessions`() async throws {
        let (first, second) = (try await signUp(), try await logIn())
        let client = server.client(token: first.token)
        func change(_ current: String, _ new: String) async throws -> Answer {
            try await client.put(
                "/v1/me/password", #"{"currentPassword":"\#(current)","newPassword":"\#(new)"}"#)
        }
        try await change("wrong password", "battery staple").expectProblem(401, "wrong_credentials")
        try await change(Self.password, "short").expectProblem(422, "weak_password", field: "newPassword")
        try await client.put("/v1/me/password", #"{"newPassword":"battery staple"}"#)
            .expectProblem(400, "missing_field", field: "currentPassword")
        try await expectLive(second, true)
        let new = try Session(try await change(Self.password, "battery staple"))
        try await expectLive(first, false)
        try await expectLive(second, false)
        try await expectLive(new, true)
        try await tryLogIn(Self.password).expectProblem(401, "wrong_credentials")
        _ = try await logIn("battery staple")
    }

    @Test func `an account without a password sets its first`() async throws {
        let account = try await server.graph.accounts.createAccount(
            username: name, email: "\(name)@example.org", passwordHash: nil)
        let person = try await server.person(account)
        try await tryLogIn(Self.password).expectProblem(401, "wrong_credentials")
        let set = try await server.client(person).put("/v1/me/password", #"{"newPassword":"\#(Self.password)"}"#)
        try await expectLive(try Session(set), true)
        try await expectLive(try await logIn(), true)
    }

    @Test func `sessions are listed and ended one by one`() async throws {
        let first = try await signUp()
        let second = try await logIn()
        let client = server.client(token: second.token)
        let page = try await client.get("/v1/me/sessions").json
        let items = try #require(page["items"]?.entries)
        #expect(page.names == ["items"] && items.count == 2)
        #expect(items[0].names == ["sessionId", "createdAt", "usedAt", "expiresAt", "current"])
        #expect(items.map { $0["current"] } == [.bool(true), .bool(false)])
        let older = try #require(items[1]["sessionId"]?.text)
        let stranger = server.client(try await server.person())
        try await stranger.delete("/v1/me/sessions/\(older)").expectProblem(404, "not_found")
        for id in noIDs { try await client.delete("/v1/me/sessions/\(id)").expectProblem(404, "not_found") }
        try await expectLive(first, true)
        try await client.act("DELETE", "/v1/me/sessions/\(older)")
        try await client.delete("/v1/me/sessions/\(older)").expectProblem(404, "not_found")
        try await expectLive(first, false)
        #expect(try await client.get("/v1/me/sessions").json["items"]?.entries?.count == 1)
    }

    @Test func `what another process ends is dead here too`() async throws {
        let session = try await signUp()
        try await expectLive(session, true)
        let account = try #require(try await server.graph.accounts.account(username: name))
        try await server.graph.sessions.endAllSessions(of: account.id)
        while try await server.client(token: session.token).get("/v1/me").status == 200 {
            // Not for synchronisation: a busy loop would take processor time from the server.
            try await Task.sleep(for: .milliseconds(10))
        }
        try await expectLive(session, false)
    }

    @Test func `sessions outlive a restart and the longer lifetime counts`() async throws {
        try await GraphdServer.prepared(["--token-lifetime", "2d", "--refresh-lifetime", "1d"], in: .process) {
            server in
            try await server.start()
            let body = #"{"email":"a@example.org","password":"\#(Self.password)","username":"a"}"#
            let answer = try await server.client().post("/v1/auth/signup", body)
            let session = try Session(answer)
            // Both times are RFC 3339 in UTC. That of the access token is in whole seconds.
            let json = try answer.json
            let (expires, refreshExpires) = (json["expiresAt"]?.text ?? "~", json["refreshExpiresAt"]?.text ?? "")
            #expect(expires.prefix(10) <= refreshExpires.prefix(10))
            await server.kill()
            try await server.start()
            #expect(try await server.client(token: session.token).get("/v1/me").status == 200)
            let refresh = #"{"refreshToken":"\#(session.refreshToken)"}"#
            #expect(try await server.client().post("/v1/auth/refresh", refresh).status == 200)
            #expect(try await server.client().post("/v1/auth/refresh", refresh).status == 401)
            await server.kill()
            try await server.start()
            #expect(try await server.client(token: session.token).get("/v1/me").status == 401)
        }
    }
}
