import TestSupport
import Testing

@testable import Mail

@Suite(.timeLimit(.unit))
struct MailDestinationTests {
    @Test func `each form is read`() throws {
        func read(_ text: String) throws -> MailDestination { try MailDestination(parsing: text) }
        func smtp(_ text: String) throws -> SMTPServer? {
            guard case .smtp(let server) = try read(text) else { return nil }
            return server
        }
        #expect(try read("directory:/tmp/x") == .directory("/tmp/x"))
        #expect(try read("webhook:https://a.example/b?c=d") == .webhook("https://a.example/b?c=d"))
        #expect(try smtp("smtp://mail.example") == SMTPServer(host: "mail.example", port: 587, security: .required))
        #expect(try smtp("smtps://Mail.example") == SMTPServer(host: "mail.example", port: 465, security: .implicit))
        #expect(try smtp("smtp://127.0.0.1:2525") == SMTPServer(host: "127.0.0.1", port: 2525, security: .none))
        #expect(try smtp("smtp://[::1]") == SMTPServer(host: "::1", port: 25, security: .none))
        #expect(try smtp("smtp://localhost?tls=required")?.security == .required)
        #expect(try smtp("smtp://10.0.0.7?tls=none")?.security == SMTPServer.Security.none)
        let server = try #require(try smtp("smtp://ann%40x:p%3A%25%22@mail.example:25?ca=/etc/ca.pem"))
        #expect(server.user == "ann@x" && server.password == "p:%\"" && server.authorities == "/etc/ca.pem")
        #expect(server.security == .required && server.url == "smtp://mail.example:25")
    }

    @Test(arguments: [
        "", "smtp:", "smtp://", "smtp://:25", "smtp://a:0", "smtp://a:x", "smtp://a b", "smtp://a/b", "smtp://[::1",
        "smtp://[a.b]", "smtp://secret@a", "smtp://:secret@a", "smtp://u:@a", "smtp://u:secret@a?tls=none",
        "smtps://a?tls=none", "smtp://a?x=y", "smtp://a?tls=maybe", "smtp://a?ca=b", "smtp://u:secret%@a",
        "smtp://u:secret%0A@a", "smtp://u%3Ax:secret@a", "webhook:", "webhook:ftp://a", "directory:", "mailto:a@b",
        "sendmail",
    ])
    func `others are refused without repeating a password`(text: String) {
        let fault = #expect(throws: MailFault.self) { try MailDestination(parsing: text) }
        #expect(fault?.description.contains("secret") == false)
    }
}
