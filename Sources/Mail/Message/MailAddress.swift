/// An address of mail in plain ASCII, with an optional name: `ann@example.org`, `graphd <noreply@example.org>`.
///
/// The local part is a dot-atom (RFC 5322, section 3.2.3). Quoted local parts are refused: hardly any mailbox has one,
/// and each would need its own quoting in the header, in SMTP and in the configuration of curl.
package struct MailAddress: Sendable, Equatable {
    /// An acceptable text, for messages about another one.
    package static let expected = "an address in ASCII, such as noreply@example.org or Example <noreply@example.org>"
    /// Bytes of an address (RFC 5321, section 4.5.3.1.3, without the angle brackets).
    static let limit = 254
    static let nameLimit = 64

    /// The name; empty if there is none.
    package let name: String
    /// `local@domain`.
    package let address: String

    /// Parses an address; nil if it is not acceptable.
    package init?(_ text: String) {
        guard text.utf8.count <= Self.limit + Self.nameLimit + 3 else { return nil }
        var (name, address) = ("", text[...])
        if text.hasSuffix(">") {
            guard let open = text.lastIndex(of: "<") else { return nil }
            name = Self.trimmed(text[..<open])
            address = text[text.index(after: open)...].dropLast()
        }
        guard name.utf8.count <= Self.nameLimit, name.utf8.allSatisfy(Self.isNamePart), Self.isAddress(address) else {
            return nil
        }
        (self.name, self.address) = (name, String(address))
    }

    /// The part after the `@`.
    package var domain: String {
        String(address[address.index(after: address.lastIndex(of: "@") ?? address.startIndex)...])
    }

    /// The text for a header field.
    var field: String { name.isEmpty ? address : "\(name) <\(address)>" }

    private static func isAddress(_ text: Substring) -> Bool {
        let parts = text.split(separator: "@", omittingEmptySubsequences: false)
        guard text.utf8.count <= limit, parts.count == 2 else { return false }
        return isDotted(parts[0]) { isWordPart($0) } && isDotted(parts[1]) { isAlphanumeric($0) || $0 == hyphen }
    }

    private static let hyphen = UInt8(ascii: "-")

    /// True for words of such bytes with single dots between them.
    private static func isDotted(_ text: Substring, _ isPart: (UInt8) -> Bool) -> Bool {
        text.utf8.split(separator: UInt8(ascii: "."), omittingEmptySubsequences: false).allSatisfy { word in
            !word.isEmpty && word.allSatisfy(isPart)
        }
    }

    private static func isAlphanumeric(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
            UInt8(ascii: "0")...UInt8(ascii: "9"):
            true
        default: false
        }
    }

    /// The bytes of an atom (RFC 5322, section 3.2.3).
    private static func isWordPart(_ byte: UInt8) -> Bool {
        isAlphanumeric(byte) || "!#$%&'*+-/=?^_`{|}~".utf8.contains(byte)
    }

    private static func isNamePart(_ byte: UInt8) -> Bool { isWordPart(byte) || byte == UInt8(ascii: " ") }

    private static func trimmed(_ text: Substring) -> String {
        var text = text
        while text.first == " " { text.removeFirst() }
        while text.last == " " { text.removeLast() }
        return String(text)
    }
}
