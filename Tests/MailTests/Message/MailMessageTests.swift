import TestSupport
import Testing

@testable import Mail

@Suite(.timeLimit(.unit))
struct MailMessageTests {
    private func message(
        to: String = "ann@example.org", subject: String = "Your new password", text: String = "Hello",
        id: String = "17@x"
    ) throws -> MailMessage {
        try MailMessage(
            from: #require(MailAddress("Example <noreply@example.org>")), to: #require(MailAddress(to)),
            subject: subject, text: text, date: 1_795_622_400_123, id: id, kind: "passwordReset")
    }

    @Test func `a mail has the fields of RFC 5322 and lines that end in CR and LF`() throws {
        let expected = [
            "Date: Wed, 25 Nov 2026 16:00:00 +0000", "From: Example <noreply@example.org>", "To: ann@example.org",
            "Subject: Your new password", "Message-ID: <17@x>", "MIME-Version: 1.0",
            "Content-Type: text/plain; charset=us-ascii", "Content-Transfer-Encoding: 7bit",
            "Auto-Submitted: auto-generated", "", "Hello", "", "token", "",
        ].joined(separator: "\r\n")
        #expect(try message(text: "Hello\n\ntoken\n\n").rendered == expected)
    }

    @Test func `long lines are folded at spaces and nothing is lost`() throws {
        let words = (0..<60).map { "word\($0)" }.joined(separator: " ")
        let address = String(repeating: "a", count: 60) + "@" + String(repeating: "example.", count: 20) + "org"
        let text = try message(to: address, subject: words, text: words + "\n" + words).rendered
        let lines = text.split(separator: "\r\n", omittingEmptySubsequences: false)
        #expect(lines.allSatisfy { $0.utf8.count <= 78 || $0 == " " + address })
        let parts = text.split(separator: "\r\n\r\n")
        #expect(parts[0].split(separator: "\r\n ").joined(separator: " ").contains("Subject: \(words)\r\n"))
        #expect(parts[0].contains("To:\r\n \(address)\r\n"))
        #expect(parts[1].split(whereSeparator: \.isWhitespace).joined(separator: " ") == "\(words) \(words)")
    }

    @Test(arguments: [
        "Hello\r\nBcc: eve@example.org", "Hello\nBcc: eve@example.org", "Hello\rX", "Hello\u{0}", "H\u{E9}llo",
        "\u{2028}", "",
    ])
    func `a subject cannot begin another field`(subject: String) {
        #expect(throws: MailFault.self) { try message(subject: subject) }
    }

    @Test(arguments: ["a\r\nX: y", "a b", "a>", "<a", "\u{E9}"])
    func `neither can a message id`(id: String) {
        #expect(throws: MailFault.self) { try message(id: id) }
    }

    @Test(arguments: ["H\u{E9}llo", "a\r\n.\r\nMAIL FROM:<x>", "a\tb", String(repeating: "a", count: 999)])
    func `a text has seven bits and lines that every server accepts`(text: String) {
        #expect(throws: MailFault.self) { try message(text: text) }
    }

    @Test(arguments: ["noreply@example.org", "Example <a@b>", "<a.b+c@x-y.example.org>", "A B <a!#$%&'*/=?^_`{|}~-@b>"])
    func `addresses are dot-atoms with an optional name`(text: String) throws {
        let address = try #require(MailAddress(text))
        #expect(MailAddress(address.field) == address)
    }

    @Test(arguments: [
        "", "a", "@b", "a@", "a@b@c", "a..b@c", ".a@b", "a@b..c", "a b@c", "a@b\r\nX: y", "a@b>", "x <a@b", "<a@b> x",
        "\"a\"@b", "a@b,c@d", "A, B <a@b>", "A\r\nBcc: x <a@b>", "a@[127.0.0.1]", "\u{E9}@b", "a@b\u{E9}",
        "a(x)@b", "a;b@c", "a@b/c", "A\" <a@b>", "a<b>@c",
    ])
    func `other addresses are refused`(text: String) {
        #expect(MailAddress(text) == nil)
    }
}
