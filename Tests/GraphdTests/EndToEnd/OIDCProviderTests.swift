import Database
import Foundation
import HTTPMiddleware
import Hummingbird
import HummingbirdTesting
import ServiceTestSupport
import SocialGraph
import Synchronization
import TestSupport
import Testing

@testable import StrictJSON

/// Log-ins through an OpenID Connect issuer, with the real server.
@Suite(.timeLimit(.process))
struct OIDCProviderTests {
    private static let issuer = "https://securetoken.google.com/project"

    private static func claims(_ sub: String, _ more: String = "", issuedAt: Double? = nil) -> String {
        let now = Int64(issuedAt ?? Date().timeIntervalSince1970)
        return
            #"{"iss":"\#(issuer)","aud":"project","sub":"\#(sub)","iat":\#(now),"exp":\#(now + 3_600)\#(more)}"#
    }

    private static func arguments(_ keys: String) -> [String] {
        ["--oidc-issuer", issuer, "--oidc-audience", "project", "--oidc-jwks", keys]
    }

    /// Runs `body` with a server that reads the issuer's keys from a file.
    private func withServer(_ key: OIDCKey, _ body: (GraphdServer) async throws -> Void) async throws {
        let path = temporaryPath("jwks") + ".json"
        try Data(OIDCKey.set([key]).utf8).write(to: URL(fileURLWithPath: path))
        defer { try? FileManager.default.removeItem(atPath: path) }
        try await GraphdServer.running(Self.arguments(path)) { try await body($0) }
    }

