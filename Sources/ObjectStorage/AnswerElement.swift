/// An element of the XML with which an S3 service answers. The reader knows what such answers consist of and refuses
/// the rest: document types and entities of their own, CDATA, more than a few levels, and more elements than a page
/// has.
struct AnswerElement: Sendable, Equatable {
    struct Malformed: Error, Equatable, CustomStringConvertible {
        let description: String
    }

    static let deepest = 8
    static let most = 16_384

    let name: String
    /// The text of an element without children.
    fileprivate(set) var text = ""
    fileprivate(set) var children: [AnswerElement] = []

    /// Parses a document.
    ///
    /// - Throws: ``Malformed``.
    init(parsing bytes: some Collection<UInt8>) throws {
        var reader = AnswerReader(Array(bytes))
        self = try reader.document()
    }

    fileprivate init(name: String) { self.name = name }

    /// Returns the first child of this name.
    subscript(_ name: String) -> AnswerElement? { children.first { $0.name == name } }
}

private struct AnswerReader {
    private let bytes: [UInt8]
    private var place = 0
    private var elements = 0

    init(_ bytes: [UInt8]) { self.bytes = bytes }

    mutating func document() throws -> AnswerElement {
        // A byte-order mark.
        _ = take("\u{FEFF}")
        try skipMisc()
        let root = try element(depth: 1)
        try skipMisc()
        guard place == bytes.count else { throw malformed("text after the end") }
        return root
    }

    private mutating func element(depth: Int) throws -> AnswerElement {
        elements += 1
        guard depth <= AnswerElement.deepest, elements <= AnswerElement.most else { throw malformed("too much of it") }
        guard take("<") else { throw malformed("no element where one must be") }
        let name = try self.name()
        var element = AnswerElement(name: name)
        try skipAttributes()
        if take("/>") { return element }
        guard take(">") else { throw malformed("a tag without an end") }
        while true {
            let text = try characters()
            if take("</") {
                guard try self.name() == name else { throw malformed("a tag that ends another") }
                skipSpace()
                guard take(">") else { throw malformed("a tag without an end") }
                if element.children.isEmpty { element.text = text }
                return element
            }
            try skipMisc()
            if peek() == UInt8(ascii: "<"), !starts("</") {
                element.children.append(try self.element(depth: depth + 1))
            }
        }
    }

    /// Reads a name without its namespace.
    private mutating func name() throws -> String {
        let start = place
        while let byte = peek(), byte.isUnreserved || byte == UInt8(ascii: ":") { place += 1 }
        guard place > start, place - start <= 128 else { throw malformed("a name that is none") }
        let whole = bytes[start..<place]
        return String(decoding: whole.split(separator: UInt8(ascii: ":")).last ?? whole, as: UTF8.self)
    }

    private mutating func skipAttributes() throws {
        while true {
            skipSpace()
            guard let byte = peek(), byte != UInt8(ascii: ">"), byte != UInt8(ascii: "/") else { return }
            _ = try name()
            skipSpace()
            guard take("=") else { throw malformed("an attribute without a value") }
            skipSpace()
            guard let quote = peek(), quote == UInt8(ascii: "\"") || quote == UInt8(ascii: "'") else {
                throw malformed("an attribute without quotes")
            }
            place += 1
            while let byte = peek(), byte != quote { place += 1 }
            guard peek() == quote else { throw malformed("an attribute without an end") }
            place += 1
        }
    }

    /// Reads text up to the next tag.
    private mutating func characters() throws -> String {
        var text: [UInt8] = []
        while let byte = peek() {
            if byte == UInt8(ascii: "<") {
                guard let valid = String(validating: text, as: UTF8.self) else { throw malformed("no UTF-8") }
                return valid
            }
            if byte == UInt8(ascii: "&") {
                text += try reference().utf8
            } else {
                text.append(byte)
                place += 1
            }
        }
        throw malformed("an early end")
    }

    private mutating func reference() throws -> String {
        guard let end = bytes[place...].prefix(12).firstIndex(of: UInt8(ascii: ";")) else {
            throw malformed("a reference without an end")
        }
        let name = String(decoding: bytes[(place + 1)..<end], as: UTF8.self)
        place = end + 1
        switch name {
        case "amp": return "&"
        case "lt": return "<"
        case "gt": return ">"
        case "quot": return "\""
        case "apos": return "'"
        default:
            let code =
                name.hasPrefix("#x")
                ? UInt32(name.dropFirst(2), radix: 16) : name.hasPrefix("#") ? UInt32(name.dropFirst(), radix: 10) : nil
            guard let scalar = code.flatMap(Unicode.Scalar.init) else { throw malformed("an unknown reference") }
            return String(Character(scalar))
        }
    }

    /// Skips spaces, comments and the declaration of XML.
    private mutating func skipMisc() throws {
        while true {
            skipSpace()
            if take("<?") {
                try skip(through: "?>")
            } else if take("<!--") {
                try skip(through: "-->")
            } else if starts("<!") {
                throw malformed("a declaration of its own")
            } else {
                return
            }
        }
    }

    private mutating func skip(through end: String) throws {
        while place < bytes.count {
            if take(end) { return }
            place += 1
        }
        throw malformed("an early end")
    }

    private mutating func skipSpace() {
        while let byte = peek(), [0x20, 0x09, 0x0A, 0x0D].contains(byte) { place += 1 }
    }

    private func peek() -> UInt8? { place < bytes.count ? bytes[place] : nil }

    private func starts(_ text: String) -> Bool { bytes[place...].starts(with: text.utf8) }

    private mutating func take(_ text: String) -> Bool {
        guard starts(text) else { return false }
        place += text.utf8.count
        return true
    }

    private func malformed(_ reason: String) -> AnswerElement.Malformed {
        AnswerElement.Malformed(description: "not the XML of an S3 service: \(reason)")
    }
}
