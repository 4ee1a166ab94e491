import Crypto
import Foundation
import Sessions

/// A refresh token: 256 random bits in base64url. Only its SHA-256 is stored, so a stolen database opens no session.
/// Random bits need no slow hash.
///
/// Half of the bits are the token's family: its successor has them too. A spent token is known by them without a row of
/// its own. The other half is new in each token, and alone too long to guess.
struct RefreshToken: Sendable {
    static let byteCount = 32
    private static let familyByteCount = 16

    private let bytes: [UInt8]
    let text: String
    let digest: [UInt8]
    /// SHA-256 of the bits that all successors of the token have.
    let family: [UInt8]

    /// Creates the first token of a session.
    init() { self.init(bytes: Self.random(Self.byteCount)) }

    /// Creates the successor of a token.
    init(after spent: RefreshToken) {
        self.init(bytes: spent.bytes.prefix(Self.familyByteCount) + Self.random(Self.byteCount - Self.familyByteCount))
    }

    /// Parses a presented token; nil if the text cannot be one.
    init?(presented text: String) {
        guard let bytes = Base64URL.decode(text), bytes.count == Self.byteCount else { return nil }
        self.init(bytes: bytes)
    }

    private init(bytes: [UInt8]) {
        self.bytes = bytes
        text = Base64URL.encode(bytes)
        digest = Array(SHA256.hash(data: Array(text.utf8)))
        family = Array(SHA256.hash(data: bytes.prefix(Self.familyByteCount)))
    }

    private static func random(_ count: Int) -> [UInt8] {
        var generator = SystemRandomNumberGenerator()
        return (0..<count).map { _ in UInt8.random(in: .min ... .max, using: &generator) }
    }
}
