import Crypto

/// An act that a service token is for. The raw value is stable: requests and answers have it.
package enum ServiceScope: String, Sendable, CaseIterable {
    /// To add and remove renditions of files.
    case renditions = "media:renditions"
    /// To replace the transcripts of posts.
    case transcripts = "transcripts:write"

    /// Bit of the stored number; stable.
    fileprivate var bit: Int64 {
        switch self {
        case .renditions: 1
        case .transcripts: 1 << 1
        }
    }

    static func bits(of scopes: Set<Self>) -> Int64 { scopes.reduce(0) { $0 | $1.bit } }

    /// Returns the scopes of a stored number; nil if it has a bit without a scope.
    static func scopes(in bits: Int64) -> Set<Self>? {
        let scopes = Set(allCases.filter { bits & $0.bit != 0 })
        return self.bits(of: scopes) == bits ? scopes : nil
    }
}

/// A token of a program of the operator's, such as a transcoder. It is no user's: nothing but the acts of its scopes is
/// open to it.
package struct ServiceToken: Sendable, Equatable {
    package let id: Int64
    package let name: String
    package let scopes: Set<ServiceScope>
    /// Milliseconds since 1970.
    package let createdAt: Int64
}

/// The text of a service token: a prefix and 240 random bits in base64url. Its SHA-256 is stored; random bits need no
/// slow hash.
package struct ServiceTokenText: Sendable, Equatable {
    /// No other token begins with it.
    package static let prefix = "graphd-service-"
    /// Characters after the prefix: whole groups of three bytes, so that no bits are left over.
    private static let length = 40
    private static let alphabet = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_".utf8)

    package let text: String

    /// Creates a new token.
    init() {
        var generator = SystemRandomNumberGenerator()
        let bytes = (0..<Self.length).map { _ in
            Self.alphabet[Int.random(in: Self.alphabet.indices, using: &generator)]
        }
        text = Self.prefix + String(decoding: bytes, as: UTF8.self)
    }

    /// Parses a presented token; nil if the text cannot be one.
    package init?(presented text: String) {
        let bytes = text.utf8
        guard bytes.count == Self.prefix.utf8.count + Self.length, text.hasPrefix(Self.prefix),
            bytes.dropFirst(Self.prefix.utf8.count).allSatisfy({ Self.alphabet.contains($0) })
        else { return nil }
        self.text = text
    }

    var digest: [UInt8] { Array(SHA256.hash(data: Array(text.utf8))) }
}
