import Crypto
import Database
import TestSupport
import Testing

@testable import Sessions
@testable import SocialGraph

/// Tokens sent by mail: their life, their storage, and what ends them.
@Suite(.timeLimit(.unit))
struct AccountTokenTests {
    private static let origin = LoginOrigin(address: "192.0.2.1", userAgent: "phone")

    /// Runs `body` with a graph that sends mail, and an account.
    private func withAccount(
        isSending: Bool = true, _ body: @Sendable (GraphFixture, UserID) async throws -> Void
    ) async throws {
        try await withGraph { fixture in
            try await fixture.graph.mailQueue.setSending(isSending)
            let ann = try await fixture.graph.accounts.createAccount(
                username: "ann", email: "Ann@example.org", passwordHash: "old")
            try await body(fixture, ann.id)
        }
    }

    private func request(_ fixture: GraphFixture, _ email: String = "ann@example.org") async throws {
        try await fixture.graph.accountTokens.requestPasswordReset(email: email, from: Self.origin)
    }

    /// Takes the waiting mails, and removes them from the queue.
    private func mails(_ fixture: GraphFixture) async throws -> [AccountMail] {
        let mails = try await fixture.graph.mailQueue.take(limit: 100, lease: 1_000).mails
        for mail in mails { try await fixture.graph.mailQueue.finish(mail, retryingAt: nil) }
        return mails
    }

    private func token(_ mail: AccountMail?) throws -> AccountToken {
        let text = try #require(mail?.token)
        return try #require(AccountToken(presented: text))
    }

    private func reset(_ fixture: GraphFixture, _ token: AccountToken) async throws -> Bool {
        try await fixture.graph.accountTokens.resetPassword(token, to: "new", from: Self.origin)
    }

    @Test func `a reset sets the password, ends every session, confirms the address and works once`() async throws {
        try await withAccount { fixture, ann in
            let refresh = RefreshGrant(digest: [1], lifetime: 1_000_000)
            _ = try await fixture.graph.sessions.openSession(of: ann, refresh: refresh)
            try await request(fixture)
            try await request(fixture)
            let mails = try await mails(fixture)
            #expect(mails.map(\.kind) == [.passwordReset, .passwordReset])
            #expect(mails.allSatisfy { $0.recipient == "Ann@example.org" && $0.origin == Self.origin })
            let (first, second) = (try token(mails.first), try token(mails.last))
            #expect(first != second)
            let account = try await fixture.graph.accountTokens.account(resetBy: first, at: fixture.clock.now)
            #expect(account?.id == ann)
            #expect(try await reset(fixture, first))
            #expect(try await fixture.graph.accounts.credentials(of: ann)?.passwordHash == "new")
            #expect(try await fixture.graph.accounts.tokenEpoch(ann) == 1)
            #expect(try await fixture.graph.sessions.sessions(of: ann) == [])
            #expect(try await fixture.graph.accountTokens.isEmailConfirmed(of: ann))
            let events = try await fixture.graph.sessions.loginEvents(of: ann, below: nil, limit: 9).items
            #expect(events.map(\.outcome) == [.passwordChanged])
            #expect(try await self.mails(fixture).map(\.kind) == [.passwordChanged])
            // The other token ends with the first use as well.
            for token in [first, second] { #expect(try await !reset(fixture, token)) }
        }
    }

    @Test func `a token ends after an hour, and one of another purpose does not reset`() async throws {
        try await withAccount { fixture, ann in
            try await request(fixture)
            try await fixture.graph.accountTokens.requestConfirmation(of: ann, from: nil)
            let mails = try await mails(fixture)
            let (resetting, confirming) = (try token(mails.first), try token(mails.last))
            #expect(try await !fixture.graph.accountTokens.confirmEmail(resetting))
            #expect(try await !reset(fixture, confirming))
            fixture.clock.advance(by: SessionLimits.passwordResetLifetime)
            #expect(
                try await fixture.graph.accountTokens.account(resetBy: resetting, at: fixture.clock.now) == nil)
            #expect(try await !reset(fixture, resetting))
            #expect(try await fixture.graph.accountTokens.confirmEmail(confirming))
            #expect(try await !fixture.graph.accountTokens.confirmEmail(confirming))
            // A confirmed address needs no further token.
            try await fixture.graph.accountTokens.requestConfirmation(of: ann, from: nil)
            #expect(try await self.mails(fixture) == [])
        }
    }

