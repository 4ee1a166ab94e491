import Mail
import ServiceTestSupport
import TestSupport
import Testing

@testable import AccountSecurity
@testable import GraphServices
@testable import StrictJSON

/// Mails as signed JSON for an app's own mailer.
@Suite(.timeLimit(.unit))
struct WebhookMailTests {
    private static let secret = (0..<32).map { UInt8($0) }

    private func send(
        to receiver: FakeReceiver, allowsPrivate: Bool = true
    ) async throws -> MailResult {
        let message = try MailMessage(
            from: #require(MailAddress("Example <no@example.org>")), to: #require(MailAddress("ann@example.org")),
            subject: "Hello", text: "Hi\n\nTOKEN", date: 1_795_622_400_000, id: "17.3@example.org",
            kind: "password_reset", token: "TOKEN")
        return try await receiver.running { base in
            let mail = WebhookMail(
                url: try #require(WebhookURL(base + "/mail")), secret: Self.secret,
                addresses: AddressGuard(allowsPrivate: allowsPrivate, resolve: { _, _ in [] }), now: { 5_000 })
            return await mail.send(message)
        }
    }

    @Test func `a mail is signed and has all its parts`() async throws {
        let receiver = FakeReceiver()
        #expect(try await send(to: receiver) == .sent)
        let message = try #require(receiver.taken.first)
        #expect(try message.isSigned(by: WebhookSignature.text(of: Self.secret)))
        #expect(message.id == "msg_17.3" && message.timestamp == "5")
        let body = try JSONReader.read(Array(message.body.utf8))
        #expect(body["type"] == .string("mail") && body["timestamp"] == .string("2026-11-25T16:00:00.000Z"))
        let data = try #require(body["data"])
        #expect(data.names == ["kind", "messageId", "from", "to", "subject", "text", "token"])
        #expect(data["to"] == .string("ann@example.org") && data["token"] == .string("TOKEN"))
        #expect(data["kind"] == .string("password_reset") && data["text"] == .string("Hi\n\nTOKEN"))
    }

    @Test func `a refusal and a private address are failures`() async throws {
        let receiver = FakeReceiver()
        receiver.script("/mail", [.status(500)])
        #expect(try await send(to: receiver) == .failed("the mailer answered 500"))
        guard case .failed = try await send(to: receiver, allowsPrivate: false) else {
            Issue.record("a private address was used")
            return
        }
        #expect(receiver.attempts.count == 1)
    }
}
