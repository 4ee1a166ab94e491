import Database
import Foundation
import ServiceTestSupport
import Sessions
import TestSupport
import Testing

@testable import CommandSupport
@testable import StrictJSON

extension APIClient {
    fileprivate func removeAuthenticator(_ json: String) async throws -> Answer {
        try await send("DELETE", "/v1/me/totp", body: Array(json.utf8))
    }
}

/// Second factors of log-ins, over HTTP and on the command line.
@Suite(.timeLimit(.process), .sharedGraphd)
struct AuthenticatorTests {
    let server: GraphdServer

    init() throws { server = try GraphdServer.shared }

    @Test func `a log-in needs a code once the authenticator is proven`() async throws {
        let owner = AccountOwner(server: server)
        let client = try await owner.signUp()
        let other = try owner.client(await owner.logIn())
        let off = #"{"enabled":false,"required":false,"recoveryCodesLeft":0}"#
        #expect(try await client.get("/v1/me/totp").text == off)
        let (secret, codes) = try await owner.setUp(client)
        #expect(codes.count == 10)
        let on = #"{"enabled":true,"required":false,"recoveryCodesLeft":10}"#
        #expect(try await client.get("/v1/me/totp").text == on)
        #expect(try await client.get("/v1/me").status == 200)
        try await other.get("/v1/me").expectProblem(401, "token_invalid")

        try await owner.logIn().expectProblem(401, "totp_required", field: "code")
        try await owner.logIn(password: "wrong horse").expectProblem(401, "wrong_credentials")
        try await owner.logIn(codes[0], password: "wrong horse").expectProblem(401, "wrong_credentials")
        for code in ["000000", "", "abcdef", String(repeating: "1", count: 5_000)] {
            try await owner.logIn(code).expectProblem(401, "wrong_code", field: "code", "\(code.prefix(9))")
        }
        let next = secret.code(at: AccountOwner.step + 1)
        _ = try owner.client(await owner.logIn(next))
        try await owner.logIn(next).expectProblem(401, "wrong_code", field: "code")
        _ = try owner.client(await owner.logIn(codes[0]))
        try await owner.logIn(codes[0]).expectProblem(401, "wrong_code", field: "code")
        #expect(try await client.get("/v1/me/totp").json["recoveryCodesLeft"] == .integer(9))
        let logins = try await client.get("/v1/me/logins").json["items"]?.entries ?? []
        #expect(logins.contains { $0["outcome"]?.text == "totp_enabled" })
        #expect(logins.contains { $0["outcome"]?.text == "wrong_code" && $0["address"]?.text == "127.0.0.1" })
    }

    @Test func `log-ins of the products need it too`() async throws {
        let owner = AccountOwner(server: server)
        let (_, codes) = try await owner.setUp(try await owner.signUp())
        for (product, code) in zip(["/vistavid", "/fitstream", "/reelai", "/social"], codes) {
            let path = "\(product)/auth/login"
            let body = #"{"email":"\#(owner.email)","password":"\#(AccountOwner.password)""#
            #expect(try await server.client().post(path, body + "}").status == 401, "\(path)")
            #expect(try await server.client().post(path, body + #","code":"\#(code)"}"#).status == 200, "\(path)")
        }
    }

