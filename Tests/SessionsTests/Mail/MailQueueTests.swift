import Database
import TestSupport
import Testing

@testable import Sessions
@testable import SocialGraph

/// The queue of mail: leases, retries, and the end of mails.
@Suite(.timeLimit(.unit))
struct MailQueueTests {
    private func withMail(
        _ body: @Sendable (GraphFixture, MailQueueStore) async throws -> Void
    ) async throws {
        try await withGraph { fixture in
            try await fixture.graph.mailQueue.setSending(true)
            _ = try await fixture.graph.accounts.createAccount(
                username: "ann", email: "ann@example.org", passwordHash: nil)
            try await fixture.graph.accountTokens.requestPasswordReset(email: "ann@example.org", from: nil)
            try await body(fixture, fixture.graph.mailQueue)
        }
    }

    @Test func `a mail is taken by one sender until its lease ends`() async throws {
        try await withMail { fixture, queue in
            let first = try #require(try await queue.take(limit: 9, lease: 1_000).mails.first)
            #expect(try await queue.take(limit: 9, lease: 1_000).mails == [])
            fixture.clock.advance(by: 1_000)
            let second = try #require(try await queue.take(limit: 9, lease: 1_000).mails.first)
            #expect(second.id == first.id && second.attempts == 2 && second.token == first.token)
            // The first sender comes back too late to decide.
            try await queue.finish(first, retryingAt: nil)
            #expect(try await queue.backlog() == 1)
            try await queue.finish(second, retryingAt: fixture.clock.now + 500)
            #expect(try await queue.take(limit: 9, lease: 1_000).mails == [])
            fixture.clock.advance(by: 500)
            let third = try #require(try await queue.take(limit: 9, lease: 1_000).mails.first)
            try await queue.finish(third, retryingAt: nil)
            #expect(try await queue.backlog() == 0)
        }
    }

    @Test func `what a dead sender had taken is due at once`() async throws {
        try await withMail { _, queue in
            _ = try await queue.take(limit: 9, lease: 1_000_000)
            try await queue.free(from: .mayLive)
            #expect(try await queue.take(limit: 9, lease: 1_000_000).mails == [])
            try await queue.free(from: .isDead)
            #expect(try await queue.take(limit: 9, lease: 1_000_000).mails.count == 1)
        }
    }

    @Test func `a mail whose token has expired is not sent`() async throws {
        try await withMail { fixture, queue in
            fixture.clock.advance(by: SessionLimits.passwordResetLifetime)
            let taken = try await queue.take(limit: 9, lease: 1_000)
            #expect(taken.mails == [] && taken.expired == 1)
            #expect(try await queue.backlog() == 0)
        }
    }

    @Test func `what expires is pruned where nobody sends`() async throws {
        try await withMail { fixture, queue in
            fixture.clock.advance(by: 2 * SessionLimits.passwordResetLifetime)
            try await fixture.graph.changes.prune()
            for table in ["mail", "account_token", "mail_count"] {
                #expect(try await fixture.integer("SELECT COUNT(*) FROM \(table)") == 0, "\(table)")
            }
        }
    }
}
