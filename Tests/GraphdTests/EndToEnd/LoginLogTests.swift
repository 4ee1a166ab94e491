import Foundation
import ServiceTestSupport
import SocialGraph
import TestSupport
import Testing

@testable import GraphHTTP
@testable import StrictJSON

/// The log of log-in attempts, as the account's user reads it.
@Suite(.timeLimit(.process), .sharedGraphd)
struct LoginLogTests {
    private static let password = "correct horse"

    let server: GraphdServer
    private let name = "l" + UUID().uuidString.prefix(8).lowercased()

    init() throws { server = try GraphdServer.shared }

    private func logIn(_ password: String) async throws -> Answer {
        try await server.client().post(
            "/v1/auth/login", #"{"email":"\#(name)@example.org","password":"\#(password)"}"#,
            headers: [("User-Agent", "phone \(String(repeating: "x", count: 400))")])
    }

    private func outcomes(_ client: APIClient) async throws -> [String?] {
        try await client.get("/v1/me/logins").json["items"]?.entries?.map { $0["outcome"]?.text } ?? []
    }

    @Test func `the owner reads what happened`() async throws {
        let body = #"{"email":"\#(name)@example.org","password":"\#(Self.password)","username":"\#(name)"}"#
        let first = try await server.client().post("/v1/auth/signup", body).json
        let refresh = try #require(first["refreshToken"]?.text)
        for _ in 0..<2 {
            _ = try await server.client().post("/v1/auth/refresh", #"{"refreshToken":"\#(refresh)"}"#)
        }
        let second = try await logIn(Self.password).json
        let client = server.client(token: try #require(second["token"]?.text))
        let change = #"{"email":"new.\#(name)@example.org","currentPassword":"\#(Self.password)"}"#
        #expect(try await client.patch("/v1/me", change).status == 200)
        let new = #"{"currentPassword":"\#(Self.password)","newPassword":"battery staple"}"#
        let third = try await client.put("/v1/me/password", new).json
        let last = server.client(token: try #require(third["token"]?.text))
        let happened = ["password_changed", "email_changed", "success", "refresh_token_reused", "success"]
        #expect(try await outcomes(last) == happened)

        let page = try await last.get("/v1/me/logins?limit=3").json
        let cursor = try #require(page["nextCursor"]?.text)
        let rest = try await last.get("/v1/me/logins?limit=3&cursor=\(cursor)").json
        #expect(page["items"]?.entries?.count == 3 && rest["items"]?.entries?.count == 2)
        #expect(rest["nextCursor"] == .null)
        let entry = try #require(page["items"]?.entries?.last)
        #expect(entry.names == ["loginId", "outcome", "address", "userAgent", "firstAt", "lastAt", "count"])
        #expect(entry["address"]?.text == "127.0.0.1" && entry["count"] == .integer(1))
        let agent = try #require(entry["userAgent"]?.text)
        #expect(agent.hasPrefix("phone xxx") && agent.utf8.count == 256)
        let export = try await last.get("/v1/me/export").json
        #expect(export["logins"]?.entries?.map { $0["outcome"]?.text } == happened)
        let stranger = server.client(try await server.person())
        #expect(try await outcomes(stranger) == [])
    }

    @Test func `wrong passwords of an hour are one entry`() async throws {
        let body = #"{"email":"\#(name)@example.org","password":"\#(Self.password)","username":"\#(name)"}"#
        let session = try await server.client().post("/v1/auth/signup", body).json
        let client = server.client(token: try #require(session["token"]?.text))
        for _ in 0..<3 { #expect(try await logIn("wrong horse").status == 401) }
        try await client.put("/v1/me/password", #"{"currentPassword":"wrong horse","newPassword":"battery staple"}"#)
            .expectProblem(401, "wrong_credentials")
        // Attempts are stored within a second.
        var guesses: [JSONValue] = []
        while guesses.reduce(0, { $0 + ($1["count"]?.number ?? 0) }) < 4 {
            let items = try await client.get("/v1/me/logins").json["items"]?.entries ?? []
            guesses = items.filter { $0["outcome"]?.text == "wrong_password" }
            await Task.yield()
        }
        // There are two groups if the hour has ended in between.
        #expect(guesses.count <= 2)
        #expect(try await logIn(Self.password).status == 200)
    }

    @Test(arguments: [
        ("curl/8", "curl/8"), ("a\u{202E}b\u{0}c\n", "abc"), ("", nil), ("\u{200B}", nil),
        (String(repeating: "é", count: 300), String(repeating: "é", count: 128)),
    ])
    func `a user agent is bounded and shows what it says`(_ sent: String, _ kept: String?) {
        #expect(LoginOrigin.cleaned(sent) == kept)
    }
}
