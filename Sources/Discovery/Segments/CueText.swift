/// The words of a cue without their markup.
enum CueText {
    /// `lines` as text: tags of either form (`<b>`, `<v Ann>`, `<00:19.000>`, `{\an8}`) taken out, character references
    /// resolved, white space around lines dropped.
    static func plain(_ lines: [Substring]) -> String {
        lines.map(plain(line:)).filter { !$0.isEmpty }.joined(separator: "\n")
    }

    private static func plain(line: Substring) -> String {
        var text = String.UnicodeScalarView()
        var rest = line.unicodeScalars[...]
        while let scalar = rest.popFirst() {
            switch scalar {
            case "<":
                // A bracket that is never closed is text, if what follows it is no tag.
                if let end = rest.firstIndex(of: ">"), let first = rest.first, isTagStart(first) {
                    rest = rest[rest.index(after: end)...]
                } else {
                    text.append(scalar)
                }
            case "{":
                if rest.first == "\\", let end = rest.firstIndex(of: "}") {
                    rest = rest[rest.index(after: end)...]
                } else {
                    text.append(scalar)
                }
            case "&":
                if let (reference, length) = reference(rest) {
                    text.append(contentsOf: reference.unicodeScalars)
                    rest = rest.dropFirst(length)
                } else {
                    text.append(scalar)
                }
            case "\0": text.append("\u{FFFD}")
            default: text.append(scalar)
            }
        }
        return String(text).trimmed
    }

    private static func isTagStart(_ scalar: Unicode.Scalar) -> Bool {
        scalar == "/" || scalar.properties.isAlphabetic || ("0"..."9").contains(scalar)
    }

    private static let named = [
        "amp;": "&", "lt;": "<", "gt;": ">", "quot;": "\"", "apos;": "'", "nbsp;": " ", "lrm;": "", "rlm;": "",
    ]

    /// What a character reference stands for that begins after its ampersand, and its length.
    private static func reference(_ text: Substring.UnicodeScalarView) -> (String, Int)? {
        let head = String(text.prefix(10))
        if let (name, value) = named.first(where: { head.hasPrefix($0.key) }) {
            return (value, name.unicodeScalars.count)
        }
        guard head.first == "#", let end = head.firstIndex(of: ";") else { return nil }
        let body = head[..<end].dropFirst()
        let isHexadecimal = body.first == "x" || body.first == "X"
        let code = isHexadecimal ? UInt32(body.dropFirst(), radix: 16) : UInt32(body)
        guard let code, code >= 0x20, let scalar = Unicode.Scalar(code) else { return nil }
        return (String(scalar), body.unicodeScalars.count + 2)
    }
}

extension String {
    /// Without white space around it.
    fileprivate var trimmed: String {
        var scalars = unicodeScalars[...]
        while scalars.first?.properties.isWhitespace == true { scalars.removeFirst() }
        while scalars.last?.properties.isWhitespace == true { scalars.removeLast() }
        return String(scalars)
    }
}
