import Database
import Foundation
import ServiceTestSupport
import Sessions
import SocialGraph
import TestSupport
import Testing

@testable import CommandSupport
@testable import GraphServices
@testable import StrictJSON

/// Changes of an account's email address. The address can reset the password, so a token alone does not change it.
@Suite(.timeLimit(.process), .sharedGraphd)
struct EmailChangeTests {
    private static let password = "correct horse"

    let server: GraphdServer
    private let name = "e" + UUID().uuidString.prefix(8).lowercased()

    init() throws { server = try GraphdServer.shared }

    private func signUp() async throws -> APIClient {
        let body = #"{"email":"\#(name)@example.org","password":"\#(Self.password)","username":"\#(name)"}"#
        let answer = try await server.client().post("/v1/auth/signup", body)
        return server.client(token: try #require(try answer.json["token"]?.text))
    }

    private func email(_ client: APIClient) async throws -> String? {
        try await client.get("/v1/me").json["email"]?.text
    }

    @Test func `another address needs the password`() async throws {
        let client = try await signUp()
        let before = "\(name)@example.org"
        let change = #""email":"new.\#(name)@example.org","bio":"x""#
        try await client.patch("/v1/me", "{\(change)}")
            .expectProblem(403, "password_required", field: "currentPassword")
        try await client.patch("/v1/me", #"{\#(change),"currentPassword":"wrong horse"}"#)
            .expectProblem(401, "wrong_credentials")
        // A refused change leaves everything as it was. Another spelling is another address.
        #expect(try await client.get("/v1/me").json["bio"] == .string(""))
        try await client.patch("/v1/me", #"{"email":"\#(before.uppercased())"}"#).expectProblem(
            403, "password_required", field: "currentPassword")
        #expect(try await email(client) == before)
        // Setting the current address is not a change.
        #expect(try await client.patch("/v1/me", #"{"email":"\#(before)","bio":"y"}"#).json["bio"] == .string("y"))
        let changed = try await client.patch("/v1/me", #"{\#(change),"currentPassword":"\#(Self.password)"}"#)
        #expect(try changed.json["email"] == .string("new.\(before)"))
    }

    @Test(arguments: ProductUnderTest.all)
    func `the products ask for the password as well`(product: ProductUnderTest) async throws {
        let member = try await product.member(server, name)
        for send in [member.client.put, member.client.patch] as [(String, String) async throws -> Answer] {
            let change = #""email":"new.\#(name).\#(product.base.dropFirst())@example.org""#
            try product.expectFailure(try await send(member.path, "{\(change)}"), 403, "password_required")
            try product.expectFailure(
                try await send(member.path, #"{\#(change),"currentPassword":"wrong horse"}"#), 401,
                "wrong_credentials")
            // A client may send back the whole document.
            #expect(try await send(member.path, #"{"email":"\#(member.email)"}"#).status == 200)
            #expect(try await email(member.client) == member.email)
        }
        let body = #"{"email":"new.\#(member.email)","currentPassword":"\#(Self.password)"}"#
        #expect(try await member.client.put(member.path, body).status == 200)
        #expect(try await email(member.client) == "new.\(member.email)")
    }

    @Test func `an account without a password needs a recent login`() async throws {
        let person = try await server.person()
        let old = TokenIssuer(
            keys: try await TokenKeys(directory: server.directory.path),
            now: { SystemClock.milliseconds() - RequestLimits.recentLogIn - 1_000 })
        let token = try await old.issue(userID: person.id.rawValue, lifetime: .seconds(3_600)).token
        let change = #"{"email":"\#(person.username)@example.org"}"#
        let client = server.client(token: token)
        try await client.patch("/v1/me", change).expectProblem(403, "recent_login_required")
        // Setting a password with an old token would bypass the check.
        try await client.put("/v1/me/password", #"{"newPassword":"\#(Self.password)"}"#)
            .expectProblem(403, "recent_login_required")
        try await client.delete("/v1/me").expectProblem(403, "recent_login_required")
        #expect(try await server.client(person).patch("/v1/me", change).status == 200)
        // The session's age counts, not that of its tokens.
        let other = try await server.person()
        let session = try await server.graph.sessions.openSession(
            of: other.id, refresh: RefreshGrant(digest: Array(other.username.utf8), lifetime: 3_600_000))
        let grant = try #require(session)
        try await server.graph.database.write { transaction in
            try transaction.execute(
                "UPDATE session SET created_at = created_at - ?2 WHERE id = ?1",
                [.session(grant.session), .integer(RequestLimits.recentLogIn + 1_000)])
        }
        let renewed = try await server.tokens.issue(
            userID: other.id.rawValue, epoch: Int(grant.epoch), session: grant.session.rawValue,
            lifetime: .seconds(60)
        ).token
        try await server.client(token: renewed).patch("/v1/me", #"{"email":"x.\#(other.username)@example.org"}"#)
            .expectProblem(403, "recent_login_required")
    }
}
