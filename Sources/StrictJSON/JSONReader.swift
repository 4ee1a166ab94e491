import Text

/// A strict reader of RFC 8259 JSON in one pass over the bytes.
///
/// Stricter than most readers: duplicate names in an object are refused, as is NUL even when escaped (SQLite and C
/// would end the text there); escaped surrogates must pair; and nesting is limited, which also bounds the recursion.
///
/// The work is linear in the bytes: names are short and compared as bytes, and values are counted. No text has more
/// combining marks in a row than ``StreamSafeText`` allows, so later comparing or folding takes linear time, too.
package struct JSONReader {
    private let bytes: UnsafeBufferPointer<UInt8>
    private let maxDepth: Int
    private var position = 0
    /// Number of values begun.
    private var values = 0

    private init(_ bytes: UnsafeBufferPointer<UInt8>, maxDepth: Int) {
        self.bytes = bytes
        self.maxDepth = maxDepth
    }

    /// Reads one value, which must be the whole text apart from white space.
    ///
    /// - Throws: `JSONError`.
    package static func read(_ text: [UInt8], maxDepth: Int = JSONLimits.depth) throws -> JSONValue {
        try text.withUnsafeBufferPointer { bytes in
            var reader = JSONReader(bytes, maxDepth: maxDepth)
            let value = try reader.value(depth: 1)
            reader.skipWhiteSpace()
            guard reader.position == bytes.count else {
                throw reader.error(.trailingBytes)
            }
            return value
        }
    }

    private func error(_ reason: JSONError.Reason, at offset: Int? = nil) -> JSONError {
        JSONError(reason: reason, offset: offset ?? position)
    }

    private var current: UInt8? {
        position < bytes.count ? bytes[position] : nil
    }

    private func unexpected() -> JSONError {
        guard let byte = current else {
            return error(.unexpectedEnd)
        }
        return error(byte == 0 ? .nulCharacter : .unexpectedByte(byte))
    }

    private mutating func skipWhiteSpace() {
        while let byte = current, byte == 0x20 || byte == 0x0A || byte == 0x0D || byte == 0x09 {
            position += 1
        }
    }

    private mutating func expect(_ byte: UInt8) throws {
        guard current == byte else {
            throw unexpected()
        }
        position += 1
    }

    private mutating func value(depth: Int) throws -> JSONValue {
        skipWhiteSpace()
        values += 1
        guard values <= JSONLimits.values else { throw error(.tooManyValues) }
        switch current {
        case UInt8(ascii: "{"): return .object(try object(depth: depth))
        case UInt8(ascii: "["): return .array(try array(depth: depth))
        case UInt8(ascii: "\""): return .string(try string())
        case UInt8(ascii: "t"): return try literal("true", .bool(true))
        case UInt8(ascii: "f"): return try literal("false", .bool(false))
        case UInt8(ascii: "n"): return try literal("null", .null)
        case let byte? where byte == UInt8(ascii: "-") || Self.isDigit(byte): return try number()
        default: throw unexpected()
        }
    }

    private mutating func literal(_ text: StaticString, _ value: JSONValue) throws -> JSONValue {
        for index in 0..<text.utf8CodeUnitCount {
            try expect(text.utf8Start[index])
        }
        return value
    }

    private mutating func array(depth: Int) throws -> [JSONValue] {
        guard depth <= maxDepth else {
            throw error(.tooDeep)
        }
        position += 1
        var values: [JSONValue] = []
        skipWhiteSpace()
        if current == UInt8(ascii: "]") {
            position += 1
            return values
        }
        while true {
            guard values.count < JSONLimits.entries else { throw error(.tooManyEntries) }
            values.append(try value(depth: depth + 1))
            skipWhiteSpace()
            if current == UInt8(ascii: "]") {
                position += 1
                return values
            }
            try expect(UInt8(ascii: ","))
        }
    }

    private mutating func object(depth: Int) throws -> [JSONMember] {
        guard depth <= maxDepth else {
            throw error(.tooDeep)
        }
        position += 1
        var members: [JSONMember] = []
        var names: Set<UTF8Key> = []
        skipWhiteSpace()
        if current == UInt8(ascii: "}") {
            position += 1
            return members
        }
        while true {
            skipWhiteSpace()
            let start = position
            guard current == UInt8(ascii: "\"") else {
                throw unexpected()
            }
            let name = try memberName()
            guard names.insert(UTF8Key(name)).inserted else {
                throw error(.duplicateName(name), at: start)
            }
            guard members.count < JSONLimits.members else { throw error(.tooManyMembers, at: start) }
            skipWhiteSpace()
            try expect(UInt8(ascii: ":"))
            members.append(JSONMember(name: name, value: try member(name, depth: depth + 1)))
            skipWhiteSpace()
            if current == UInt8(ascii: "}") {
                position += 1
                return members
            }
            try expect(UInt8(ascii: ","))
        }
    }
}

// MARK: - Members

extension JSONReader {
    private mutating func memberName() throws -> String {
        let start = position
        let name = try string()
        guard name.utf8.count <= JSONLimits.nameBytes else { throw error(.nameTooLong, at: start) }
        return name
    }

    /// Reads the value of the member `name`. An error about a text in it names the member.
    private mutating func member(_ name: String, depth: Int) throws -> JSONValue {
        do {
            return try value(depth: depth)
        } catch let error as JSONError where error.reason == .tooManyMarks && error.field == nil {
            throw JSONError(reason: error.reason, offset: error.offset, field: name)
        }
    }
}

// MARK: - Numbers

