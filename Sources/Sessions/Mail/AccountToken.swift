import Crypto

/// A token that proves that its bearer reads an address: 240 random bits in base64url. Its SHA-256 is stored; random
/// bits need no slow hash.
package struct AccountToken: Sendable, Equatable {
    package enum Purpose: String, Sendable, CaseIterable {
        case passwordReset = "password_reset"
        case emailConfirmation = "email_confirmation"
    }

    /// Characters of a token: whole groups of three bytes, so that no bits are left over.
    static let length = 40
    private static let alphabet = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_")

    package let text: String

    /// Creates a new token.
    init() {
        var generator = SystemRandomNumberGenerator()
        text = String(
            (0..<Self.length).map { _ in Self.alphabet[Int.random(in: Self.alphabet.indices, using: &generator)] })
    }

    /// Parses a presented token; nil if the text cannot be one.
    package init?(presented text: String) {
        guard text.utf8.count == Self.length, text.allSatisfy({ Self.alphabet.contains($0) }) else { return nil }
        self.text = text
    }

    var digest: [UInt8] { Array(SHA256.hash(data: Array(text.utf8))) }
}
