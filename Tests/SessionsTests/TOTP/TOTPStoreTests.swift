import Database
import TestSupport
import Testing

@testable import Sessions
@testable import SocialGraph

@Suite(.timeLimit(.unit))
struct TOTPStoreTests {
    private static let origin = LoginOrigin(address: "192.0.2.1", userAgent: "phone")

    /// Runs `body` with an account whose authenticator is set up.
    private func withAuthenticator(
        _ body: @Sendable (GraphFixture, UserID, TOTPSecret, [RecoveryCode]) async throws -> Void
    ) async throws {
        try await withGraph { fixture in
            let ann = try await create("ann", fixture)
            let secret = try #require(try await fixture.graph.totp.begin(of: ann))
            let codes = try await confirm(fixture, ann, secret)
            fixture.clock.advance(by: TOTPSecret.step)
            try await body(fixture, ann, secret, codes)
        }
    }

    private func create(_ name: String, _ fixture: GraphFixture) async throws -> UserID {
        try await fixture.graph.accounts.createAccount(
            username: name, email: "\(name)@example.org", passwordHash: nil
        ).id
    }

    private func confirm(
        _ fixture: GraphFixture, _ user: UserID, _ secret: TOTPSecret, keeping session: SessionID? = nil
    ) async throws -> [RecoveryCode] {
        let code = secret.code(at: TOTPSecret.step(at: fixture.clock.now))
        let result = try await fixture.graph.totp.confirm(code, of: user, keeping: session, from: Self.origin)
        guard case .enabled(let codes) = result else {
            Issue.record("\(result)")
            return []
        }
        return codes
    }

    private func spend(_ fixture: GraphFixture, _ proof: TOTPProof, _ user: UserID) async throws -> Bool {
        try await fixture.graph.totp.spend(proof, of: user, from: Self.origin)
    }

    private func outcomes(_ fixture: GraphFixture, _ user: UserID) async throws -> [LoginEvent.Outcome: Int64] {
        let events = try await fixture.graph.sessions.loginEvents(of: user, below: nil, limit: 300)
        return Dictionary(events.items.map { ($0.outcome, $0.count) }, uniquingKeysWith: +)
    }

    @Test func `a secret has no effect until its owner proves a code`() async throws {
        try await withGraph { fixture in
            let totp = fixture.graph.totp
            let ann = try await create("ann", fixture)
            guard case .notBegun = try await totp.confirm("123456", of: ann, keeping: nil, from: Self.origin) else {
                Issue.record("confirmed without a secret")
                return
            }
            let first = try #require(try await totp.begin(of: ann))
            let second = try #require(try await totp.begin(of: ann))
            #expect(first != second)
            #expect(try await !totp.state(of: ann).isEnabled)
            let step = TOTPSecret.step(at: fixture.clock.now)
            let guess = try await totp.confirm(first.code(at: step), of: ann, keeping: nil, from: Self.origin)
            guard case .wrongCode = guess else {
                Issue.record("the replaced secret is confirmed")
                return
            }
            #expect(try await !spend(fixture, .code(second.code(at: step)), ann))
            let codes = try await confirm(fixture, ann, second)
            #expect(Set(codes.map(\.text)).count == RecoveryCode.count)
            #expect(try await totp.state(of: ann) == TOTPState(isEnabled: true, recoveryCodesLeft: 10))
            #expect(try await totp.begin(of: ann) == nil)
            let again = try await totp.confirm(second.code(at: step + 1), of: ann, keeping: nil, from: Self.origin)
            guard case .alreadyEnabled = again else {
                Issue.record("confirmed twice")
                return
            }
        }
    }

