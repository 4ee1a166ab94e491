import Crypto
import Foundation
import HTTPTypes
import JWTKit
import TestSupport
import Testing

@testable import GraphHTTP
@testable import GraphServices
@testable import Sessions

@Suite(.timeLimit(.unit))
struct TokenIssuerTests {
    private let key = TokenKey(bytes: Array(1...32))
    private let clock = AdjustableClock(1_800_000_000_500)

    private func issuer(key: TokenKey? = nil, remembering: Int = 10) async -> TokenIssuer {
        let ring = TokenKeyRing(signing: key ?? self.key)
        return await TokenIssuer(keys: TokenKeys(ring), remembering: remembering, now: { [clock] in clock.now })
    }

    private func code(_ issuer: TokenIssuer, _ token: String) async -> ProblemCode? {
        do {
            _ = try await issuer.verify(token)
            return nil
        } catch {
            let problem = error as? Problem
            #expect(problem?.status.code == 401)
            #expect(problem?.headers[.wwwAuthenticate]?.hasPrefix("Bearer") == true)
            return problem?.code
        }
    }

    @Test func `a token speaks for its user until it expires`() async throws {
        let issuer = await issuer()
        let (token, expires) = try await issuer.issue(userID: 42, epoch: 3, lifetime: .seconds(60))
        #expect(expires == 1_800_000_060_000)
        for _ in 0..<2 {
            let verified = try await issuer.verify(token)
            #expect(verified == VerifiedToken(userID: 42, issuedAt: expires - 60_000, expiresAt: expires, epoch: 3))
        }
        clock.set(expires - 1)
        #expect(await code(issuer, token) == nil)
        clock.set(expires)
        #expect(await code(issuer, token) == .tokenExpired)
        // A token that was never seen before it expired.
        let other = await self.issuer()
        #expect(await code(other, token) == .tokenExpired)
    }

    @Test func `a token outlives the process but not its key`() async throws {
        let token = try await issuer().issue(userID: 42, lifetime: .seconds(60)).token
        let restarted = await issuer()
        #expect(await code(restarted, token) == nil)
        let rekeyed = await issuer(key: TokenKey(bytes: Array(2...33)))
        #expect(await code(rekeyed, token) == .tokenInvalid)
    }

