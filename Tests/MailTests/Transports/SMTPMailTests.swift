import Foundation
import TestSupport
import Testing

@testable import Mail

/// Mail through the program curl, to a scripted SMTP server.
@Suite(.timeLimit(.process))
struct SMTPMailTests {
    private func mail(_ text: String, limit: Duration = .seconds(600)) throws -> SMTPMail {
        guard case .smtp(let server) = try MailDestination(parsing: text) else { throw MailFault(text) }
        let curl = try #require(SMTPMail.findCurl(inPath: ProcessInfo.processInfo.environment["PATH"]))
        var mail = SMTPMail(server: server, curl: curl)
        mail.limit = limit
        return mail
    }

    @Test func `a mail arrives as it was rendered`() async throws {
        let server = try ScriptedSMTPServer()
        let message = try MailMessage.sample()
        #expect(await (try mail("smtp://127.0.0.1:\(server.port)")).send(message) == .sent)
        let heard = await server.heard()
        #expect(heard.commands.first == "EHLO example.org")
        #expect(heard.commands.contains("MAIL FROM:<noreply@example.org>"))
        #expect(heard.commands.contains("RCPT TO:<ann@example.org>"))
        #expect(!heard.commands.contains { $0.hasPrefix("AUTH") })
        #expect(heard.text == message.rendered, "a line of one dot included")
    }

    @Test func `user and password are given to the server, and to nobody who lists processes`() async throws {
        let server = try ScriptedSMTPServer(offers: ["AUTH PLAIN"])
        let text = "smtp://ann:p%22%5C%25%20w@localhost:\(server.port)"
        #expect(await (try mail(text)).send(try .sample()) == .sent)
        let credentials = Data("\0ann\0p\"\\% w".utf8).base64EncodedString()
        #expect(await server.heard().commands.contains { $0.contains(credentials) })

        try await withTemporaryDirectory("curl") { path in
            let script =
                "#!/bin/sh\n"
                + "tr '\\0' ' ' < /proc/$$/cmdline > \(path)/arguments\ncat > \(path)/input\nenv > \(path)/env\n"
            try script.write(toFile: path + "/curl", atomically: false, encoding: .utf8)
            try FileManager.default.setAttributes([.posixPermissions: 0o700], ofItemAtPath: path + "/curl")
            #expect(SMTPMail.findCurl(inPath: "/nowhere:\(path)") == path + "/curl")
            let mail = SMTPMail(server: try mail(text).server, curl: path + "/curl")
            #expect(await mail.send(try .sample()) == .sent)
            func read(_ name: String) throws -> String {
                try String(contentsOfFile: path + "/" + name, encoding: .utf8)
            }
            #expect(try read("arguments") == "/bin/sh \(path)/curl -q --config - ")
            #expect(try read("input").contains(#"user = "ann:p\"\\% w""#))
            #expect(try !read("env").contains("ann"))
        }
    }

    @Test func `without STARTTLS nothing is sent where it is required`() async throws {
        let server = try ScriptedSMTPServer(offers: ["AUTH PLAIN"])
        let result = await (try mail("smtp://ann:secret@localhost:\(server.port)?tls=required")).send(try .sample())
        guard case .failed(let why) = result else {
            Issue.record("\(result)")
            return
        }
        #expect(why.hasPrefix("curl ended with 64:") && !why.contains("secret"))
        #expect(await !server.heard().commands.contains { $0.hasPrefix("AUTH") || $0.hasPrefix("MAIL") })
    }

    @Test(arguments: [false, true])
    func `user, password and mail go over TLS to a server whose certificate is trusted`(
        isImplicit: Bool
    ) async throws {
        try await withTemporaryDirectory("smtp") { path in
            let certificate = try await ServerCredentials(in: path)
            let server = try ScriptedSMTPServer(
                offers: ["STARTTLS", "AUTH PLAIN"], security: .init(certificate, isImplicit: isImplicit))
            let address = "ann:secret@localhost:\(server.port)?ca=\(certificate.chain)"
            let text = isImplicit ? "smtps://\(address)" : "smtp://\(address)&tls=required"
            let message = try MailMessage.sample()
            #expect(await (try mail(text)).send(message) == .sent)
            let heard = await server.heard()
            #expect(heard.clear == (isImplicit ? [] : ["EHLO example.org", "STARTTLS"]))
            #expect(heard.commands.contains { $0.hasPrefix("AUTH PLAIN") })
            #expect(heard.text == message.rendered)
        }
    }

    @Test(arguments: [false, true])
    func `a server with a certificate of an unknown authority gets nothing`(isImplicit: Bool) async throws {
        try await withTemporaryDirectory("smtp") { path in
            let server = try ScriptedSMTPServer(
                offers: ["STARTTLS", "AUTH PLAIN"],
                security: .init(try await ServerCredentials(in: path), isImplicit: isImplicit))
            let scheme = isImplicit ? "smtps" : "smtp"
            let result = await (try mail("\(scheme)://ann:secret@localhost:\(server.port)?tls=required"))
                .send(try .sample())
            guard case .failed(let why) = result else {
                Issue.record("\(result)")
                return
            }
            #expect(why.hasPrefix("curl ended with 60:") && !why.contains("secret"), "\(why)")
            let heard = await server.heard()
            #expect(heard.commands.allSatisfy { ["EHLO example.org", "STARTTLS"].contains($0) }, "\(heard)")
        }
    }

    @Test(arguments: [("RCPT", "550 no such mailbox", true), ("RCPT", "451 later", false), ("AUTH", "535 no", false)])
    func `a refusal is final if its code says so`(command: String, answer: String, isFinal: Bool) async throws {
        let server = try ScriptedSMTPServer(offers: ["AUTH PLAIN"], answers: [command: answer])
        switch await (try mail("smtp://ann:secret@localhost:\(server.port)")).send(try .sample()) {
        case .sent: Issue.record("the mail was accepted")
        case .refused: #expect(isFinal)
        case .failed: #expect(!isFinal)
        }
    }

    @Test func `a server that is silent is given up`() async throws {
        let server = try ScriptedSMTPServer(answers: ["EHLO": ""])
        let result = await (try mail("smtp://127.0.0.1:\(server.port)", limit: .seconds(2))).send(try .sample())
        guard case .failed = result else {
            Issue.record("\(result)")
            return
        }
    }
}
