import Crypto
import Database
import Foundation
import ServiceTestSupport
import SocialGraph
import TestSupport
import Testing

@testable import CommandSupport
@testable import GraphServices
@testable import Sessions
@testable import StrictJSON

/// Tokens that the server must refuse.
@Suite(.timeLimit(.process), .sharedGraphd)
struct TokenTests {
    let server: GraphdServer

    init() throws { server = try GraphdServer.shared }

    private func expectRefusal(
        _ headers: [(String, String)], _ code: String, sourceLocation: SourceLocation = #_sourceLocation
    ) async throws {
        for (method, path) in [("GET", "/v1/me"), ("GET", "/v1/timelines/home"), ("POST", "/v1/posts")] {
            let answer = try await server.client().send(method, path, headers: headers)
            #expect(answer.status == 401, "\(answer)", sourceLocation: sourceLocation)
            #expect(try answer.json["code"] == .string(code), sourceLocation: sourceLocation)
            #expect(answer.header("WWW-Authenticate")?.hasPrefix("Bearer") == true, sourceLocation: sourceLocation)
        }
    }

    @Test func `no token is asked for one`() async throws { try await expectRefusal([], "token_missing") }

    @Test(arguments: [
        "", "Bearer", "Bearer ", "Bearer x", "Bearer a.b.c", "Bearer ..", "Basic YTpi", "bearer a b", "Bearer é",
        "Bearer " + String(repeating: "a", count: 5_000),
    ])
    func `what is no token is refused`(_ value: String) async throws {
        try await expectRefusal([("Authorization", value)], "token_invalid")
    }

    @Test func `two tokens are refused`() async throws {
        let value = "Bearer \(try await server.person().token)"
        try await expectRefusal([("Authorization", value), ("Authorization", value)], "token_invalid")
    }

    @Test func `an expired token is refused and says so`() async throws {
        let person = try await server.person()
        let past = TokenIssuer(
            keys: try await TokenKeys(directory: server.directory.path),
            now: { Int64((Date().timeIntervalSince1970 - 7200) * 1000) })
        let token = try await past.issue(userID: person.id.rawValue, lifetime: .seconds(3600)).token
        try await expectRefusal([("Authorization", "Bearer \(token)")], "token_expired")
    }

    @Test func `a token of a user who is not there is refused`() async throws {
        let token = try await server.tokens.issue(userID: 17, lifetime: .seconds(60)).token
        try await expectRefusal([("Authorization", "Bearer \(token)")], "token_invalid")
    }

    @Test(arguments: [0, 1, 2])
    func `a token of which one character is changed is refused`(part: Int) async throws {
        let person = try await server.person()
        // The forged token is refused even after the genuine one was accepted.
        #expect(try await server.client(person).get("/v1/me").status == 200)
        var parts = person.token.split(separator: ".").map(Array.init)
        let middle = parts[part].count / 2
        parts[part][middle] = parts[part][middle] == "A" ? "B" : "A"
        let forged = parts.map { String($0) }.joined(separator: ".")
        try await expectRefusal([("Authorization", "Bearer \(forged)")], "token_invalid")
    }

    /// Tokens without a signature, with that of an attacker's key, and with that of the right key under another
    /// algorithm's name.
    @Test(arguments: ["none", "None", "HS256", "HS512", "RS256"])
    func `a forged token is refused`(algorithm: String) async throws {
        let person = try await server.person()
        let payload = try #require(person.token.split(separator: ".").dropFirst().first)
        let head = Self.base64(Data(#"{"alg":"\#(algorithm)","typ":"JWT"}"#.utf8)) + "." + payload
        let foreign = HMAC<SHA256>.authenticationCode(for: Data(head.utf8), using: SymmetricKey(size: .bits256))
        try await expectRefusal([("Authorization", "Bearer \(head)." + Self.base64(Data(foreign)))], "token_invalid")
        try await expectRefusal([("Authorization", "Bearer \(head).")], "token_invalid")
        if algorithm != "HS256" {
            let key = SymmetricKey(data: try TokenKey.loadOrCreate(inDirectory: server.directory.path).bytes)
            let code = HMAC<SHA256>.authenticationCode(for: Data(head.utf8), using: key)
            try await expectRefusal([("Authorization", "Bearer \(head)." + Self.base64(Data(code)))], "token_invalid")
        }
    }

    private static func base64(_ data: Data) -> String {
        data.base64EncodedString().replacing("+", with: "-").replacing("/", with: "_").replacing("=", with: "")
    }
}
