import GraphServices
import StrictJSON

extension StrictObject {
    /// Reads a string of 1 to `maxLength` scalars (`invalid_value` if empty, `too_long`).
    package mutating func string(_ name: String, maxLength: Int) throws -> String {
        let value = try optionalString(name, maxLength: maxLength)
        return try required(name, value)
    }

    package mutating func optionalString(_ name: String, maxLength: Int) throws -> String? {
        guard let text = try rawString(name) else {
            return nil
        }
        return try TextRules.bounded(text, field: name, maxLength: maxLength)
    }

    /// Reads a string of at most `maxLength` scalars; nil if it is absent or empty.
    package mutating func optionalText(_ name: String, maxLength: Int) throws -> String? {
        guard let text = try rawString(name), !text.isEmpty else { return nil }
        return try TextRules.bounded(text, field: name, maxLength: maxLength)
    }

    /// Same as ``optionalText(_:maxLength:)``, but an empty string is returned: it removes the earlier text.
    package mutating func optionalWording(_ name: String, maxLength: Int) throws -> String? {
        guard let text = try rawString(name) else { return nil }
        return text.isEmpty ? text : try TextRules.bounded(text, field: name, maxLength: maxLength)
    }

    /// Reads a name that identifies something to people, of 1 to `maxLength` scalars, by the rules of ``TextRules``.
    package mutating func title(_ name: String, maxLength: Int) throws -> String {
        let text = try rawString(name)
        return try TextRules.title(try required(name, text), field: name, maxLength: maxLength)
    }

    /// Reads one of a few words.
    package mutating func optionalChoice<Choice: RawRepresentable<String>>(
        _ name: String, of choices: [Choice]
    ) throws -> Choice? {
        guard let text = try rawString(name) else { return nil }
        guard let choice = choices.first(where: { $0.rawValue == text }) else {
            let words = choices.map { "\"\($0.rawValue)\"" }.joined(separator: " or ")
            throw Problem(.invalidValue, "\"\(name)\" must be \(words).", field: name)
        }
        return choice
    }

    /// Reads a list of strings without duplicates, in order; empty when absent. `maxCount` counts duplicates too.
    package mutating func strings(_ name: String, maxCount: Int, maxLength: Int) throws -> [String] {
        try optionalStrings(name, maxCount: maxCount, maxLength: maxLength) ?? []
    }

    /// Same as ``strings(_:maxCount:maxLength:)``, nil when absent.
    package mutating func optionalStrings(_ name: String, maxCount: Int, maxLength: Int) throws -> [String]? {
        let texts = try list(name, maxCount: maxCount, of: "strings") { value -> String? in
            guard case .string(let text) = value else { return nil }
            return text
        }
        guard let texts else { return nil }
        var seen: Set<String> = []
        return try texts.compactMap { text in
            let text = try TextRules.bounded(text, field: name, maxLength: maxLength)
            return seen.insert(text).inserted ? text : nil
        }
    }

    /// Reads an absolute http or https URL.
    package mutating func url(_ name: String) throws -> String {
        let value = try optionalURL(name)
        return try required(name, value)
    }

    package mutating func optionalURL(_ name: String) throws -> String? {
        guard let text = try rawString(name) else {
            return nil
        }
        return try TextRules.url(text, field: name)
    }

    package mutating func email(_ name: String) throws -> String {
        let value = try optionalEmail(name)
        return try required(name, value)
    }

    package mutating func optionalEmail(_ name: String) throws -> String? {
        try rawString(name).map { try TextRules.email($0, field: name) }
    }

    package mutating func username(_ name: String) throws -> String {
        let value = try optionalUsername(name)
        return try required(name, value)
    }

    package mutating func optionalUsername(_ name: String) throws -> String? {
        try rawString(name).map { try TextRules.username($0, field: name) }
    }

    /// Reads a string of any content and of at most `maxBytes` bytes, for a value whose rules are not revealed at this
    /// point (a password at log-in).
    package mutating func anyString(_ name: String, maxBytes: Int = RequestLimits.anyStringBytes) throws -> String {
        let text = try optionalAnyString(name, maxBytes: maxBytes)
        return try required(name, text)
    }

    package mutating func optionalAnyString(
        _ name: String, maxBytes: Int = RequestLimits.anyStringBytes
    ) throws -> String? {
        guard let text = try rawString(name) else { return nil }
        guard text.utf8.count <= maxBytes else {
            throw Problem(
                .tooLong, "\"\(name)\" may have at most \(maxBytes) bytes; got \(text.utf8.count).", field: name)
        }
        return text
    }

    package mutating func bool(_ name: String) throws -> Bool {
        let value = try optionalBool(name)
        return try required(name, value)
    }

    package mutating func optionalBool(_ name: String) throws -> Bool? {
        switch take(name) {
        case nil: return nil
        case .bool(let value)?: return value
        case let other?: throw Self.wrongType(name, other, expected: "true or false")
        }
    }

    package mutating func integer(_ name: String, in range: ClosedRange<Int64>) throws -> Int64 {
        let value = try optionalInteger(name, in: range)
        return try required(name, value)
    }

    package mutating func optionalInteger(_ name: String, in range: ClosedRange<Int64>) throws -> Int64? {
        switch take(name) {
        case nil: return nil
        case .integer(let value)?:
            guard range.contains(value) else {
                let right = "must be from \(range.lowerBound) to \(range.upperBound)"
                throw Problem(.invalidValue, "The field \"\(name)\" \(right); got \(value).", field: name)
            }
            return value
        case let other?: throw Self.wrongType(name, other, expected: "a whole number")
        }
    }

    /// Reads an id: a string of decimal digits.
    package mutating func id(_ name: String) throws -> Int64 {
        let value = try optionalID(name)
        return try required(name, value)
    }

    package mutating func optionalID(_ name: String) throws -> Int64? {
        guard let text = try rawString(name, expected: "an id, a string of decimal digits") else {
            return nil
        }
        return try TextRules.id(text, field: name)
    }

    /// Reads a list of ids without duplicates, in order; empty when absent. `maxCount` counts duplicates too.
    package mutating func ids(_ name: String, maxCount: Int) throws -> [Int64] {
        let texts = try list(name, maxCount: maxCount, of: "ids, which are strings of decimal digits") {
            value -> String? in
            guard case .string(let text) = value else { return nil }
            return text
        }
        var seen: Set<Int64> = []
        return try (texts ?? []).compactMap { text in
            let id = try TextRules.id(text, field: name)
            return seen.insert(id).inserted ? id : nil
        }
    }

    private mutating func rawString(_ name: String, expected: String = "a string") throws -> String? {
        switch take(name) {
        case nil: return nil
        case .string(let text)?: return text
        case let other?: throw Self.wrongType(name, other, expected: expected)
        }
    }

    private mutating func list<Element>(
        _ name: String, maxCount: Int, of what: String, _ convert: (JSONValue) -> Element?
    ) throws -> [Element]? {
        switch take(name) {
        case nil:
            return nil
        case .array(let values)?:
            guard values.count <= maxCount else {
                let detail = "The field \"\(name)\" may have at most \(maxCount) entries; got \(values.count)."
                throw Problem(.tooMany, detail, field: name)
            }
            return try values.map { value in
                guard let element = convert(value) else {
                    let detail = "The field \"\(name)\" must be an array of \(what); one entry is \(value.kind)."
                    throw Problem(.invalidType, detail, field: name)
                }
                return element
            }
        case let other?:
            throw Self.wrongType(name, other, expected: "an array of \(what)")
        }
    }
}
