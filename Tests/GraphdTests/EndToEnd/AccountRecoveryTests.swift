import Database
import Foundation
import ServiceTestSupport
import Sessions
import SocialGraph
import TestSupport
import Testing

@testable import GraphServices
@testable import StrictJSON

/// Forgotten passwords and confirmed addresses, as an app uses them, with mails written to a directory.
@Suite(.timeLimit(.process), .sharedGraphd("--mail", "directory:\(Mailbox.path)", "--mail-from", "Ex <no@example.org>"))
struct AccountRecoveryTests {
    private static let password = "correct horse"

    let server: GraphdServer
    private let name = "r" + UUID().uuidString.prefix(8).lowercased()
    private var email: String { "\(name)@example.org" }
    private var mailbox: Mailbox { Mailbox(address: email) }

    init() throws { server = try GraphdServer.shared }

    private func signUp() async throws -> APIClient {
        let body = #"{"email":"\#(email)","password":"\#(Self.password)","username":"\#(name)"}"#
        let answer = try await server.client().post("/v1/auth/signup", body)
        return server.client(token: try #require(try answer.json["token"]?.text))
    }

    private func logIn(_ password: String) async throws -> Answer {
        try await server.client().post("/v1/auth/login", #"{"email":"\#(email)","password":"\#(password)"}"#)
    }

    private func isConfirmed(_ client: APIClient) async throws -> JSONValue? {
        try await client.get("/v1/me").json["emailConfirmed"]
    }

    @Test func `an address is confirmed by the token that the sign-up sends`() async throws {
        let client = try await signUp()
        #expect(try await isConfirmed(client) == .bool(false))
        let token = try await mailbox.token("Confirm your email address at Ex")
        let confirm = #"{"token":"\#(token)"}"#
        #expect(try await server.client().post("/v1/auth/email/confirm", confirm).status == 204)
        #expect(try await isConfirmed(client) == .bool(true))
        try await server.client().post("/v1/auth/email/confirm", confirm)
            .expectProblem(422, "invalid_token", field: "token")
        #expect(try await client.post("/v1/auth/email/confirmation", "").status == 202)
        try await server.client().post("/v1/auth/email/confirmation", "").expectProblem(401, "token_missing")

        let change = #"{"email":"new.\#(email)","currentPassword":"\#(Self.password)"}"#
        #expect(try await client.patch("/v1/me", change).json["emailConfirmed"] == .bool(false))
        _ = try await mailbox.text("The email address of your account at Ex has changed")
        let other = Mailbox(address: "new." + email)
        let next = try await other.token("Confirm your email address at Ex")
        #expect(try await server.client().post("/v1/auth/email/confirm", #"{"token":"\#(next)"}"#).status == 204)
        #expect(try await isConfirmed(client) == .bool(true))
    }

    @Test func `a forgotten password is replaced and every session ends`() async throws {
        let client = try await signUp()
        let open = server.client()
        #expect(try await open.post("/v1/auth/password-reset", #"{"email":"\#(email.uppercased())"}"#).status == 202)
        let token = try await mailbox.token("Reset your password at Ex")
        func confirm(_ token: String, _ password: String) async throws -> Answer {
            try await open.post(
                "/v1/auth/password-reset/confirm", #"{"token":"\#(token)","newPassword":"\#(password)"}"#)
        }
        try await confirm(token, "short").expectProblem(422, "weak_password", field: "newPassword")
        #expect(try await confirm(token, "battery staple").status == 204)
        #expect(try await client.get("/v1/me").status == 401)
        try await logIn(Self.password).expectProblem(401, "wrong_credentials")
        let again = server.client(token: try #require(try await logIn("battery staple").json["token"]?.text))
        #expect(try await isConfirmed(again) == .bool(true), "the token came by mail")
        _ = try await mailbox.text("The password of your account at Ex has changed")
        let spent = try await confirm(token, "another horse")
        try spent.expectProblem(422, "invalid_token", field: "token")
        for wrong in ["", "x", String(repeating: "A", count: 40), String(repeating: "A", count: 5_000)] {
            let answer = try await confirm(wrong, "another horse")
            #expect(try answer.json["detail"] == spent.json["detail"] && answer.status == 422, "\(wrong.prefix(50))")
        }
    }

    @Test func `no answer tells whether an address exists`() async throws {
        _ = try await signUp()
        let open = server.client()
        func headers(_ answer: Answer) -> [String] {
            answer.headers.filter { !["date", "x-request-id"].contains($0.name.lowercased()) }
                .map { "\($0.name): \($0.value)" }
        }
        for path in ["/v1/auth/password-reset", "/v1/auth/login"] {
            let rest = path.hasSuffix("login") ? #","password":"wrong horse""# : ""
            let known = try await open.post(path, #"{"email":"\#(email)"\#(rest)}"#)
            let unknown = try await open.post(path, #"{"email":"nobody.\#(email)"\#(rest)}"#)
            #expect(known.status == unknown.status && headers(known) == headers(unknown))
            #expect(try Self.withoutRequest(known) == Self.withoutRequest(unknown))
        }
        for body in ["{}", #"{"email":"x"}"#, #"{"email":"\#(email)","x":1}"#] {
            #expect((400...422).contains(try await open.post("/v1/auth/password-reset", body).status), "\(body)")
        }
    }

    /// The body of an answer without the id of its request.
    private static func withoutRequest(_ answer: Answer) throws -> [String] {
        guard !answer.body.isEmpty else { return [] }
        let json = try answer.json
        return json.names.filter { $0 != "requestId" }.map { "\($0): \(json[$0] ?? .null)" }
    }

    @Test func `the metrics count mails`() async throws {
        _ = try await signUp()
        _ = try await mailbox.token("Confirm your email address at Ex")
        let text = try await server.client().get("/metrics").text
        #expect(text.contains(#"graphd_mails_total{outcome="sent"}"#) && text.contains("graphd_mails_waiting"))
    }
}

/// Servers without mail, and servers that die before they send.
@Suite(.timeLimit(.process))
struct MailSettingTests {
    @Test func `without a destination the calls say so`() async throws {
        try await GraphdServer.running { server in
            let client = server.client(try await server.person())
            for (path, body) in [
                ("password-reset", #"{"email":"a@example.org"}"#), ("email/confirmation", ""),
                ("password-reset/confirm", #"{"token":"x","newPassword":"correct horse"}"#),
                ("email/confirm", #"{"token":"x"}"#),
            ] {
                try await client.post("/v1/auth/\(path)", body).expectProblem(503, "mail_not_configured", "\(path)")
            }
            #expect(try await server.graph.mailQueue.backlog() == 0)
        }
    }

    @Test func `a server killed before it sends a mail sends it after its restart`() async throws {
        let unreachable = try LocalSocket.freePort()
        let sender = ["--mail-from", "no@example.org"]
        try await GraphdServer.prepared(sender, in: .process) { server in
            _ = try await server.graph.accounts.createAccount(
                username: "ann", email: "killed@example.org", passwordHash: nil)
            try await server.start(["--mail", "smtp://127.0.0.1:\(unreachable)"])
            let body = #"{"email":"killed@example.org"}"#
            #expect(try await server.client().post("/v1/auth/password-reset", body).status == 202)
            await server.kill()
            #expect(try await server.graph.mailQueue.backlog() == 1)
            // The former attempt, if there was one, has put the next one off.
            try await server.graph.database.write { try $0.execute("UPDATE mail SET due_at = 1", []) }
            try await server.start(["--mail", "directory:\(Mailbox.path)"])
            _ = try await Mailbox(address: "killed@example.org").token("Reset your password at example.org")
        }
    }
}

/// The directory of mails of these suites, and the mails to one address in it.
struct Mailbox: Sendable {
    static let path = temporaryPath("mail")

    let address: String

    /// Waits for the mail with a subject to the address.
    func text(_ subject: String) async throws -> String {
        while true {
            for name in (try? FileManager.default.contentsOfDirectory(atPath: Self.path)) ?? []
            where name.hasSuffix(".eml") {
                let text = (try? String(contentsOfFile: Self.path + "/" + name, encoding: .utf8)) ?? ""
                if text.contains("\r\nTo: \(address)\r\n"), text.contains("\r\nSubject: \(subject)\r\n") { return text }
            }
            // Not for synchronisation: a busy loop would take processor time from the server.
            try await Task.sleep(for: .milliseconds(20))
        }
    }

    /// Waits for the mail, and returns its token.
    func token(_ subject: String) async throws -> String {
        let lines = try await text(subject).split(separator: "\r\n").map(String.init)
        return try #require(lines.first { AccountToken(presented: $0) != nil })
    }
}
