/// The plain words of a cue. Tags of either form (`<b>`, `<v Ann>`, `<00:19.000>`, `{\an8}`) are removed, character
/// references are resolved, and white space around lines is dropped.
struct CueText {
    private var bytes: [UInt8] = []

    /// Lines, separated by line feeds.
    var text: String { String(decoding: bytes, as: UTF8.self) }

    /// Returns the plain lines of `text`.
    static func plain(_ text: String) -> String {
        var plain = CueText()
        for line in Array(text.utf8).split(separator: 0x0A) { _ = plain.add(line) }
        return plain.text
    }

    /// Adds a line, which must be UTF-8; returns the number of steps taken, a small multiple of its bytes.
    mutating func add(_ line: ArraySlice<UInt8>) -> Int {
        let start = bytes.count
        if start > 0 { bytes.append(0x0A) }
        let first = bytes.count
        var steps = 2 * line.count
        // No bracket closes after the last closing one, so the search ends there.
        let lastClose = line.lastIndex(of: UInt8(ascii: ">")) ?? -1
        let lastBrace = line.lastIndex(of: UInt8(ascii: "}")) ?? -1
        var place = line.startIndex
        while place < line.endIndex {
            steps += 1
            let byte = line[place]
            let next = place + 1
            var end: Int?
            switch byte {
            case UInt8(ascii: "<"):
                // A bracket that does not start a tag, or never closes, is text.
                if next < lastClose, Self.isTagStart(line[next...]) { end = line[next...].firstIndex(of: 0x3E) }
            case UInt8(ascii: "{"):
                if next < lastBrace, line[next] == UInt8(ascii: "\\") { end = line[next...].firstIndex(of: 0x7D) }
            case UInt8(ascii: "&"):
                if let (text, length) = Self.reference(line[next...].prefix(10)) {
                    bytes.append(contentsOf: text.utf8)
                    place = next + length
                    continue
                }
            case 0:
                bytes.append(contentsOf: "\u{FFFD}".utf8)
                place = next
                continue
            default: break
            }
            if let end {
                steps += end - place
                place = end + 1
            } else {
                bytes.append(byte)
                place = next
            }
        }
        trim(from: first)
        if bytes.count == first { bytes.removeLast(first - start) }
        return steps
    }

    /// Removes white space from both ends of the text added from `first` on.
    private mutating func trim(from first: Int) {
        var scalars = String(decoding: bytes[first...], as: UTF8.self).unicodeScalars[...]
        let length = bytes.count - first
        while scalars.first?.properties.isWhitespace == true { scalars.removeFirst() }
        while scalars.last?.properties.isWhitespace == true { scalars.removeLast() }
        let trimmed = Substring(scalars)
        guard trimmed.utf8.count < length else { return }
        bytes.replaceSubrange(first..., with: Array(trimmed.utf8))
    }

    /// Returns true if the first scalar is a slash, a letter or a digit.
    private static func isTagStart(_ text: ArraySlice<UInt8>) -> Bool {
        guard let first = text.first else { return false }
        guard first >= 0x80 else {
            return first == UInt8(ascii: "/") || (0x30...0x39).contains(first) || (0x61...0x7A).contains(first | 0x20)
        }
        return String(decoding: text.prefix(4), as: UTF8.self).unicodeScalars.first?.properties.isAlphabetic == true
    }

    private static let named: [(name: [UInt8], value: String)] = [
        ("amp;", "&"), ("lt;", "<"), ("gt;", ">"), ("quot;", "\""), ("apos;", "'"), ("nbsp;", " "), ("lrm;", ""),
        ("rlm;", ""),
    ].map { (Array($0.0.utf8), $0.1) }

    /// Returns the characters of the reference after its ampersand, and its length.
    private static func reference(_ head: ArraySlice<UInt8>) -> (String, Int)? {
        if let (name, value) = named.first(where: { head.starts(with: $0.name) }) { return (value, name.count) }
        guard head.first == UInt8(ascii: "#"), let end = head.firstIndex(of: UInt8(ascii: ";")) else { return nil }
        let body = head[..<end].dropFirst()
        let isHexadecimal = body.first.map { $0 | 0x20 } == UInt8(ascii: "x")
        let digits = String(decoding: isHexadecimal ? body.dropFirst() : body, as: UTF8.self)
        guard let code = UInt32(digits, radix: isHexadecimal ? 16 : 10), code >= 0x20,
            let scalar = Unicode.Scalar(code)
        else { return nil }
        return (String(scalar), body.count + 2)
    }
}
