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

/// An SMTP server for one connection, which notes what it hears.
private final class ScriptedSMTPServer: Sendable {
    struct Heard: Sendable {
        var commands: [String] = []
        /// The mail, its dots unstuffed.
        var text = ""
    }

    let port: Int
    private let talk: AsyncStream<Heard>

    /// - Parameters:
    ///   - offers: extensions named in the answer to `EHLO`.
    ///   - answers: answers to commands that begin with a word; an empty one is never sent.
    init(offers: [String] = [], answers: [String: String] = [:]) throws {
        let (listener, port) = try LocalSocket.listenTCP()
        self.port = port
        let (stream, continuation) = AsyncStream<Heard>.makeStream()
        talk = stream
        let thread = Thread {
            let connection = accept(listener, nil, nil)
            close(listener)
            continuation.yield(Self.serve(connection, offers, answers))
            close(connection)
            continuation.finish()
        }
        thread.start()
    }

    /// Waits for the end of the connection.
    func heard() async -> Heard {
        for await heard in talk { return heard }
        return Heard()
    }

    private static func serve(_ connection: Int32, _ offers: [String], _ answers: [String: String]) -> Heard {
        var (heard, buffer, isData) = (Heard(), [UInt8](), false)
        func say(_ text: String) {
            if !text.isEmpty { _ = LocalSocket.send(Array("\(text)\r\n".utf8)[...], over: connection) }
        }
        say("220 scripted")
        var chunk = [UInt8](repeating: 0, count: 4_096)
        while true {
            let count = recv(connection, &chunk, chunk.count, 0)
            guard count > 0 else { return heard }
            buffer += chunk.prefix(count)
            while let end = buffer.firstIndex(of: UInt8(ascii: "\n")) {
                let line = String(decoding: buffer[..<end].dropLast(), as: UTF8.self)
                buffer.removeFirst(end + 1)
                if isData, line != "." {
                    heard.text += (line.hasPrefix(".") ? String(line.dropFirst()) : line) + "\r\n"
                } else {
                    let answer = isData ? "250 accepted" : answer(to: line, after: heard.commands.last, offers, answers)
                    isData = !isData && line == "DATA"
                    heard.commands.append(line)
                    say(answer)
                }
            }
        }
    }

    private static func answer(
        to line: String, after last: String?, _ offers: [String], _ answers: [String: String]
    ) -> String {
        if last == "AUTH PLAIN" { return answers["AUTH"] ?? "235 welcome" }
        let word = String(line.prefix { $0 != " " && $0 != ":" })
        if word != "AUTH", let answer = answers[word] { return answer }
        switch word {
        case "EHLO": return (["250-scripted"] + offers.map { "250-\($0)" } + ["250 HELP"]).joined(separator: "\r\n")
        case "AUTH": return "334 "
        case "DATA": return "354 go on"
        case "QUIT": return "221 bye"
        default: return "250 ok"
        }
    }
}
