import Mail
import SocialGraph
import Sessions

/// The wording of the mails to owners of accounts, in plain ASCII. A token stands alone on its line.
struct AccountMailText: Sendable {
    /// The longest part shown of a user agent.
    private static let agentLength = 120

    /// The sender of every mail. Its name, else its domain, names the site.
    let from: MailAddress

    private var site: String { from.name.isEmpty ? from.domain : from.name }

    /// Composes a mail. The same mail has the same message id at each attempt.
    ///
    /// - Throws: `MailFault` for an address to which no mail can be sent.
    func message(_ mail: AccountMail) throws -> MailMessage {
        guard let to = MailAddress(mail.recipient) else {
            throw MailFault("the address must be \(MailAddress.expected)")
        }
        return try MailMessage(
            from: from, to: to, subject: subject(mail.kind), text: text(mail), date: mail.createdAt,
            id: "\(mail.id).\(mail.createdAt)@\(from.domain)", kind: mail.kind.rawValue, token: mail.token)
    }

    private func subject(_ kind: AccountMail.Kind) -> String {
        switch kind {
        case .passwordReset: "Reset your password at \(site)"
        case .emailConfirmation: "Confirm your email address at \(site)"
        case .newLogin: "New log-in to your account at \(site)"
        case .emailChanged: "The email address of your account at \(site) has changed"
        case .passwordChanged: "The password of your account at \(site) has changed"
        case .totpEnabled: "Log-ins to your account at \(site) now need a code"
        case .totpRemoved: "Log-ins to your account at \(site) no longer need a code"
        }
    }

    private func text(_ mail: AccountMail) -> String {
        (["Hello \(mail.username),"] + paragraphs(mail) + [origin(mail)]).joined(separator: "\n\n") + "\n"
    }

    private func paragraphs(_ mail: AccountMail) -> [String] {
        let (token, end) = (mail.token ?? "", MailMessage.time(mail.expiresAt))
        let advice = "If this was not you, reset your password now: the app offers it where you log in."
        switch mail.kind {
        case .passwordReset:
            return [
                "Somebody asked for a new password for your account at \(site). To choose one, enter this code in the "
                    + "app:",
                token,
                "The code works once, until \(end). If you did not ask for it, you need do nothing: your password "
                    + "stays as it is.",
            ]
        case .emailConfirmation:
            return [
                "This is the email address of your account at \(site). To confirm it, enter this code in the app:",
                token, "The code works until \(end). If you have no such account, you need do nothing.",
            ]
        case .newLogin:
            return [
                "Somebody has logged in to your account at \(site) from an address that the account had not been used "
                    + "from, at \(MailMessage.time(mail.createdAt)).", advice,
            ]
        case .emailChanged:
            return [
                "Your account at \(site) has another email address since \(MailMessage.time(mail.createdAt)). This is "
                    + "the last mail to the former address.",
                "If this was not you, contact the operators of \(site): this address can no longer reset the "
                    + "password.",
            ]
        case .passwordChanged:
            return [
                "Your account at \(site) has a new password since \(MailMessage.time(mail.createdAt)). Every device "
                    + "has been logged out.", advice,
            ]
        case .totpEnabled:
            return [
                "Since \(MailMessage.time(mail.createdAt)) a log-in to your account at \(site) needs a code of an "
                    + "authenticator besides the password. Every other device has been logged out.", advice,
            ]
        case .totpRemoved:
            return [
                "Since \(MailMessage.time(mail.createdAt)) a log-in to your account at \(site) needs no code of an "
                    + "authenticator, only the password.", advice,
            ]
        }
    }

    /// The origin of the request. The user agent is the caller's own text: all but plain ASCII is replaced, and a mail
    /// that strangers can cause leaves it out, because it could name a site of theirs.
    private func origin(_ mail: AccountMail) -> String {
        let address = mail.origin.address.map { "The request came from the address \($0)" }
        let agent = mail.origin.userAgent.map { agent in
            let bytes = agent.utf8.prefix(Self.agentLength).map { $0 >= 0x20 && $0 < 0x7F ? $0 : UInt8(ascii: "?") }
            return " (\(String(decoding: bytes, as: UTF8.self)))"
        }
        let shown = Self.isOpenToStrangers(mail.kind) ? nil : agent
        return (address ?? "The request came from the server's own machine") + (shown ?? "") + "."
    }

    /// True for a mail that anybody can cause who knows the address.
    private static func isOpenToStrangers(_ kind: AccountMail.Kind) -> Bool {
        switch kind {
        case .passwordReset, .emailConfirmation: true
        case .newLogin, .emailChanged, .passwordChanged, .totpEnabled, .totpRemoved: false
        }
    }
}
