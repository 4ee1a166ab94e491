import Audit
import Database
import Foundation
import ServiceTestSupport
import SocialGraph
import TestSupport
import Testing

@testable import CommandSupport
@testable import GraphServices
@testable import StrictJSON

/// `graphd user password`, beside a running server.
@Suite(.timeLimit(.process), .sharedGraphd)
struct UserPasswordTests {
    let server: GraphdServer

    init() throws { server = try GraphdServer.shared }

    private func setPassword(of name: String, _ input: String) async throws -> CommandRun {
        try await server.command(
            ["user", "password", name, "--data-dir", server.directory.path], environment: [:], input: input)
    }

    @Test func `the operator sets a password and every token is dead at once`() async throws {
        let name = "p" + UUID().uuidString.prefix(8).lowercased()
        let body = #"{"email":"\#(name)@example.org","password":"correct horse","username":"\#(name)"}"#
        let session = try await server.client().post("/v1/auth/signup", body).json
        let client = server.client(token: try #require(session["token"]?.text))
        #expect(try await client.get("/v1/me").status == 200)
        let run = try await setPassword(of: name, "battery staple\nanother line\n").expect(0)
        let user = try #require(try await server.graph.accounts.account(username: name)).id
        let acts = try await server.graph.audit.entries(.subject(user.rawValue), below: nil, limit: 9).items
        #expect(acts.map(\.act) == [AuditNote(.passwordReplaced, by: .machineUser, subject: user.rawValue)])
        #expect(run.output.contains(name) && !run.description.contains("battery"))
        while try await client.get("/v1/me").status != 401 {
            // Not for synchronisation: the server reads the change log of other processes at intervals.
            try await Task.sleep(for: .milliseconds(10))
        }
        let old = try await server.client().post(
            "/v1/auth/login", #"{"email":"\#(name)@example.org","password":"correct horse"}"#)
        try old.expectProblem(401, "wrong_credentials")
        let new = try await server.client().post(
            "/v1/auth/login", #"{"email":"\#(name)@example.org","password":"battery staple"}"#)
        #expect(new.status == 200)
    }

    @Test func `a weak or missing password and an unknown user are refused`() async throws {
        let person = try await server.person()
        #expect(try await setPassword(of: person.username, "short\n").expect(65).errors.joined().contains("8 to 256"))
        _ = try await setPassword(of: person.username, "").expect(65)
        _ = try await setPassword(of: "nobody.at.all", "battery staple\n").expect(66)
    }
}
