import Crypto
import Foundation
import Logging
import ServiceTestSupport
import SocialGraph
import Synchronization
import TestSupport
import Testing

@testable import GraphServices
@testable import Sessions

/// Tokens of an OpenID Connect issuer: accepted and refused ones, and the source of the keys.
@Suite(.timeLimit(.unit))
struct OIDCTokensTests {
    private static let issuer = OIDCProvider(
        issuer: "https://issuer.example", audience: "app", keys: .file("unused"))
    private static let second: Int64 = 1_800_000_000

    /// Key sets that the issuer serves, one after the other, the last one repeatedly. Nil: it does not answer.
    private final class Desk: Sendable {
        private let state: Mutex<(answers: [String?], fetches: Int)>
        private let time = Mutex(second * 1_000)
        let lifetime: Int64

        init(_ answers: [String?], lifetime: Int64 = 3_600_000) {
            state = Mutex((answers, 0))
            self.lifetime = lifetime
        }

        var fetches: Int { state.withLock { $0.fetches } }
        var now: Int64 { time.withLock { $0 } }
        func advance(by milliseconds: Int64) { time.withLock { $0 += milliseconds } }

        func fetch() throws -> KeySource.Fetched {
            let answer = state.withLock { state in
                defer { state.fetches += 1 }
                return state.answers[min(state.fetches, state.answers.count - 1)]
            }
            guard let answer else { throw KeyFetching.Failure(description: "no answer") }
            return KeySource.Fetched(json: Array(answer.utf8), lifetime: lifetime)
        }

        func tokens() -> OIDCTokens {
            let source = KeySource(fetch: fetch, now: { self.now }, logger: .silent)
            return OIDCTokens(issuer: issuer, source: source, now: { self.now })
        }
    }

    private static func claims(
        iss: String = issuer.issuer, sub: String = "one", aud: String = #""app""#, exp: Int64 = second + 3_600,
        more: String = ""
    ) -> String {
        #"{"iss":"\#(iss)","sub":"\#(sub)","aud":\#(aud),"exp":\#(exp),"iat":\#(second)\#(more)}"#
    }

    private func code(_ tokens: OIDCTokens, _ token: String) async -> ProblemCode? {
        do {
            _ = try await tokens.verify(token)
            return nil
        } catch {
            return (error as? Problem)?.code
        }
    }

