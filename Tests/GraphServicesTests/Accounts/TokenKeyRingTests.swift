import Foundation
import ServiceTestSupport
import TestSupport
import Testing

@testable import GraphServices
@testable import Sessions

@Suite(.timeLimit(.unit))
struct TokenKeyRingTests {
    private static let month = TokenKeyRing.defaultLifetime

    @Test func `a retired key verifies until its tokens have expired`() async throws {
        try await withTemporaryDirectory("keys") { directory in
            let first = try TokenKeyRing.load(inDirectory: directory)
            let second = try TokenKeyRing.rotate(inDirectory: directory, now: 1_000)
            #expect(second.signing != first.signing && second.signing.id != first.signing.id)
            #expect(try TokenKeyRing.load(inDirectory: directory) == second)
            #expect(second.verifying(at: 1_000 + Self.month - 1) == [second.signing, first.signing])
            #expect(second.verifying(at: 1_000 + Self.month) == [second.signing])

            let third = try TokenKeyRing.rotate(inDirectory: directory, now: 2_000)
            #expect(third.verifying(at: 2_000) == [third.signing, second.signing, first.signing])
            // The next rotation removes expired keys.
            let last = try TokenKeyRing.rotate(inDirectory: directory, now: 1_500 + Self.month)
            #expect(last.retired.map(\.key) == [third.signing, second.signing])
            let revoked = try TokenKeyRing.rotate(inDirectory: directory, now: 3_000 + Self.month, revoking: true)
            #expect(revoked.verifying(at: 0) == [revoked.signing])
            #expect(try TokenKeyRing.load(inDirectory: directory) == revoked)
            for file in ["token.key", "token.keys"] {
                let attributes = try FileManager.default.attributesOfItem(atPath: directory + "/" + file)
                #expect(attributes[.posixPermissions] as? Int == 0o600)
            }
            #expect(
                try FileManager.default.contentsOfDirectory(atPath: directory).sorted() == ["token.key", "token.keys"])
        }
    }

    @Test func `a longer lifetime is remembered`() async throws {
        try await withTemporaryDirectory("keys") { directory in
            let keys = try await TokenKeys(directory: directory)
            let issuer = TokenIssuer(keys: keys, now: { 1_800_000_000_000 })
            _ = try await issuer.issue(userID: 1, lifetime: .seconds(60))
            #expect(!FileManager.default.fileExists(atPath: directory + "/token.keys"))
            _ = try await issuer.issue(userID: 1, lifetime: .seconds(Self.month / 500))
            let ring = try TokenKeyRing.rotate(inDirectory: directory, now: 0)
            #expect(ring.retired.map(\.verifiesUntil) == [2 * Self.month])
        }
    }

    /// Checks the intermediate states of a rotation, in each of which the process may be killed.
    @Test func `a rotation that is cut off loses no token`() async throws {
        try await withTemporaryDirectory("keys") { directory in
            let old = try TokenKeyRing.load(inDirectory: directory).signing
            let keyFile = URL(fileURLWithPath: directory + "/token.key")
            let before = try Data(contentsOf: keyFile)
            _ = try TokenKeyRing.rotate(inDirectory: directory, now: 1_000)
            // Before the new key is in place, the old one is in both files.
            try before.write(to: keyFile)
            chmod(keyFile.path, 0o600)
            let cut = try TokenKeyRing.load(inDirectory: directory)
            #expect(cut.signing == old && cut.verifying(at: 1_000) == [old])
            let again = try TokenKeyRing.rotate(inDirectory: directory, now: 2_000)
            #expect(again.retired.map(\.key) == [old] && again.retired[0].verifiesUntil == 2_000 + Self.month)
        }
    }

    @Test func `many rotations at once lose no key`() async throws {
        try await withTemporaryDirectory("keys") { directory in
            let first = try TokenKeyRing.load(inDirectory: directory).signing
            DispatchQueue.concurrentPerform(iterations: 8) { _ in
                _ = try? TokenKeyRing.rotate(inDirectory: directory, now: 1_000)
            }
            let ring = try TokenKeyRing.load(inDirectory: directory)
            #expect(ring.verifying(at: 1_000).count == 9 && ring.retired.last?.key == first)
        }
    }

    @Test(arguments: ["", "{}", "[]", #"{"version":2,"longestLifetime":1,"retired":[]}"#])
    func `a ring that cannot be read is refused`(_ text: String) async throws {
        try await withTemporaryDirectory("keys") { directory in
            let made = FileManager.default.createFile(
                atPath: directory + "/token.keys", contents: Data(text.utf8),
                attributes: [.posixPermissions: 0o600])
            try #require(made)
            let error = #expect(throws: TokenKey.Unusable.self) { try TokenKeyRing.load(inDirectory: directory) }
            #expect(error?.description.contains("key ring") == true)
        }
    }

    @Test func `a process takes up what another has rotated`() async throws {
        try await withTemporaryDirectory("keys") { directory in
            let clock = Date().timeIntervalSince1970
            let now = { Int64(clock * 1000) } as @Sendable () -> Int64
            let server = TokenIssuer(keys: try await TokenKeys(directory: directory), now: now)
            let old = try await server.issue(userID: 1, lifetime: .seconds(60)).token
            _ = try await server.verify(old)
            let ring = try TokenKeyRing.rotate(inDirectory: directory, now: now())
            let other = TokenIssuer(keys: try await TokenKeys(directory: directory), now: now)
            let new = try await other.issue(userID: 2, lifetime: .seconds(60)).token
            #expect(Self.header(new)?.contains(#""kid":"\#(ring.signing.id)""#) == true)
            #expect(Self.header(old)?.contains(ring.signing.id) == false)
            // The new key is known at once, before the next check of the files.
            for issuer in [server, other] {
                #expect(try await issuer.verify(new).userID == 2)
                #expect(try await issuer.verify(old).userID == 1)
            }
            _ = try TokenKeyRing.rotate(inDirectory: directory, now: now(), revoking: true)
            try await server.reloadKeys()
            for token in [old, new] {
                let problem = await #expect(throws: Problem.self) { try await server.verify(token) }
                #expect(problem?.code == .tokenInvalid)
            }
        }
    }

    @Test func `a token without the name of a key is tried with all`() async throws {
        let key = TokenKey.random()
        let clock = { Int64(1_800_000_000_000) } as @Sendable () -> Int64
        let before = await TokenIssuer(keys: TokenKeys(TokenKeyRing(signing: key)), now: clock)
        let token = try await before.issue(userID: 1, lifetime: .seconds(60)).token
        let unnamed = try UnnamedToken.resigned(token, by: key)
        var ring = TokenKeyRing(signing: .random())
        ring.retired = [.init(key: .random(), retiredAt: 0, verifiesUntil: .max)]
        let strange = await TokenIssuer(keys: TokenKeys(ring), now: clock)
        await #expect(throws: Problem.self) { try await strange.verify(unnamed) }
        ring.retired.append(.init(key: key, retiredAt: 0, verifiesUntil: .max))
        let after = await TokenIssuer(keys: TokenKeys(ring), now: clock)
        #expect(try await after.verify(unnamed).userID == 1)
        ring.retired[1] = .init(key: key, retiredAt: 0, verifiesUntil: clock())
        let late = await TokenIssuer(keys: TokenKeys(ring), now: clock)
        for text in [unnamed, token] { await #expect(throws: Problem.self) { try await late.verify(text) } }
    }

    private static func header(_ token: String) -> String? {
        token.split(separator: ".").first.flatMap { Base64URL.decode(String($0)) }
            .map { String(decoding: $0, as: UTF8.self) }
    }
}
