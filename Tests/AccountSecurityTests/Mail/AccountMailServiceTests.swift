import Database
import Mail
import SocialGraph
import Synchronization
import TestSupport
import Testing

@testable import AccountSecurity
@testable import GraphServices
@testable import Sessions

/// The sender of queued mail, with a scripted transport and a clock that the test moves.
@Suite(.timeLimit(.unit))
struct AccountMailServiceTests {
    private final class ScriptedTransport: MailTransport {
        private let script: Mutex<[MailResult]>
        private let messages = Mutex<[MailMessage]>([])

        init(_ script: [MailResult] = []) { self.script = Mutex(script) }

        var attempts: [MailMessage] { messages.withLock { $0 } }

        func send(_ message: MailMessage) async -> MailResult {
            messages.withLock { $0.append(message) }
            return script.withLock { $0.isEmpty ? .sent : $0.removeFirst() }
        }
    }

    private func withService(
        _ script: [MailResult] = [], email: String = "ann@example.org",
        _ body: @Sendable (GraphFixture, AccountMailService, ScriptedTransport) async throws -> Void
    ) async throws {
        try await withGraph { fixture in
            let transport = ScriptedTransport(script)
            let backoff = PushBackoff(first: 10_000, factor: 2, longest: 60_000, attempts: .max, random: { 0 })
            let service = AccountMailService(
                graph: fixture.graph, transport: transport, from: try #require(MailAddress("Example <no@example.org>")),
                formerOwner: .isDead, backoff: backoff, logger: .silent, now: { fixture.clock.now })
            try await fixture.graph.mailQueue.setSending(true)
            _ = try await fixture.graph.accounts.createAccount(username: "ann", email: email, passwordHash: nil)
            try await fixture.graph.accountTokens.requestPasswordReset(
                email: email, from: LoginOrigin(address: "192.0.2.1", userAgent: "ph\u{F6}ne\u{2028}"))
            try await body(fixture, service, transport)
        }
    }

    @Test func `a mail is sent once and has its token on a line of its own`() async throws {
        try await withService { fixture, service, transport in
            await service.work(untilIdle: true)
            await service.work(untilIdle: true)
            let message = try #require(transport.attempts.first)
            #expect(transport.attempts.count == 1)
            #expect(message.to.address == "ann@example.org" && message.subject == "Reset your password at Example")
            let lines = message.rendered.split(separator: "\r\n").map(String.init)
            let tokens = lines.filter { AccountToken(presented: $0) != nil }
            #expect(tokens == [message.token])
            #expect(message.text.contains("192.0.2.1."))
            let left = try await fixture.graph.mailQueue.backlog()
            #expect(left == 0)
        }
    }

    @Test func `what is not accepted is tried again under the same id until it expires`() async throws {
        try await withService(Array(repeating: .failed("down"), count: 1_000)) { fixture, service, transport in
            for _ in 0..<200 {
                await service.work(untilIdle: true)
                fixture.clock.advance(by: .seconds(30))
            }
            #expect((10...200).contains(transport.attempts.count))
            #expect(Set(transport.attempts.map(\.rendered)).count == 1)
            let left = try await fixture.graph.mailQueue.backlog()
            #expect(left == 0)
        }
    }

    @Test func `a final refusal and an address that cannot be mailed end a mail`() async throws {
        try await withService([.refused("550")]) { fixture, service, transport in
            await service.work(untilIdle: true)
            #expect(transport.attempts.count == 1)
            let left = try await fixture.graph.mailQueue.backlog()
            #expect(left == 0)
        }
        try await withService(email: "a,b@example.org") { fixture, service, transport in
            await service.work(untilIdle: true)
            #expect(transport.attempts.isEmpty)
            let left = try await fixture.graph.mailQueue.backlog()
            #expect(left == 0)
        }
    }

    /// Anybody who knows an address can ask for a new password, or sign up with it.
    @Test(arguments: AccountMail.Kind.allCases)
    func `a mail that strangers can cause has no text of theirs`(_ kind: AccountMail.Kind) throws {
        let isOpen = [AccountMail.Kind.passwordReset, .emailConfirmation].contains(kind)
        let mail = AccountMail(
            id: 1, user: UserID(rawValue: 2), username: "ann", kind: kind, recipient: "ann@example.org", token: nil,
            origin: LoginOrigin(address: "192.0.2.1", userAgent: "go to http://evil.example ph\u{F6}ne"), createdAt: 0,
            expiresAt: 1, attempts: 1)
        let text = try AccountMailText(from: try #require(MailAddress("no@example.org"))).message(mail).text
        #expect(text.contains("192.0.2.1.") == isOpen)
        #expect(text.contains("192.0.2.1 (go to http://evil.example ph??ne).") == !isOpen)
        #expect(text.contains("evil") == !isOpen)
    }

    @Test func `every kind of mail can be rendered`() async throws {
        for kind in AccountMail.Kind.allCases {
            let mail = AccountMail(
                id: 1, user: UserID(rawValue: 2), username: String(repeating: "n", count: 30), kind: kind,
                recipient: "ann@example.org", token: kind == .passwordReset ? String(repeating: "A", count: 40) : nil,
                origin: LoginOrigin(address: nil, userAgent: nil), createdAt: 0, expiresAt: 1, attempts: 1)
            let text = AccountMailText(from: try #require(MailAddress("no@example.org")))
            let lines = try text.message(mail).rendered.split(separator: "\r\n", omittingEmptySubsequences: false)
            let isNarrow = lines.allSatisfy { $0.utf8.count <= 78 }
            #expect(isNarrow)
        }
    }
}