    @Test func `every change needs the password, and the removal a code`() async throws {
        let owner = AccountOwner(server: server)
        let client = try await owner.signUp()
        try await client.post("/v1/me/totp", "").expectProblem(400, "missing_field", field: "password")
        try await client.post("/v1/me/totp", #"{"password":"wrong horse"}"#).expectProblem(401, "wrong_credentials")
        try await client.post("/v1/me/totp/confirm", #"{"code":"123456"}"#).expectProblem(409, "totp_not_enabled")
        let none = #"{"password":"\#(AccountOwner.password)","code":"123456"}"#
        try await client.removeAuthenticator(none).expectProblem(409, "totp_not_enabled")
        let (_, codes) = try await owner.setUp(client)
        try await client.post("/v1/me/totp", #"{"password":"\#(AccountOwner.password)"}"#).expectProblem(
            409, "totp_enabled")
        try await client.post("/v1/me/totp/confirm", #"{"code":"123456"}"#).expectProblem(409, "totp_enabled")

        func proof(_ code: String, _ password: String = AccountOwner.password) -> String {
            #"{"password":"\#(password)","code":"\#(code)"}"#
        }
        let path = "/v1/me/totp/recovery-codes"
        try await client.post(path, proof(codes[0], "wrong horse")).expectProblem(401, "wrong_credentials")
        try await client.post(path, proof("abcd-efgh-ijkl-mnop")).expectProblem(401, "wrong_code", field: "code")
        let renewed = try await client.post(path, proof(codes[0])).json["recoveryCodes"]?.entries?.compactMap(\.text)
        let new = try #require(renewed)
        #expect(new.count == 10 && Set(new).isDisjoint(with: codes))
        try await owner.logIn(codes[1]).expectProblem(401, "wrong_code", field: "code")
        try await client.removeAuthenticator(proof(codes[1])).expectProblem(401, "wrong_code", field: "code")
        #expect(try await client.removeAuthenticator(proof(new[0])).status == 204)
        #expect(try await owner.logIn().status == 200)
    }

    @Test func `a password set by its owner or reset leaves the authenticator in force`() async throws {
        let owner = AccountOwner(server: server)
        let client = try await owner.signUp()
        let (_, codes) = try await owner.setUp(client)
        let new = "battery staple"
        let change = #"{"currentPassword":"\#(AccountOwner.password)","newPassword":"\#(new)"}"#
        #expect(try await client.put("/v1/me/password", change).status == 200)
        try await owner.logIn(password: new).expectProblem(401, "totp_required", field: "code")
        #expect(try await owner.logIn(codes[0], password: new).status == 200)
    }

    @Test func `the operator sees and removes it`() async throws {
        let owner = AccountOwner(server: server)
        let words = ["user", "totp", owner.name, "--data-dir", server.directory.path]
        let client = try await owner.signUp()
        #expect(try await server.command(words, environment: [:]).expect(0).output.contains("no authenticator"))
        _ = try await owner.setUp(client)
        #expect(try await server.command(words, environment: [:]).expect(0).output.contains("10 unused"))
        try await owner.logIn().expectProblem(401, "totp_required", field: "code")
        try await server.command(words + ["--remove"], environment: [:]).expect(0)
        #expect(try await owner.logIn().status == 200)
        try await server.command(["user", "totp", "nobody.at.all"] + words.suffix(2), environment: [:]).expect(66)
    }

    @Test func `the command line asks for the code`() async throws {
        let owner = AccountOwner(server: server)
        let (_, codes) = try await owner.setUp(try await owner.signUp())
        let environment = ["XDG_CONFIG_HOME": server.directory.path + "/" + owner.name]
        let words = ["login", owner.email, "--server", "http://127.0.0.1:\(server.port)"]
        let without = try await server.command(words, environment: environment, input: AccountOwner.password + "\n")
            .expect(65)
        #expect(without.errors.joined().contains("authenticator"))
        let run = try await server.command(
            words, environment: environment, input: "\(AccountOwner.password)\n\(codes[0])\n")
        #expect(run.expect(0).output.contains(owner.name) && !run.description.contains(codes[0]))
    }

    @Test func `wrong codes are limited for the account, and a recovery code opens it`() async throws {
        try await GraphdServer.running(["--limits", "on", "--rates", "wrongCodes=3/1h"]) { server in
            let owner = AccountOwner(server: server)
            let (secret, codes) = try await owner.setUp(try await owner.signUp())
            for _ in 0..<3 { try await owner.logIn("000000").expectProblem(401, "wrong_code", field: "code") }
            try await owner.logIn("000000").expectProblem(429, "rate_limited")
            #expect(try await owner.logIn(codes[0]).status == 200)
            // Right, and from an address that the account has been used from: whoever shares it could go on guessing.
            try await owner.logIn(secret.code(at: AccountOwner.step + 1)).expectProblem(429, "rate_limited")
            #expect(try await owner.logIn(codes[1]).status == 200)
        }
    }
}

/// Roles that are in force only with an authenticator.
@Suite(.timeLimit(.process), .sharedGraphd("--require-totp", "moderators"))
struct RequiredAuthenticatorTests {
    let server: GraphdServer

    init() throws { server = try GraphdServer.shared }

    @Test(arguments: ["moderator", "admin"])
    func `a role begins with the authenticator and is suspended without it`(role: String) async throws {
        let owner = AccountOwner(server: server)
        let client = try await owner.signUp()
        #expect(try await client.get("/v1/me/totp").json["required"] == .bool(false))
        try await server.run(["user", "role", owner.name, role])
        #expect(try await client.get("/v1/me/totp").json["required"] == .bool(true))
        let person = try await server.person()
        let warning =
            #"{"action":"warnUser","subjects":[{"userId":"\#(person.id.rawValue)"}],"reason":"Be kind"}"#
        try await client.get("/v1/moderation/users/\(person.id.rawValue)").expectProblem(403, "totp_setup_required")
        try await client.post("/v1/moderation/actions", warning).expectProblem(403, "totp_setup_required")
        #expect(try await client.get("/v1/timelines/home").status == 200)
        let (_, codes) = try await owner.setUp(client)
        #expect(try await client.get("/v1/moderation/users/\(person.id.rawValue)").status == 200)
        let proof = #"{"password":"\#(AccountOwner.password)","code":"\#(codes[0])"}"#
        #expect(try await client.removeAuthenticator(proof).status == 204)
        try await client.post("/v1/moderation/actions", warning).expectProblem(403, "totp_setup_required")
    }

    @Test func `moderators of communities need none`() async throws {
        let owner = server.client(try await server.person())
        let name = "c" + UUID().uuidString.prefix(8).lowercased()
        let community = try await owner.post("/v1/communities", #"{"name":"\#(name)"}"#).json
        let id = try #require(community["communityId"]?.text)
        #expect(try await owner.get("/v1/moderation/reports?communityId=\(id)").status == 200)
    }
}