extension JSONReader {
    private mutating func number() throws -> JSONValue {
        let start = position
        if current == UInt8(ascii: "-") {
            position += 1
        }
        let firstDigit = position
        guard skipDigits() > 0 else {
            throw position < bytes.count ? error(.invalidNumber, at: start) : error(.unexpectedEnd)
        }
        if bytes[firstDigit] == UInt8(ascii: "0"), position - firstDigit > 1 {
            throw error(.invalidNumber, at: start)
        }
        var isInteger = true
        if current == UInt8(ascii: ".") {
            isInteger = false
            position += 1
            guard skipDigits() > 0 else {
                throw error(.invalidNumber, at: start)
            }
        }
        if current == UInt8(ascii: "e") || current == UInt8(ascii: "E") {
            isInteger = false
            position += 1
            if current == UInt8(ascii: "+") || current == UInt8(ascii: "-") {
                position += 1
            }
            guard skipDigits() > 0 else {
                throw error(.invalidNumber, at: start)
            }
        }
        guard position - start <= JSONLimits.numberBytes else { throw error(.numberTooLong, at: start) }
        let text = String(decoding: bytes[start..<position], as: UTF8.self)
        if isInteger, let value = Int64(text) {
            return .integer(value)
        }
        guard let value = Double(text), value.isFinite else {
            throw error(.numberOutOfRange, at: start)
        }
        return .double(value)
    }

    private static func isDigit(_ byte: UInt8) -> Bool {
        byte >= UInt8(ascii: "0") && byte <= UInt8(ascii: "9")
    }

    private mutating func skipDigits() -> Int {
        let start = position
        while let byte = current, Self.isDigit(byte) {
            position += 1
        }
        return position - start
    }
}

// MARK: - Strings

extension JSONReader {
    private mutating func string() throws -> String {
        position += 1
        let start = position
        var mayHaveMarks = false
        while let byte = current {
            switch byte {
            case UInt8(ascii: "\""):
                defer { position += 1 }
                return try decoded(
                    UnsafeBufferPointer(rebasing: bytes[start..<position]), at: start, mayHaveMarks: mayHaveMarks)
            case UInt8(ascii: "\\"):
                return try stringWithEscapes(from: start)
            case 0x00:
                throw error(.nulCharacter)
            case 0x01..<0x20:
                throw error(.controlCharacter)
            default:
                mayHaveMarks = mayHaveMarks || byte >= StreamSafeText.leastMarkByte
                position += 1
            }
        }
        throw error(.unexpectedEnd)
    }

    /// Reads the rest of the string that starts at `start`: the slow path, with `position` at the first backslash.
    private mutating func stringWithEscapes(from start: Int) throws -> String {
        var text = Array(bytes[start..<position])
        while let byte = current {
            position += 1
            switch byte {
            case UInt8(ascii: "\""):
                return try text.withUnsafeBufferPointer { try decoded($0, at: start, mayHaveMarks: true) }
            case UInt8(ascii: "\\"): try escape(into: &text)
            case 0x00: throw error(.nulCharacter, at: position - 1)
            case 0x01..<0x20: throw error(.controlCharacter, at: position - 1)
            default: text.append(byte)
            }
        }
        throw error(.unexpectedEnd)
    }

    private func decoded(
        _ slice: UnsafeBufferPointer<UInt8>, at start: Int, mayHaveMarks: Bool
    ) throws -> String {
        guard let text = String(validating: slice, as: UTF8.self) else {
            throw error(.invalidUTF8, at: start)
        }
        guard !mayHaveMarks || StreamSafeText.holds(slice) else { throw error(.tooManyMarks, at: start) }
        return text
    }

    private mutating func escape(into text: inout [UInt8]) throws {
        let start = position - 1
        guard let byte = current else {
            throw error(.unexpectedEnd)
        }
        position += 1
        switch byte {
        case UInt8(ascii: "\""), UInt8(ascii: "\\"), UInt8(ascii: "/"): text.append(byte)
        case UInt8(ascii: "b"): text.append(0x08)
        case UInt8(ascii: "f"): text.append(0x0C)
        case UInt8(ascii: "n"): text.append(0x0A)
        case UInt8(ascii: "r"): text.append(0x0D)
        case UInt8(ascii: "t"): text.append(0x09)
        case UInt8(ascii: "u"):
            let scalar = try escapedScalar(start)
            guard scalar.value != 0 else {
                throw error(.nulCharacter, at: start)
            }
            text.append(contentsOf: String(scalar).utf8)
        default: throw error(.invalidEscape, at: start)
        }
    }

    private mutating func escapedScalar(_ start: Int) throws -> Unicode.Scalar {
        let first = try hexUnit(start)
        if let scalar = Unicode.Scalar(first) {
            return scalar
        }
        guard UTF16.isLeadSurrogate(first), position + 1 < bytes.count,
            bytes[position] == UInt8(ascii: "\\"), bytes[position + 1] == UInt8(ascii: "u")
        else {
            throw error(.loneSurrogate, at: start)
        }
        position += 2
        let second = try hexUnit(start)
        guard UTF16.isTrailSurrogate(second) else {
            throw error(.loneSurrogate, at: start)
        }
        let high = UInt32(first) - 0xD800
        let low = UInt32(second) - 0xDC00
        guard let scalar = Unicode.Scalar(0x10000 + (high << 10) + low) else {
            throw error(.loneSurrogate, at: start)
        }
        return scalar
    }

    private mutating func hexUnit(_ start: Int) throws -> UInt16 {
        var unit: UInt16 = 0
        for _ in 0..<4 {
            guard let byte = current else {
                throw error(.unexpectedEnd)
            }
            guard let digit = Character(UnicodeScalar(byte)).hexDigitValue, byte < 0x80 else {
                throw error(.invalidEscape, at: start)
            }
            unit = unit << 4 | UInt16(digit)
            position += 1
        }
        return unit
    }
}
