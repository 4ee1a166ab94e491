import SocialGraph

/// Rules for texts, URLs, email addresses, usernames and ids. Each rule returns the value or throws a `Problem` that
/// describes an acceptable one.
package enum TextRules {
    package static func bounded(_ text: String, field: String, maxLength: Int) throws -> String {
        guard !text.isEmpty else {
            throw Problem(.invalidValue, "\"\(field)\" must not be empty.", field: field)
        }
        guard isWithin(maxLength, text) else {
            throw Problem(
                .tooLong,
                "\"\(field)\" may have at most \(maxLength) characters; got \(text.unicodeScalars.count).",
                field: field)
        }
        return text
    }

    /// Returns true if `text` has at most `maxLength` scalars. Bytes are counted first: their number is known, that of
    /// scalars is not.
    package static func isWithin(_ maxLength: Int, _ text: some StringProtocol) -> Bool {
        let bytes = text.utf8.count
        return bytes <= maxLength || bytes <= 4 * maxLength && text.unicodeScalars.count <= maxLength
    }

    /// Accepts a name that identifies something to people: without control characters, and without surrounding white
    /// space, which nobody could see.
    package static func title(_ text: String, field: String, maxLength: Int) throws -> String {
        let scalars = try bounded(text, field: field, maxLength: maxLength).unicodeScalars
        let isBordered = [scalars.first, scalars.last].contains { $0?.properties.isWhitespace == true }
        guard !isBordered, !scalars.contains(where: { $0.properties.generalCategory == .control }) else {
            throw Problem(
                .invalidValue, "\"\(field)\" must not begin or end with white space or have control characters.",
                field: field)
        }
        return text
    }

    /// Accepts an absolute http or https URL with a host, without white space or control characters.
    package static func url(_ text: String, field: String) throws -> String {
        guard text.utf8.count <= RequestLimits.urlBytes else {
            throw Problem(
                .invalidURL, "\"\(field)\" may have at most \(RequestLimits.urlBytes) bytes.", field: field)
        }
        guard let rest = afterScheme(text), hasHost(rest), text.unicodeScalars.allSatisfy(isURLScalar) else {
            throw Problem(
                .invalidURL, "\"\(field)\" must be an absolute URL that starts with http:// or https://.",
                field: field)
        }
        return text
    }

    /// Accepts an address with one @ and plain characters on both sides. Only a message can tell whether mail arrives.
    package static func email(_ text: String, field: String) throws -> String {
        let isPlain =
            text.utf8.count <= RequestLimits.emailLength && text.utf8.allSatisfy { $0 > 0x20 && $0 < 0x7F }
        let parts = isPlain ? text.split(separator: "@", omittingEmptySubsequences: false) : []
        guard parts.count == 2, (1...RequestLimits.emailLocalPartLength).contains(parts[0].utf8.count),
            isDomain(parts[1])
        else {
            let right = "such as name@example.org, of at most \(RequestLimits.emailLength) characters"
            throw Problem(.invalidEmail, "\"\(field)\" must be an email address \(right).", field: field)
        }
        return text
    }

    /// Accepts ASCII letters, digits, underscores and dots, a letter or digit first.
    package static func username(_ text: String, field: String) throws -> String {
        let bytes = text.utf8
        guard RequestLimits.usernameLength.contains(bytes.count), let first = bytes.first, isAlphanumeric(first),
            bytes.allSatisfy({ isAlphanumeric($0) || $0 == UInt8(ascii: "_") || $0 == UInt8(ascii: ".") })
        else {
            let length = RequestLimits.usernameLength
            let right = "\(length.lowerBound) to \(length.upperBound) letters, digits, underscores and dots"
            throw Problem(
                .invalidUsername, "\"\(field)\" must be \(right), a letter or digit first.", field: field)
        }
        return text
    }

    /// Returns a condition on an attribute; nil if the text is empty, longer than the attribute allows, or not a number
    /// for an attribute of numbers.
    package static func condition(_ name: String, _ text: String) -> AttributeCondition? {
        guard !name.isEmpty, !text.isEmpty, isWithin(SocialGraphLimits.attributeTextLength, text) else { return nil }
        let condition = AttributeCondition(name: name, text: text)
        return AttributeVocabulary.posts[name] == .number && condition.range == nil ? nil : condition
    }

    /// The rule for ``condition(_:_:)`` in words, for an error message.
    package static let conditionRule =
        "a word of at most \(SocialGraphLimits.attributeTextLength) characters or, for a number, such as "
        + "20, 10..20, ..20 or 10.."

    package static func id(_ text: String, field: String) throws -> Int64 {
        guard let id = parseID(text) else {
            throw Problem(.invalidValue, "\"\(field)\" must be an id, a string of decimal digits.", field: field)
        }
        return id
    }

    /// Parses an id in its encoding: decimal digits without sign or leading zero. Also for ids in paths, where nil
    /// means 404.
    package static func parseID(_ text: some StringProtocol) -> Int64? {
        guard text.utf8.count <= RequestLimits.idDigits, text.utf8.first != UInt8(ascii: "0"),
            text.utf8.allSatisfy(isDigit), let id = Int64(text), RequestLimits.id.contains(id)
        else {
            return nil
        }
        return id
    }

    /// Returns the text after `prefix`; nil if `text` does not begin with it. ASCII letters of `prefix` are lower case
    /// and match either case.
    package static func rest(of text: String, after prefix: String) -> Substring? {
        let (bytes, wanted) = (text.utf8, prefix.utf8)
        guard bytes.count >= wanted.count,
            zip(bytes, wanted).allSatisfy({ isCapital($0) ? $0 | 0x20 == $1 : $0 == $1 })
        else { return nil }
        return text[bytes.index(bytes.startIndex, offsetBy: wanted.count)...]
    }

    private static func isCapital(_ byte: UInt8) -> Bool {
        byte >= UInt8(ascii: "A") && byte <= UInt8(ascii: "Z")
    }

    private static func isDigit(_ byte: UInt8) -> Bool {
        byte >= UInt8(ascii: "0") && byte <= UInt8(ascii: "9")
    }

    private static func isAlphanumeric(_ byte: UInt8) -> Bool {
        isDigit(byte) || (byte | 0x20) >= UInt8(ascii: "a") && (byte | 0x20) <= UInt8(ascii: "z")
    }

    private static func isDomain(_ text: Substring) -> Bool {
        let labels = text.split(separator: ".", omittingEmptySubsequences: false)
        return labels.count >= 2
            && labels.allSatisfy { label in
                (1...63).contains(label.utf8.count) && label.first != "-" && label.last != "-"
                    && label.utf8.allSatisfy { isAlphanumeric($0) || $0 == UInt8(ascii: "-") }
            }
    }

    private static func afterScheme(_ text: String) -> Substring? {
        let rest = rest(of: text, after: "https://") ?? rest(of: text, after: "http://")
        return rest?.isEmpty == true ? nil : rest
    }

    private static func hasHost(_ rest: Substring) -> Bool {
        let authority = rest.prefix { $0 != "/" && $0 != "?" && $0 != "#" }
        let hostAndPort = authority.split(separator: "@", omittingEmptySubsequences: false).last ?? ""
        if hostAndPort.first == "[" {
            guard let end = hostAndPort.firstIndex(of: "]") else {
                return false
            }
            return IPAddress(String(hostAndPort[..<end].dropFirst()))?.bytes.count == 16
                && isPort(hostAndPort[hostAndPort.index(after: end)...])
        }
        let host = hostAndPort.prefix { $0 != ":" }
        return !host.isEmpty && isPort(hostAndPort[host.endIndex...])
    }

    /// Returns true for an empty text, or a colon and a number from 1 to 65535.
    private static func isPort(_ text: Substring) -> Bool {
        guard !text.isEmpty else {
            return true
        }
        guard text.first == ":", text.dropFirst().utf8.allSatisfy(isDigit), let port = Int(text.dropFirst()) else {
            return false
        }
        return (1...65535).contains(port)
    }

    private static func isURLScalar(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar {
        case "\u{0}"..."\u{20}", "\u{7F}"..."\u{A0}", "\"", "<", ">", "\\", "^", "`", "{", "|", "}": false
        default: scalar.isASCII || !scalar.properties.isWhitespace
        }
    }
}
