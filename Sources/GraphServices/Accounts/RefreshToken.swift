import Crypto
import Foundation

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

/// Base64 with the alphabet for URLs and without padding (RFC 4648, section 5).
package enum Base64URL {
    static func encode(_ bytes: [UInt8]) -> String {
        Data(bytes).base64EncodedString()
            .replacingOccurrences(of: "+", with: "-").replacingOccurrences(of: "/", with: "_")
            .replacingOccurrences(of: "=", with: "")
    }

    /// Decodes the output of `encode`; nil for any other text.
    package static func decode(_ text: String) -> [UInt8]? {
        guard !text.utf8.contains(where: { "+/=".utf8.contains($0) }) else { return nil }
        let padding = String(repeating: "=", count: (4 - text.utf8.count % 4) % 4)
        let standard = text.replacingOccurrences(of: "-", with: "+").replacingOccurrences(of: "_", with: "/")
        guard let bytes = Data(base64Encoded: standard + padding).map(Array.init), encode(bytes) == text else {
            return nil
        }
        return bytes
    }
}