    @Test func `a token is stored as its digest, and in its mail until that is sent`() async throws {
        try await withAccount { fixture, _ in
            try await request(fixture)
            let text = try #require(
                try await fixture.database.read { reader in
                    try reader.first("SELECT token FROM mail", []) { $0.text(0) }
                })
            #expect(text.utf8.count == 40 && AccountToken(presented: text) != nil)
            let stored = try await fixture.database.read { reader in
                try reader.first("SELECT digest FROM account_token", []) { $0.blob(0) }
            }
            #expect(stored == Array(SHA256.hash(data: Array(text.utf8))))
            _ = try await mails(fixture)
            #expect(try await fixture.integer("SELECT COUNT(*) FROM mail") == 0)
            #expect(try await fixture.integer("SELECT COUNT(*) FROM account_token") == 1)
        }
    }

    @Test(arguments: [
        "", "x", String(repeating: "A", count: 39), String(repeating: "A", count: 41),
        String(repeating: "A", count: 39) + ".", String(repeating: "A", count: 39) + "=",
        String(repeating: "A", count: 38) + "\u{E9}",
    ])
    func `a text of another form is no token`(text: String) {
        #expect(AccountToken(presented: text) == nil)
    }

    @Test func `another address ends the tokens of the former one, which is told`() async throws {
        try await withAccount { fixture, ann in
            try await fixture.graph.accountTokens.requestConfirmation(of: ann, from: nil)
            #expect(try await fixture.graph.accountTokens.confirmEmail(token(mails(fixture).first)))
            try await request(fixture)
            let former = try token(try await mails(fixture).first)
            try await request(fixture)
            var change = ProfileChange()
            (change.email, change.origin) = ("new@example.org", Self.origin)
            try await fixture.graph.accounts.changeProfile(of: ann, change)
            #expect(try await !reset(fixture, former))
            #expect(try await !fixture.graph.accountTokens.isEmailConfirmed(of: ann))
            let mails = try await mails(fixture)
            #expect(mails.map(\.kind) == [.emailChanged, .emailConfirmation], "the unsent token is gone")
            #expect(mails.map(\.recipient) == ["Ann@example.org", "new@example.org"])
            #expect(try await fixture.graph.accountTokens.confirmEmail(token(mails.last)))
        }
    }

    @Test func `an address without an account changes only the count of its mails`() async throws {
        try await withAccount { fixture, _ in
            try await request(fixture, "nobody@example.org")
            #expect(try await mails(fixture) == [])
            #expect(try await fixture.integer("SELECT COUNT(*) FROM mail_count") == 1)
            #expect(try await fixture.integer("SELECT COUNT(*) FROM account_token") == 0)
        }
    }

    @Test func `an address gets so many mails an hour, in every spelling`() async throws {
        try await withAccount { fixture, _ in
            for number in 0..<20 { try await request(fixture, number % 2 == 0 ? "ann@example.org" : "ANN@example.org") }
            #expect(try await mails(fixture).count == Int(SessionLimits.tokenMailsPerAddress))
            fixture.clock.advance(by: SessionLimits.mailWindow)
            try await request(fixture)
            #expect(try await mails(fixture).count == 1)
        }
    }

    @Test func `a log-in from an unknown address is told once`() async throws {
        try await withAccount { fixture, ann in
            try await fixture.graph.sessions.welcome(ann, from: Self.origin, address: [1])
            #expect(try await mails(fixture).map(\.kind) == [.emailConfirmation])
            for (number, address) in [1, 2, 2, 1].enumerated() as EnumeratedSequence<[UInt8]> {
                _ = try await fixture.graph.sessions.openSession(
                    of: ann, refresh: RefreshGrant(digest: [UInt8(number)], lifetime: 1_000_000), from: Self.origin,
                    address: [address])
                #expect(try await mails(fixture).map(\.kind) == (number == 1 ? [.newLogin] : []), "\(number)")
            }
        }
    }

    @Test func `without a destination nothing is queued`() async throws {
        try await withAccount(isSending: false) { fixture, ann in
            try await fixture.graph.sessions.welcome(ann, from: Self.origin, address: [1])
            _ = try await fixture.graph.sessions.openSession(
                of: ann, refresh: RefreshGrant(digest: [1], lifetime: 1_000), from: Self.origin, address: [2])
            try await fixture.database.write {
                try SessionStore.Writer($0).replacePassword(of: ann, with: "new", from: Self.origin)
            }
            #expect(try await mails(fixture) == [])
        }
    }

    @Test func `nothing is left of a deleted account`() async throws {
        try await withAccount { fixture, ann in
            try await request(fixture)
            try await fixture.graph.accountTokens.requestConfirmation(of: ann, from: nil)
            _ = try await fixture.graph.accountTokens.confirmEmail(token(mails(fixture).last))
            try await request(fixture)
            try await fixture.graph.erasures.deleteAccount(ann)
            for table in ["account_token", "confirmed_email", "mail"] {
                #expect(try await fixture.integer("SELECT COUNT(*) FROM \(table)") == 0, "\(table)")
            }
        }
    }
}
