/// The destination of all mail, as an operator sets it.
package enum MailDestination: Sendable, Equatable {
    case smtp(SMTPServer)
    /// An http or https URL that receives the mails as signed JSON.
    case webhook(String)
    case directory(String)

    /// An acceptable text, for messages about another one.
    package static let expected = """
        smtp://[user:password@]host[:port], smtps://[user:password@]host[:port], webhook:URL or directory:PATH
        """

    /// - Throws: ``MailFault``, which never repeats a password.
    package init(parsing text: String) throws {
        func rest(_ prefix: String) -> Substring? { text.hasPrefix(prefix) ? text.dropFirst(prefix.count) : nil }
        if let server = rest("smtp://") {
            self = .smtp(try SMTPServer(parsing: server, isImplicit: false))
        } else if let server = rest("smtps://") {
            self = .smtp(try SMTPServer(parsing: server, isImplicit: true))
        } else if let url = rest("webhook:"), url.hasPrefix("https://") || url.hasPrefix("http://") {
            self = .webhook(String(url))
        } else if let path = rest("directory:"), !path.isEmpty, !path.utf8.contains(0) {
            self = .directory(String(path))
        } else {
            throw MailFault("not a destination of mail: write \(Self.expected)")
        }
    }
}
