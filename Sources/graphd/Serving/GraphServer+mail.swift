import AccountSecurity
import CommandSupport
import Database
import Foundation
import GraphServices
import Mail
import Sessions
import SocialGraph

extension GraphServer {
    /// Returns the service that sends mail; nil if mail is off. Records which of the two holds, for the transactions
    /// that queue mail.
    ///
    /// - Throws: `CommandFailure` if the program curl is needed and not installed.
    func mailService(
        _ graph: GraphStore, _ formerOwner: FormerOwner, _ clock: SteadyClock
    ) async throws -> AccountMailService? {
        let mail = configuration.mail
        let transport = try mail.map(transport)
        try await graph.mailQueue.setSending(mail != nil)
        guard let mail, let transport else { return nil }
        return AccountMailService(
            graph: graph, transport: transport, from: mail.from, formerOwner: formerOwner, logger: logger,
            now: clock.now)
    }

    private func transport(_ mail: MailConfiguration) throws -> any MailTransport {
        switch mail.destination {
        case .directory(let path): return MailDirectory(path: path)
        case .smtp(let server):
            return SMTPMail(server: server, curl: try MailConfiguration.curl())
        case .webhook(let text):
            guard let url = WebhookURL(text) else { throw CommandFailure("\(text) is not a URL for mail.") }
            let addresses = AddressGuard(
                allowsPrivate: configuration.webhooks == .anywhere, resolve: HostResolver().addresses(of:for:))
            return WebhookMail(
                url: url, secret: mail.secret, addresses: addresses, now: SystemClock.milliseconds)
        }
    }
}

extension MailConfiguration {
    /// Returns the path of the program curl. Throws `CommandFailure` if it is not installed.
    static func curl() throws -> String {
        guard let curl = SMTPMail.findCurl(inPath: ProcessInfo.processInfo.environment["PATH"]) else {
            throw CommandFailure("Mail by SMTP needs the program curl, which is not on the PATH. Install it.")
        }
        return curl
    }
}