    @Test(arguments: OIDCKey.Kind.allCases)
    func `a token of every kind of key is believed`(kind: OIDCKey.Kind) async throws {
        let keys = [try OIDCKey(kind, "a"), try OIDCKey(kind, "b")]
        let desk = Desk([OIDCKey.set(keys)])
        let tokens = desk.tokens()
        for key in keys {
            for aud in [#""app""#, #"["other","app"]"#] {
                let token = try key.token(
                    Self.claims(aud: aud, more: #","email":"a@example.org","email_verified":true"#))
                #expect(tokens.isOurs(token))
                for _ in 0..<2 {
                    let claims = try await tokens.verify(token)
                    #expect(claims.sub == "one" && claims.email == "a@example.org")
                    #expect(claims.emailVerified?.value == true)
                }
            }
        }
        #expect(desk.fetches == 1)
    }

    @Test func `what is not for us or not now is refused`() async throws {
        let key = try OIDCKey(.es256, "a")
        let tokens = Desk([OIDCKey.set([key])]).tokens()
        let late = Self.second + 61
        for (claims, expected) in [
            (Self.claims(iss: "https://other.example"), ProblemCode.tokenInvalid),
            (Self.claims(aud: #""other""#), .tokenInvalid), (Self.claims(aud: "[]"), .tokenInvalid),
            (Self.claims(aud: "1"), .tokenInvalid), (Self.claims(sub: ""), .tokenInvalid),
            (Self.claims(sub: String(repeating: "s", count: 256)), .tokenInvalid),
            (Self.claims(exp: Self.second), .tokenExpired), (Self.claims(exp: 0), .tokenExpired),
            (Self.claims(more: #","nbf":\#(late)"#), .tokenInvalid),
            (Self.claims(more: #","auth_time":\#(late)"#), .tokenInvalid),
            (#"{"iss":"https://issuer.example","sub":"one","aud":"app"}"#, .tokenInvalid),
            ("[]", .tokenInvalid), ("{", .tokenInvalid),
        ] {
            #expect(await code(tokens, try key.token(claims)) == expected, "\(claims)")
        }
        // The issuer's clock may be a little ahead.
        #expect(await code(tokens, try key.token(Self.claims(more: #","nbf":\#(late - 2)"#))) == nil)
        #expect(!tokens.isOurs(try key.token(Self.claims(iss: "https://other.example"))))
    }

    @Test func `a forged token is refused`() async throws {
        let (key, foreign) = (try OIDCKey(.rs256, "a"), try OIDCKey(.rs256, "a"))
        let other = try OIDCKey(.es256, "b")
        let desk = Desk([OIDCKey.set([key, other])])
        let tokens = desk.tokens()
        let claims = Self.claims()
        let good = try key.token(claims)
        #expect(await code(tokens, good) == nil)
        let parts = good.split(separator: ".").map(String.init)
        var attempts = [
            try foreign.token(claims), try other.token(claims, header: #"{"alg":"ES256","kid":"a"}"#),
            try key.token(claims, header: #"{"alg":"ES256","kid":"a"}"#),
            try key.token(claims, header: #"{"alg":"RS512","kid":"a"}"#),
            try key.token(claims, header: #"{"alg":"RS256","kid":"a","crit":["exp"]}"#),
            try key.token(claims, header: #"{"alg":"RS256"}"#), try key.token(claims, header: #"{"kid":"a"}"#),
            try key.token(claims, header: #"{"alg":"RS256","kid":1}"#),
            "\(parts[0]).\(parts[1]).", "\(parts[0]).\(parts[1])", good + ".", good + "=",
            "\(parts[0]).\(Base64URL.encode(Array(Self.claims(sub: "two").utf8))).\(parts[2])",
        ]
        for algorithm in ["none", "None", "HS256", "rs256", ""] {
            let header = Base64URL.encode(Array(#"{"alg":"\#(algorithm)","kid":"a"}"#.utf8))
            attempts += ["\(header).\(parts[1]).\(parts[2])", "\(header).\(parts[1])."]
            // HMAC with the public key, which everybody knows, as its secret.
            let code = HMAC<SHA256>.authenticationCode(
                for: Data("\(header).\(parts[1])".utf8), using: SymmetricKey(data: Data(key.jwk.utf8)))
            attempts.append("\(header).\(parts[1]).\(Base64URL.encode(Array(code)))")
        }
        for attempt in attempts { #expect(await code(tokens, attempt) == .tokenInvalid, "\(attempt)") }
        #expect(await code(tokens, good) == nil)
    }

    @Test func `an unknown key is asked for but not at will`() async throws {
        let (old, new) = (try OIDCKey(.es256, "old"), try OIDCKey(.es256, "new"))
        let desk = Desk([OIDCKey.set([old]), OIDCKey.set([old, new]), OIDCKey.set([new])])
        let tokens = desk.tokens()
        #expect(await code(tokens, try old.token(Self.claims())) == nil)
        let token = try new.token(Self.claims())
        for _ in 0..<20 { #expect(await code(tokens, token) == .tokenInvalid) }
        #expect(desk.fetches == 1)
        desk.advance(by: KeySource.pause)
        #expect(await code(tokens, token) == nil)
        #expect(await code(tokens, try old.token(Self.claims())) == nil)
        #expect(desk.fetches == 2)
        // After its lifetime the set is fetched again, and tokens of a removed key are refused.
        desk.advance(by: desk.lifetime - 1)
        let longer = Self.claims(exp: Self.second + 36_000)
        #expect(await code(tokens, try old.token(longer)) == nil)
        desk.advance(by: 2)
        #expect(await code(tokens, try old.token(longer)) == .tokenInvalid)
        #expect(await code(tokens, try new.token(longer)) == nil)
        #expect(desk.fetches == 3)
    }

    @Test func `while the keys cannot be had the earlier ones hold`() async throws {
        let key = try OIDCKey(.edDSA, "a")
        let desk = Desk([nil, "no json", #"{"keys":[]}"#, OIDCKey.set([key]), nil], lifetime: 1_000)
        let tokens = desk.tokens()
        let token = try key.token(Self.claims())
        for attempt in 1...3 {
            #expect(await code(tokens, token) == .unavailable)
            #expect(desk.fetches == attempt)
            desk.advance(by: KeySource.pause)
        }
        #expect(await code(tokens, token) == nil)
        desk.advance(by: KeySource.pause)
        #expect(await code(tokens, token) == nil)
        #expect(desk.fetches == 5)
        desk.advance(by: 3_600_000)
        #expect(await code(tokens, token) == .tokenExpired)
    }

    @Test func `keys of other kinds are passed over`() async throws {
        let key = try OIDCKey(.es256, "a")
        let others = [
            #"{"kty":"oct","kid":"h","k":"c2VjcmV0"}"#, #"{"kty":"EC","crv":"secp256k1","kid":"k","x":"AA","y":"AA"}"#,
            #"{"kty":"RSA","kid":"e","use":"enc","n":"AQAB","e":"AQAB"}"#, "{}", "1",
            try OIDCKey(.rs256, "o").jwk.replacing(#""alg":"RS256""#, with: #""alg":"RSA-OAEP""#),
        ]
        let set = try await KeySet(Array(OIDCKey.set([key], and: others).utf8))
        #expect(set.keys.map(\.identifier) == ["a"])
        let nameless = try OIDCKey(.es256, "n")
        let bare = nameless.jwk.replacing(#""kid":"n","use":"sig","alg":"ES256","#, with: "")
        let single = try await KeySet(Array(OIDCKey.set([], and: [bare]).utf8))
        #expect(single.key(nil)?.algorithm == "ES256" && single.key("x") == nil)
    }

    @Test(
        arguments: [
            (["max-age=60"], 60), (["public, max-age=19845, must-revalidate, no-transform"], 19_845), ([], nil),
            (["no-store"], nil), (["max-age=x"], nil), (["Max-Age=5"], 5), (["max-age"], nil),
        ] as [([String], Int64?)])
    func `the time that keys may be kept is read`(headers: [String], seconds: Int64?) {
        #expect(KeyFetching.maxAge(of: headers) == seconds)
    }

    @Test(arguments: [
        ("ada", "ada"), ("Ada Lovelace", "Ada.Lovelace"), ("ada@example.org", "ada"), ("Élan Vital", "Elan.Vital"),
        ("_.x", "x"), ("漢字", nil), ("", nil), ("@x", nil), ("a/b:c", "abc"), ("jean-luc", "jean.luc"),
        (String(repeating: "n", count: 40), String(repeating: "n", count: 30)),
    ])
    func `a username is made of a name`(name: String, username: String?) throws {
        #expect(ExternalIdentity.username(of: name) == username)
        if let username { #expect(try TextRules.username(username, field: "username") == username) }
    }
}
