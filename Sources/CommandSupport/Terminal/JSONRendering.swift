import GraphAPI
import StrictJSON

extension JSONWriter {
    /// Writes a value that was read: numbers and the order of members stay the same.
    package mutating func value(_ value: JSONValue) {
        switch value {
        case .null: null()
        case .bool(let value): bool(value)
        case .integer(let value): integer(value)
        case .double(let value): number(value)
        case .string(let value): string(value)
        case .array(let values):
            beginArray()
            for entry in values { self.value(entry) }
            endArray()
        case .object(let members):
            beginObject()
            for member in members {
                key(escaping: member.name)
                self.value(member.value)
            }
            endObject()
        }
    }
}

extension JSONValue {
    package var bytes: [UInt8] {
        var writer = JSONWriter(reservingCapacity: 256)
        writer.value(self)
        return writer.bytes
    }

    /// JSON on one line, with characters escaped that a terminal might obey.
    package var terminalText: String {
        var text = String.UnicodeScalarView()
        for scalar in String(decoding: bytes, as: UTF8.self).unicodeScalars {
            if TerminalText.isUnsafe(scalar) {
                for unit in String(scalar).utf16 {
                    let digits = String(unit, radix: 16)
                    text.append(
                        contentsOf: "\\u\(String(repeating: "0", count: 4 - digits.count))\(digits)".unicodeScalars)
                }
            } else {
                text.append(scalar)
            }
        }
        return String(text)
    }

    /// The member with that name, if the value is an object.
    package func member(_ name: String) -> JSONValue? {
        guard case .object(let members) = self else { return nil }
        return members.first { $0.name == name }?.value
    }

    /// The value at a path of names, separated by dots.
    package func at(_ path: String) -> JSONValue? {
        path.split(separator: ".").reduce(JSONValue?.some(self)) { $0?.member(String($1)) }
    }

    package var stringValue: String? {
        guard case .string(let text) = self else { return nil }
        return text
    }

    package var integerValue: Int64? {
        guard case .integer(let number) = self else { return nil }
        return number
    }

    package var arrayValue: [JSONValue]? {
        guard case .array(let values) = self else { return nil }
        return values
    }

    package var isTrue: Bool { self == .bool(true) }

    /// An object of the members whose value is not nil.
    package static func members(_ pairs: (String, JSONValue?)...) -> JSONValue { members(pairs) }

    /// An object of the members whose value is not nil.
    package static func members(_ pairs: [(String, JSONValue?)]) -> JSONValue {
        .object(pairs.compactMap { name, value in value.map { JSONMember(name: name, value: $0) } })
    }

    /// The object with another member, which replaces one of that name.
    package func setting(_ name: String, to value: JSONValue) -> JSONValue {
        guard case .object(let members) = self else { return self }
        return .object(members.filter { $0.name != name } + [JSONMember(name: name, value: value)])
    }
}