    @Test func `every other session ends when a code is proven`() async throws {
        try await withGraph { fixture in
            let ann = try await create("ann", fixture)
            var opened: [SessionID] = []
            for digest in 1...3 as ClosedRange<UInt8> {
                let refresh = RefreshGrant(digest: [digest], lifetime: 1_000_000)
                opened.append(
                    try #require(try await fixture.graph.sessions.openSession(of: ann, refresh: refresh)).session)
            }
            let secret = try #require(try await fixture.graph.totp.begin(of: ann))
            _ = try await confirm(fixture, ann, secret, keeping: opened[1])
            #expect(try await fixture.graph.sessions.sessions(of: ann).map(\.id) == [opened[1]])
            #expect(try await outcomes(fixture, ann) == [.totpEnabled: 1])
        }
    }

    @Test func `a code is good once, also for many at the same time`() async throws {
        try await withAuthenticator { fixture, ann, secret, codes in
            let code = secret.code(at: TOTPSecret.step(at: fixture.clock.now))
            let proofs = [TOTPProof.code(code), .recoveryCode(codes[3])]
            for proof in proofs {
                let accepted = try await withThrowingTaskGroup(of: Bool.self) { group in
                    for _ in 0..<20 { group.addTask { try await spend(fixture, proof, ann) } }
                    return try await group.reduce(into: 0) { $0 += $1 ? 1 : 0 }
                }
                #expect(accepted == 1, "\(proof)")
            }
            #expect(try await fixture.graph.totp.state(of: ann).recoveryCodesLeft == 9)
            #expect(try await outcomes(fixture, ann)[.wrongCode] == 38)
            let next = secret.code(at: TOTPSecret.step(at: fixture.clock.now) + 1)
            #expect(try await spend(fixture, .code(next), ann))
            #expect(try await !spend(fixture, .code(code), ann))
        }
    }

    @Test func `codes of another account and unknown ones are refused`() async throws {
        try await withAuthenticator { fixture, ann, _, codes in
            let bob = try await create("bob", fixture)
            #expect(try await !spend(fixture, .recoveryCode(codes[0]), bob))
            #expect(try await outcomes(fixture, bob).isEmpty)
            #expect(try await !spend(fixture, .recoveryCode(RecoveryCode()), ann))
            #expect(try await spend(fixture, .recoveryCode(codes[0]), ann))
        }
    }

    @Test func `recovery codes are replaced, and the authenticator is removed, by its proof alone`() async throws {
        try await withAuthenticator { fixture, ann, secret, codes in
            let totp = fixture.graph.totp
            let unknown = TOTPProof.recoveryCode(RecoveryCode())
            #expect(try await totp.replaceRecoveryCodes(of: ann, by: unknown, from: Self.origin) == nil)
            let new = try #require(
                try await totp.replaceRecoveryCodes(of: ann, by: .recoveryCode(codes[0]), from: Self.origin))
            #expect(try await !spend(fixture, .recoveryCode(codes[1]), ann))
            #expect(try await !totp.remove(of: ann, by: unknown, from: Self.origin))
            let code = secret.code(at: TOTPSecret.step(at: fixture.clock.now))
            #expect(try await totp.remove(of: ann, by: .code(code), from: Self.origin))
            #expect(try await totp.state(of: ann) == TOTPState(isEnabled: false, recoveryCodesLeft: 0))
            #expect(try await !spend(fixture, .recoveryCode(new[0]), ann))
            #expect(
                try await !fixture.database.write {
                    try TOTPStore.Writer($0).removeUnproven(of: ann, from: Self.origin)
                })
        }
    }

    @Test func `guesses of codes take no room from the owner's own events`() async throws {
        try await withAuthenticator { fixture, ann, _, _ in
            for _ in 0..<SessionLimits.loginEventsPerUser + 50 {
                #expect(try await !spend(fixture, .recoveryCode(RecoveryCode()), ann))
                fixture.clock.advance(by: Milliseconds.hour)
            }
            let outcomes = try await outcomes(fixture, ann)
            #expect(outcomes[.totpEnabled] == 1)
            #expect(outcomes[.wrongCode] == Int64(SessionLimits.guessEventsPerUser))
        }
    }

    @Test func `a secret that nobody confirms is deleted, and an account leaves nothing behind`() async throws {
        try await withAuthenticator { fixture, ann, _, _ in
            let bob = try await create("bob", fixture)
            _ = try await fixture.graph.totp.begin(of: bob)
            let rows = "SELECT user_id FROM totp UNION ALL SELECT user_id FROM recovery_code"
            func owners() async throws -> Set<Int64> {
                Set(try await fixture.graph.database.read { try $0.rows(rows, []) { $0.integer(0) } })
            }
            #expect(try await owners() == [ann.rawValue, bob.rawValue])
            fixture.clock.advance(by: SessionLimits.totpConfirmationTime + 1)
            try await fixture.graph.database.write { try SessionUpkeep().prune($0) }
            #expect(try await owners() == [ann.rawValue])
            try await fixture.graph.database.write { try SessionUpkeep().end(ann, $0) }
            #expect(try await owners().isEmpty)
        }
    }
}
