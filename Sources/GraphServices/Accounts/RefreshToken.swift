import Crypto
import Foundation
import Sessions

/// A refresh token: 256 random bits in base64url. Only its SHA-256 is stored, so a stolen database opens no session.
/// Random bits need no slow hash.
struct RefreshToken: Sendable {
    static let byteCount = 32

    let text: String
    let digest: [UInt8]

    /// Creates a new token.
    init() {
        var generator = SystemRandomNumberGenerator()
        let bytes = (0..<Self.byteCount).map { _ in UInt8.random(in: .min ... .max, using: &generator) }
        self.init(text: Base64URL.encode(bytes))
    }

    /// Parses a presented token; nil if the text cannot be one.
    init?(presented text: String) {
        guard let bytes = Base64URL.decode(text), bytes.count == Self.byteCount else { return nil }
        self.init(text: text)
    }

    private init(text: String) {
        self.text = text
        digest = Array(SHA256.hash(data: Array(text.utf8)))
    }
}