    @Test func `another address needs a recent login`() async throws {
        let key = try OIDCKey(.rs256, "k")
        try await withServer(key) { server in
            // A freshly renewed token still has the time of an old log-in.
            let longAgo = Int64(Date().timeIntervalSince1970) - 301
            let old = server.client(token: try key.token(Self.claims("uid-1", #","auth_time":\#(longAgo)"#)))
            let change = #"{"email":"stolen@example.org"}"#
            try await old.patch("/v1/me", change).expectProblem(403, "recent_login_required")
            try await old.put("/v1/me/password", #"{"newPassword":"correct horse"}"#)
                .expectProblem(403, "recent_login_required")
            try await old.delete("/v1/me").expectProblem(403, "recent_login_required")
            #expect(try await old.patch("/v1/me", #"{"bio":"hello"}"#).status == 200)
            let renewed = try key.token(Self.claims("uid-1", "", issuedAt: Date().timeIntervalSince1970 - 400))
            try await server.client(token: renewed).patch("/v1/me", change).expectProblem(403, "recent_login_required")
            let new = server.client(token: try key.token(Self.claims("uid-1")))
            #expect(try await new.patch("/v1/me", change).json["email"] == .string("stolen@example.org"))
        }
    }

    @Test func `nobody is made in read-only mode, and who is known may read`() async throws {
        let key = try OIDCKey(.rs256, "k")
        try await withServer(key) { server in
            let known = server.client(token: try key.token(Self.claims("uid-1")))
            #expect(try await known.get("/v1/me").status == 200)
            try await server.run(["read-only", "on", "--reason", "Moving."])
            try await server.waitUntilReady { $0["status"]?.text == "degraded" }
            let stranger = server.client(token: try key.token(Self.claims("uid-2")))
            try await stranger.get("/v1/me").expectProblem(503, "read_only")
            #expect(try await known.get("/v1/me").status == 200)
            // After a restart nothing is remembered, and the database still knows the first.
            await server.stop()
            try await server.start()
            #expect(try await server.client(token: known.token).get("/v1/me").status == 200)
            try await server.client(token: stranger.token).get("/v1/me").expectProblem(503, "read_only")
        }
    }

    @Test func `somebody is made at first sight and known ever after`() async throws {
        let key = try OIDCKey(.rs256, "k")
        try await withServer(key) { server in
            let taken = try await server.graph.accounts.createAccount(
                username: "ada", email: "ada@example.org", passwordHash: nil)
            let profile = #","name":"Ada Lovelace","picture":"https://p.example/a""#
            let address = #","email":"new@example.org","email_verified":true"#
            let first = try key.token(Self.claims("uid-1", profile + address))
            let me = try await server.client(token: first).get("/v1/me").json
            #expect(me["username"] == .string("Ada.Lovelace") && me["displayName"] == .string("Ada Lovelace"))
            #expect(me["email"] == .string("new@example.org"))
            #expect(me["profilePicUrl"] == .string("https://p.example/a"))
            // After a restart, another token still belongs to the same person.
            let second = try key.token(Self.claims("uid-1", #","preferred_username":"somebody""#))
            await server.stop()
            try await server.start()
            #expect(try await server.client(token: second).get("/v1/me").json == me)
            // A taken username gets a number. A taken or unverified email address is left out.
            for (sub, more, username) in [
                ("uid-2", #","preferred_username":"ADA","email":"ada@example.org","email_verified":true"#, "ADA2"),
                ("uid-3", #","preferred_username":"ada","email":"x@example.org","email_verified":false"#, "ada3"),
                ("uid-4", #","email":"y@example.org""#, "y"), ("uid-5", "", "user"),
            ] {
                let token = try key.token(Self.claims(sub, more))
                let other = try await server.client(token: token).get("/v1/me").json
                #expect(other["username"] == .string(username) && other["email"] == .null, "\(other)")
                #expect(other["userId"]?.text != String(taken.id.rawValue))
            }
            // graphd's own tokens remain valid. Those of a foreign issuer are refused.
            let person = try await server.person()
            #expect(try await server.client(person).get("/v1/me").status == 200)
            let foreign = try OIDCKey(.rs256, "k").token(Self.claims("uid-1"))
            try await server.client(token: foreign).get("/v1/me").expectProblem(401, "token_invalid")
            let expired = try key.token(Self.claims("uid-1", issuedAt: Date().timeIntervalSince1970 - 3_601))
            try await server.client(token: expired).get("/v1/me").expectProblem(401, "token_expired")
        }
    }

    @Test func `of many first requests one account is made`() async throws {
        let key = try OIDCKey(.es256, "k")
        try await withServer(key) { server in
            let token = try key.token(Self.claims("crowd"))
            let ids = try await withThrowingTaskGroup(of: String?.self) { group in
                for _ in 0..<12 {
                    group.addTask { try await server.client(token: token).get("/v1/me").json["userId"]?.text }
                }
                return try await group.reduce(into: Set()) { $0.insert($1) }
            }
            #expect(ids.count == 1 && ids.first != .some(nil))
        }
    }

    @Test func `who logged out everywhere or left is refused`() async throws {
        let key = try OIDCKey(.edDSA, "k")
        try await withServer(key) { server in
            let past = Date().timeIntervalSince1970 - 60
            let old = server.client(token: try key.token(Self.claims("one", issuedAt: past)))
            let id = try await old.get("/v1/me").json["userId"]
            try await old.act("POST", "/v1/auth/logout-everywhere")
            try await old.get("/v1/me").expectProblem(401, "token_invalid")
            // A new token of an old log-in.
            let renewed = try key.token(Self.claims("one", #","auth_time":\#(Int64(past))"#))
            try await server.client(token: renewed).get("/v1/me").expectProblem(401, "token_invalid")
            let next = Date().timeIntervalSince1970 + 1
            let new = server.client(token: try key.token(Self.claims("one", issuedAt: next)))
            #expect(try await new.get("/v1/me").json["userId"] == id)
            // The account has no password, so the deletion asks for none.
            try await new.act("DELETE", "/v1/me")
            for at in [next, next + 2] {
                let later = server.client(token: try key.token(Self.claims("one", issuedAt: at)))
                try await later.get("/v1/me").expectProblem(401, "token_invalid")
            }
            #expect(try await server.graph.accounts.account(username: "user") == nil)
        }
    }

    @Test func `keys are fetched from a URL`() async throws {
        let key = try OIDCKey(.es256, "k")
        let fetches = Atomic<Int>(0)
        let router = Router()
        router.get("/keys") { _, _ in
            fetches.add(1, ordering: .relaxed)
            return Response(
                status: .ok, headers: [.cacheControl: "public, max-age=600"],
                body: .init(byteBuffer: .init(string: OIDCKey.set([key]))))
        }
        let application = Application(
            router: router, server: AcceptedHTTP1.builder,
            configuration: .init(address: .hostname("127.0.0.1", port: 0)), logger: .silent)
        try await application.test(.live) { issuer in
            let url = "http://127.0.0.1:\(try #require(issuer.port))/keys"
            try await GraphdServer.running(Self.arguments(url)) { server in
                let first = server.client(token: try key.token(Self.claims("a")))
                while try await first.get("/v1/me").status == 503 {
                    // Not for synchronisation: a fetch has timed out on a busy machine, and another follows.
                    try await Task.sleep(for: .seconds(1))
                }
                let needed = fetches.load(ordering: .relaxed)
                for sub in ["a", "b", "a"] {
                    let answer = try await server.client(token: try key.token(Self.claims(sub))).get("/v1/me")
                    #expect(answer.status == 200, "\(answer)")
                }
                #expect(fetches.load(ordering: .relaxed) == needed)
            }
        }
    }

    @Test func `without keys it is the server's trouble`() async throws {
        let key = try OIDCKey(.es256, "k")
        try await GraphdServer.running(Self.arguments("/nonexistent/jwks.json")) { server in
            let token = try key.token(Self.claims("a"))
            let answer = try await server.client(token: token).get("/v1/me")
            try answer.expectProblem(503, "unavailable")
            #expect(answer.header("Retry-After") != nil)
            #expect(try await server.client(server.person()).get("/v1/me").status == 200)
        }
    }
}
