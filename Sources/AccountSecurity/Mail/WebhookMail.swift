import GraphAPI
import GraphServices
import Mail

/// Sends mails as JSON to an app's own mailer, signed like every webhook (Standard Webhooks 1.0). The app may send the
/// text or write its own around the token.
package struct WebhookMail: MailTransport {
    let url: WebhookURL
    let secret: [UInt8]
    let addresses: AddressGuard
    /// Milliseconds since 1970.
    let now: @Sendable () -> Int64

    package init(url: WebhookURL, secret: [UInt8], addresses: AddressGuard, now: @escaping @Sendable () -> Int64) {
        (self.url, self.secret, self.addresses, self.now) = (url, secret, addresses, now)
    }

    package func send(_ message: MailMessage) async -> MailResult {
        do {
            let address = try await addresses.address(of: url, for: .server)
            let body = Self.body(message)
            let signature = WebhookSignature.headers(
                message: "msg_\(message.id.prefix { $0 != "@" })", seconds: now() / 1_000, body: body, secret: secret)
            let answer = try await WebhookSender.post(url, at: address, WebhookSender.headers + signature, body)
            return (200..<300).contains(answer.status) ? .sent : .failed("the mailer answered \(answer.status)")
        } catch {
            return .failed("no answer from the mailer: \(error)")
        }
    }

    /// `{type: "mail", timestamp, data: {kind, messageId, from, to, subject, text, token}}`
    private static func body(_ message: MailMessage) -> [UInt8] {
        var json = JSONWriter(reservingCapacity: 2_048)
        json.beginObject()
        json.member("type", "mail")
        json.member("timestamp", time: message.date)
        json.key("data")
        json.beginObject()
        json.member("kind", message.kind)
        json.member("messageId", message.id)
        json.member("from", message.from.address)
        json.member("to", message.to.address)
        json.member("subject", message.subject)
        json.member("text", message.text)
        json.member("token", message.token)
        json.endObject()
        json.endObject()
        return json.bytes
    }
}
