import Crypto
import Foundation

/// The signature of a message by Standard Webhooks 1.0 (standardwebhooks.com), symmetric: HMAC-SHA256 over id, time and
/// body.
package enum WebhookSignature {
    /// Bytes of a secret.
    static let secretBytes = 32

    /// The form in which a receiver gets the secret: `whsec_` and Base64.
    package static func text(of secret: [UInt8]) -> String { "whsec_" + Data(secret).base64EncodedString() }

    /// Reads that form; nil if the text is another.
    package static func secret(in text: String) -> [UInt8]? {
        guard text.hasPrefix("whsec_"), let data = Data(base64Encoded: String(text.dropFirst(6))) else { return nil }
        return Array(data)
    }

    package static func newSecret() -> [UInt8] {
        var generator = SystemRandomNumberGenerator()
        return (0..<Self.secretBytes).map { _ in UInt8.random(in: .min ... .max, using: &generator) }
    }

    /// `webhook-id`, `webhook-timestamp` and `webhook-signature`. `seconds` is the time of this attempt since 1970; the
    /// receiver refuses old ones.
    package static func headers(
        message: String, seconds: Int64, body: [UInt8], secret: [UInt8]
    ) -> [(String, String)] {
        let signed = Array("\(message).\(seconds).".utf8) + body
        let code = HMAC<SHA256>.authenticationCode(for: signed, using: SymmetricKey(data: secret))
        return [
            ("webhook-id", message), ("webhook-timestamp", String(seconds)),
            ("webhook-signature", "v1," + Data(code).base64EncodedString()),
        ]
    }
}
