import Crypto

/// A second factor as a user enters it.
package enum TOTPProof: Sendable, Equatable {
    /// A code of the authenticator.
    case code(String)
    case recoveryCode(RecoveryCode)

    /// Characters of the longest text worth reading.
    package static let length = 64

    /// Reads what a user enters, in which spaces and hyphens do not matter; nil if it can be neither.
    package init?(presented text: String) {
        guard text.utf8.count <= Self.length else { return nil }
        let entered = text.filter { $0 != " " && $0 != "-" }
        if entered.utf8.count == TOTPSecret.digits, entered.utf8.allSatisfy({ (0x30...0x39).contains($0) }) {
            self = .code(entered)
        } else if let code = RecoveryCode(entered: entered) {
            self = .recoveryCode(code)
        } else {
            return nil
        }
    }
}

/// A code that replaces the authenticator once: 80 random bits. Its SHA-256 is stored; random bits need no slow hash.
package struct RecoveryCode: Sendable, Equatable {
    /// Codes of an account.
    package static let count = 10
    private static let length = 16
    private static let group = 4

    /// Sixteen characters of Base32.
    private let characters: String

    /// Creates a new code.
    init() {
        var generator = SystemRandomNumberGenerator()
        characters = String(
            (0..<Self.length).map { _ in Base32.alphabet[Int.random(in: Base32.alphabet.indices, using: &generator)] })
    }

    fileprivate init?(entered: String) {
        let characters = entered.uppercased()
        guard characters.utf8.count == Self.length, characters.allSatisfy({ Base32.alphabet.contains($0) }) else {
            return nil
        }
        self.characters = characters
    }

    /// The code as it is shown: `abcd-efgh-ijkl-mnop`.
    package var text: String {
        var text = ""
        for (index, character) in characters.lowercased().enumerated() {
            if index > 0, index % Self.group == 0 { text.append("-") }
            text.append(character)
        }
        return text
    }

    var digest: [UInt8] { Array(SHA256.hash(data: Array(characters.utf8))) }
}