    @Test func `a tampered token is refused`() async throws {
        let issuer = await issuer()
        let token = try await issuer.issue(userID: 42, lifetime: .seconds(60)).token
        #expect(await code(issuer, token) == nil)
        let parts = token.split(separator: ".").map(String.init)
        let claims = try #require(Self.decode(parts[1]))
        let forged = claims.replacingOccurrences(of: "\"42\"", with: "\"43\"")
        #expect(forged != claims)
        let none = Self.encode(#"{"alg":"none","typ":"JWT"}"#)
        let unaddressed = claims.replacing("\"aud\":\"graphd\"", with: "\"aud\":[]")
        #expect(unaddressed != claims)
        let attempts = [
            "\(parts[0]).\(Self.encode(unaddressed)).\(parts[2])", "", ".", "..", "a.b.c", token + "x", token + ".",
            String(token.dropLast()), "\u{212A}" + token,
            "\(parts[0]).\(Self.encode(forged)).\(parts[2])", "\(none).\(parts[1]).", "\(none).\(parts[1]).\(parts[2])",
            String(repeating: "a", count: 100_000),
        ]
        for attempt in attempts {
            #expect(await code(issuer, attempt) == .tokenInvalid, "\(attempt.prefix(80))")
        }
    }

    @Test(arguments: ["none", "RS256", "HS384", "hs256", ""])
    func `only HS256 is accepted even if the signature fits`(_ algorithm: String) async throws {
        let issuer = await issuer()
        let token = try await issuer.issue(userID: 42, lifetime: .seconds(60)).token
        let payload = String(token.split(separator: ".")[1])
        func signed(_ header: String) -> String {
            let signingInput = "\(Self.encode(header)).\(payload)"
            let secret = SymmetricKey(data: key.bytes)
            let code = HMAC<SHA256>.authenticationCode(for: Data(signingInput.utf8), using: secret)
            return "\(signingInput).\(Self.encode(Data(code)))"
        }
        #expect(await code(issuer, signed(#"{"alg":"HS256"}"#)) == nil)
        #expect(await code(issuer, signed(#"{"alg":"\#(algorithm)"}"#)) == .tokenInvalid)
        #expect(await code(issuer, signed("{}")) == .tokenInvalid)
    }

    @Test(arguments: [("other", "graphd", "1"), ("graphd", "other", "1"), ("graphd", "graphd", "x")])
    func `foreign claims are refused`(_ issuedBy: String, _ audience: String, _ subject: String) async throws {
        let keys = await JWTKeyCollection().add(hmac: HMACKey(from: key.bytes), digestAlgorithm: .sha256)
        let claims = TokenClaims(
            sub: .init(value: subject), iat: .init(value: Date(timeIntervalSince1970: 1_800_000_000)),
            exp: .init(value: Date(timeIntervalSince1970: 1_900_000_000)), jti: .init(value: "j"), epoch: 0,
            iss: .init(value: issuedBy), aud: .init(value: audience))
        let token = try await keys.sign(claims)
        #expect(await code(issuer(), token) == .tokenInvalid)
    }

    /// Numbers of any size: within seconds, within milliseconds, and beyond both.
    @Test(arguments: [
        0, -1, 9.2e15, 9.3e15, 1e18, 9.3e18, 1e19, 1e300, -1e18, -1e300, .greatestFiniteMagnitude,
    ])
    func `an expiry of any size is judged`(_ seconds: Double) async throws {
        let keys = await JWTKeyCollection().add(hmac: HMACKey(from: key.bytes), digestAlgorithm: .sha256)
        let claims = TokenClaims(
            sub: .init(value: "42"), iat: .init(value: Date(timeIntervalSince1970: 1_800_000_000)),
            exp: .init(value: Date(timeIntervalSince1970: seconds)), jti: .init(value: "j"), epoch: 0,
            iss: .init(value: "graphd"), aud: .init(value: "graphd"))
        let token = try await keys.sign(claims)
        let expected: ProblemCode? =
            switch seconds {
            case 9.2e15: nil
            case 0: .tokenExpired
            default: .tokenInvalid
            }
        #expect(await code(issuer(), token) == expected)
    }

    @Test func `a small memory forgets tokens and still verifies them`() async throws {
        let issuer = await issuer(remembering: 1)
        var tokens: [String] = []
        for userID in 1...5 {
            tokens.append(try await issuer.issue(userID: Int64(userID), lifetime: .seconds(60)).token)
        }
        for (index, token) in (tokens + tokens).enumerated() {
            #expect(try await issuer.verify(token).userID == Int64(index % 5 + 1))
        }
    }

    @Test func `the header is read strictly`() throws {
        #expect(try BearerToken.find(in: [:]) == nil)
        for value in ["Bearer abc", "bearer abc", "BEARER   abc"] {
            #expect(try BearerToken.require(in: [.authorization: value]) == "abc")
        }
        let missing = #expect(throws: Problem.self) { try BearerToken.require(in: [:]) }
        #expect(missing?.code == .tokenMissing)
        for value in ["", "Bearer", "Bearer ", "Bearer  ", "Bearerabc", "Bearer\tabc", "Basic abc", "Bearer a b"] {
            let invalid = #expect(throws: Problem.self) { try BearerToken.find(in: [.authorization: value]) }
            #expect(invalid?.code == .tokenInvalid)
        }
    }

    private static func encode(_ text: String) -> String {
        encode(Data(text.utf8))
    }

    private static func encode(_ data: Data) -> String {
        data.base64EncodedString()
            .replacingOccurrences(of: "+", with: "-")
            .replacingOccurrences(of: "/", with: "_")
            .replacingOccurrences(of: "=", with: "")
    }

    private static func decode(_ text: String) -> String? {
        let standard = text.replacingOccurrences(of: "-", with: "+").replacingOccurrences(of: "_", with: "/")
        let padding = String(repeating: "=", count: (4 - standard.count % 4) % 4)
        return Data(base64Encoded: standard + padding).map { String(decoding: $0, as: UTF8.self) }
    }
}
