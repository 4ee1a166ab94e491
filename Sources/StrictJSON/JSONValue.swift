import Text

/// A value read from a JSON text. Numbers stay exact: an integer that fits is an `Int64`.
package enum JSONValue: Sendable, Equatable {
    case null
    case bool(Bool)
    case integer(Int64)
    case double(Double)
    case string(String)
    case array([JSONValue])
    case object([JSONMember])

    /// Kind of the value, in words for an error message.
    package var kind: String {
        switch self {
        case .null: "null"
        case .bool: "a boolean"
        case .integer, .double: "a number"
        case .string: "a string"
        case .array: "an array"
        case .object: "an object"
        }
    }
}

/// One member of an object, in the order written.
package struct JSONMember: Sendable, Equatable {
    package let name: String
    package let value: JSONValue

    package init(name: String, value: JSONValue) {
        self.name = name
        self.value = value
    }
}

/// The reason and position of a refused text.
package struct JSONError: Error, Sendable, Equatable {
    package enum Reason: Sendable, Equatable {
        case unexpectedEnd
        case unexpectedByte(UInt8)
        case trailingBytes
        case invalidUTF8
        case controlCharacter
        case nulCharacter
        case invalidEscape
        case loneSurrogate
        case invalidNumber
        case numberOutOfRange
        case tooDeep
        case tooManyValues
        case tooManyEntries
        case tooManyMembers
        case nameTooLong
        case numberTooLong
        case tooManyMarks
        case duplicateName(String)
    }

    package let reason: Reason
    /// Offset in bytes from the start of the text.
    package let offset: Int
    /// The innermost member whose value has too many combining marks.
    package var field: String?

    /// A sentence for the client.
    package var detail: String {
        let what =
            switch reason {
            case .unexpectedEnd: "the text ends too early"
            case .unexpectedByte(let byte):
                (0x21...0x7E).contains(byte)
                    ? "the character '\(Character(UnicodeScalar(byte)))' is not expected there"
                    : "the byte 0x\(String(byte, radix: 16)) is not expected there"
            case .trailingBytes: "there is text after the end of the value"
            case .invalidUTF8: "the text is not UTF-8"
            case .controlCharacter: "a control character in a string must be escaped"
            case .nulCharacter: "NUL characters are not accepted"
            case .invalidEscape:
                "a backslash must be followed by one of \"\\/bfnrt, or by u and four hexadecimal digits"
            case .loneSurrogate: "an escaped surrogate must be part of a pair"
            case .invalidNumber: "a number is malformed"
            case .numberOutOfRange: "a number is too large"
            case .tooDeep: "values may be nested at most \(JSONLimits.depth) levels deep"
            case .tooManyValues: "the text may have at most \(JSONLimits.values) values"
            case .tooManyEntries: "an array may have at most \(JSONLimits.entries) entries"
            case .tooManyMembers: "an object may have at most \(JSONLimits.members) members"
            case .nameTooLong: "the name of a member may have at most \(JSONLimits.nameBytes) bytes"
            case .numberTooLong: "a number may have at most \(JSONLimits.numberBytes) characters"
            case .tooManyMarks: StreamSafeText.rule
            case .duplicateName(let name): "the field \"\(name.echoed)\" occurs twice"
            }
        return "The JSON is malformed at byte \(offset): \(what)."
    }
}
