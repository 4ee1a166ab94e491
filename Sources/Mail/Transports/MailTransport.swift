/// A way to send mail.
package protocol MailTransport: Sendable {
    /// Makes one attempt to send a message.
    func send(_ message: MailMessage) async -> MailResult
}

/// The outcome of one attempt.
package enum MailResult: Sendable, Equatable {
    case sent
    /// The message will never be accepted.
    case refused(String)
    /// A later attempt may succeed. It may be unknown whether this one did, as after a time-out.
    case failed(String)
}
