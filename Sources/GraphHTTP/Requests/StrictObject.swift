import GraphServices
import NIOCore
import SocialGraph
import StrictJSON
import Text

/// A JSON request body that is read field by field and then closed: an unread field is refused by name.
///
///     var body = try StrictObject(bytes)
///     let caption = try body.string("caption", maxLength: 2200)
///     try body.end()
///
/// A body that is no JSON object, a missing, unknown or doubled field and a wrong type are 400; a value of the right
/// type that is not acceptable is 422. Null counts as absent. Lengths are in Unicode scalars; the
/// bytes that so many scalars can have are counted first. A text with too many combining marks in a row is 422
/// `invalid_value` (``StreamSafeText``).
package struct StrictObject {
    private var members: [UTF8Key: JSONValue]
    /// Names in the order written, so that the first unknown one is reported.
    private let names: [String]
    private var taken: Set<UTF8Key> = []

    /// - Throws: `Problem` with `invalid_json` or `duplicate_field`.
    package init(_ bytes: [UInt8]) throws {
        let value = try Self.value(bytes)
        guard case .object(let list) = value else {
            throw Problem(.invalidJSON, "The body must be a JSON object; got \(value.kind).")
        }
        self.init(members: list)
    }

    /// Creates an object from the members of a nested one.
    package init(members list: [JSONMember]) {
        names = list.map(\.name)
        members = Dictionary(list.map { (UTF8Key($0.name), $0.value) }, uniquingKeysWith: { first, _ in first })
    }

    /// Reads a body that is an array of at most `maxCount` objects, each read by `read`. A problem with one names its
    /// index before the field: `[3].label`.
    ///
    /// - Throws: `Problem` with `invalid_json`, `duplicate_field`, `invalid_type` or `too_many`, and the errors of
    ///   `read`.
    package static func array<Element>(
        _ bytes: [UInt8], maxCount: Int, _ read: (inout StrictObject) throws -> Element
    ) throws -> [Element] {
        let value = try value(bytes)
        guard case .array(let values) = value else {
            throw Problem(.invalidJSON, "The body must be a JSON array; got \(value.kind).")
        }
        guard values.count <= maxCount else {
            throw Problem(.tooMany, "The array may have at most \(maxCount) entries; got \(values.count).")
        }
        return try values.enumerated().map { index, value in
            guard case .object(let list) = value else { throw wrongType("[\(index)]", value, expected: "an object") }
            do {
                var object = StrictObject(members: list)
                let element = try read(&object)
                try object.end()
                return element
            } catch let problem as Problem {
                throw Problem(
                    problem.code, "Entry \(index): \(problem.detail)",
                    field: "[\(index)]" + (problem.field.map { ".\($0)" } ?? ""))
            }
        }
    }

    private static func value(_ bytes: [UInt8]) throws -> JSONValue {
        do {
            return try JSONReader.read(bytes)
        } catch let error as JSONError {
            if case .duplicateName(let name) = error.reason {
                throw Problem(.duplicateField, error.detail, field: name.echoed)
            }
            if error.reason == .tooManyMarks {
                let place = error.field.map { "\"\($0.echoed)\"" } ?? "The text"
                throw Problem(
                    .invalidValue, "\(place) is not valid at byte \(error.offset): \(StreamSafeText.rule).",
                    field: error.field?.echoed)
            }
            throw Problem(.invalidJSON, error.detail)
        }
    }

    package init(_ buffer: ByteBuffer) throws {
        try self.init(Array(buffer.readableBytesView))
    }

    /// Refuses unread fields. Call it after the last field was read.
    ///
    /// - Throws: `Problem` with `unknown_field` for the first unread field.
    package func end() throws {
        guard let unknown = names.first(where: { !taken.contains(UTF8Key($0)) }) else {
            return
        }
        let known = taken.map(\.text).sorted().joined(separator: ", ")
        let hint = known.isEmpty ? "The object must be empty." : "Allowed: \(known)."
        throw Problem(
            .unknownField, "Unknown field \"\(unknown.echoed)\". \(hint)", field: unknown.echoed)
    }

    /// Takes a field's value; nil if it is absent or null.
    package mutating func take(_ name: String) -> JSONValue? {
        let name = UTF8Key(name)
        taken.insert(name)
        guard let value = members.removeValue(forKey: name) else { return nil }
        if case .null = value { return nil }
        return value
    }

    /// Returns a field's value without taking it.
    package func value(of name: String) -> JSONValue? { members[UTF8Key(name)] }

    /// Turns "absent" into `missing_field`.
    package func required<Value>(_ name: String, _ value: Value?) throws -> Value {
        guard let value else {
            throw Problem(.missingField, "The field \"\(name)\" is required.", field: name)
        }
        return value
    }

    package static func wrongType(_ name: String, _ found: JSONValue, expected: String) -> Problem {
        Problem(.invalidType, "The field \"\(name)\" must be \(expected); got \(found.kind).", field: name)
    }
}
