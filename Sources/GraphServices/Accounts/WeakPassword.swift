import Algorithms
import Foundation

/// The reason why a password is easy to guess.
enum WeakPassword: Equatable {
    case common
    case repeated
    case sequence
    /// It is little else than the username or the email address.
    case name

    /// Description of the weakness, and of an acceptable password.
    var detail: String {
        switch self {
        case .common: "This password is one of the most common ones. Choose another, such as three words."
        case .repeated: "This password repeats a few characters. Choose another, such as three words."
        case .sequence:
            "This password is a sequence from the alphabet or the keyboard. Choose another, such as three words."
        case .name: "This password is little more than your username or email address. Choose another."
        }
    }

    /// Returns the weakness of `password`; nil if no rule finds one. Linear in the length of the password.
    ///
    /// - Parameter names: the username and the email address of its owner.
    init?(_ password: String, names: [String] = []) {
        let folded = password.precomposedStringWithCompatibilityMapping.lowercased()
        if Self.isCommon(folded) {
            self = .common
        } else if Self.isRepetition(Array(folded.unicodeScalars)) {
            self = .repeated
        } else if Self.isSequence(Array(folded.unicodeScalars)) {
            self = .sequence
        } else if names.contains(where: { Self.isLittleElse(than: $0.lowercased(), folded) }) {
            self = .name
        } else {
            return nil
        }
    }

    /// Returns true for a common word, also with digits and signs around it or in place of its letters:
    /// `P@ssw0rd2024!`.
    private static func isCommon(_ folded: String) -> Bool {
        if CommonPasswords.strings.contains(folded) || CommonPasswords.words.contains(folded) { return true }
        let plain = String(folded.map { replacements[$0] ?? $0 })
        // A substitute at the edge may stand for a letter of the word, or be a digit behind it.
        for text in [folded, plain] {
            let letters = trimmed(text)
            for core in [letters, trimmed(String(letters.map { replacements[$0] ?? $0 }))] {
                if CommonPasswords.words.contains(core) { return true }
            }
        }
        return CommonPasswords.words.contains(plain)
    }

    private static let replacements: [Character: Character] = [
        "0": "o", "1": "i", "3": "e", "4": "a", "5": "s", "7": "t", "8": "b", "@": "a", "$": "s", "!": "i", "€": "e",
    ]

    /// The text without non-letters at both ends.
    private static func trimmed(_ text: String) -> String {
        let start = text.drop { !$0.isLetter }
        guard let last = start.lastIndex(where: \.isLetter) else { return "" }
        return String(start[...last])
    }

    /// Returns true for a piece of up to four characters repeated, or for hardly more than two different characters.
    private static func isRepetition(_ scalars: [Unicode.Scalar]) -> Bool {
        if Set(scalars).count <= 2 { return true }
        return (1...4).contains { length in
            scalars.count >= 2 * length
                && scalars.indices.dropFirst(length).allSatisfy {
                    scalars[$0] == scalars[$0 - length]
                }
        }
    }

    /// Rows of keys, and the alphabet.
    private static let rows = [
        "abcdefghijklmnopqrstuvwxyz", "01234567890", "qwertyuiop", "asdfghjkl", "zxcvbnm", "qwertzuiop", "yxcvbnm",
        "azertyuiop", "qsdfghjklm", "wxcvbn", "!@#$%^&*()",
    ].map { Array($0.unicodeScalars) }

    /// The pairs of characters that are neighbours in one of the rows, in both directions.
    private static let neighbours: Set<[Unicode.Scalar]> = Set(
        rows.flatMap { row in row.adjacentPairs().flatMap { [[$0, $1], [$1, $0]] } })

    /// Returns true if the text consists of sequences of at least three neighbours: `abcd1234`, `qwertyasdf`.
    private static func isSequence(_ scalars: [Unicode.Scalar]) -> Bool {
        var run = 1
        for index in scalars.indices.dropFirst() {
            if neighbours.contains([scalars[index - 1], scalars[index]]) {
                run += 1
            } else {
                guard run >= 3 else { return false }
                run = 1
            }
        }
        return run >= 3
    }

    /// Returns true if the rest of a password without the name, or without the part of an address before the `@`, would
    /// be too short for a password.
    private static func isLittleElse(than name: String, _ folded: String) -> Bool {
        for part in [name, String(name.prefix { $0 != "@" })] where part.unicodeScalars.count >= 3 {
            guard let range = folded.range(of: part) else { continue }
            let rest = folded.unicodeScalars.count - folded[range].unicodeScalars.count
            if rest < RequestLimits.passwordLength.lowerBound { return true }
        }
        return false
    }
}
