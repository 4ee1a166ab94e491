import Foundation
import TestSupport
import Testing

@testable import Mail

@Suite(.timeLimit(.unit))
struct MailDirectoryTests {
    @Test func `each mail is one file that only its owner reads`() async throws {
        try await withTemporaryDirectory("mail") { path in
            let directory = MailDirectory(path: path + "/new")
            let message = try MailMessage.sample(id: "17.a/..b@x")
            #expect(await directory.send(message) == .sent)
            #expect(await directory.send(message) == .sent, "another attempt replaces the file")
            #expect(await directory.send(try .sample(id: "18@x")) == .sent)
            let names = try FileManager.default.contentsOfDirectory(atPath: path + "/new").sorted()
            #expect(names == ["17.a-..b.eml", "18.eml"])
            let file = path + "/new/" + names[0]
            #expect(try String(contentsOfFile: file, encoding: .utf8) == message.rendered)
            let attributes = try FileManager.default.attributesOfItem(atPath: file)
            #expect(attributes[.posixPermissions] as? Int == 0o600)
        }
    }

    @Test func `a directory that cannot be written is a failure`() async throws {
        guard case .failed(let why) = await MailDirectory(path: "/proc/nowhere").send(try .sample()) else {
            Issue.record("the mail was accepted")
            return
        }
        #expect(why.contains("/proc/nowhere"))
    }
}

extension MailMessage {
    static func sample(text: String = "Hello\n.\ntoken", id: String = "17@example.org") throws -> MailMessage {
        try MailMessage(
            from: #require(MailAddress("Example <noreply@example.org>")), to: #require(MailAddress("ann@example.org")),
            subject: "Hello", text: text, date: 1_795_622_400_000, id: id, kind: "passwordReset", token: "token")
    }
}
