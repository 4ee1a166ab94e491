import Foundation
import GraphServices
import SocialGraph
import StrictJSON

extension StrictObject {
    /// Returns true if the field is present and null, for fields with a meaning of null. Call it before the field is
    /// taken.
    package func isNull(_ name: String) -> Bool { value(of: name) == .null }

    /// Reads bytes in Base64 (RFC 4648, section 4), not empty; nil if the field is absent.
    package mutating func optionalBytes(_ name: String) throws -> [UInt8]? {
        switch take(name) {
        case nil: return nil
        case .string(let text)?:
            guard let bytes = Data(base64Encoded: text), !bytes.isEmpty else {
                throw Problem(.invalidValue, "\"\(name)\" must be at least one byte in Base64.", field: name)
            }
            return Array(bytes)
        case let other?: throw Self.wrongType(name, other, expected: "a string")
        }
    }

    /// Reads a typed map: an object of strings, numbers, booleans and arrays of strings, whose duplicates are removed;
    /// nil if the field is absent. A name in `vocabulary` accepts only its kind.
    ///
    /// - Throws: `Problem` 400 `invalid_type`; 422 `too_many`, `too_long` and `invalid_value`. The field is
    ///   `field.name` if one entry is wrong.
    package mutating func optionalAttributes(
        _ field: String, vocabulary: [String: AttributeVocabulary.Kind]
    ) throws -> [String: AttributeValue]? {
        switch take(field) {
        case nil: return nil
        case .object(let members)?:
            guard members.count <= SocialGraphLimits.attributes else {
                let limit = SocialGraphLimits.attributes
                throw Problem(
                    .tooMany, "\"\(field)\" may have at most \(limit) entries; got \(members.count).", field: field)
            }
            var attributes: [String: AttributeValue] = [:]
            for member in members {
                let name = try TextRules.title(
                    member.name, field: field, maxLength: SocialGraphLimits.attributeNameLength)
                let value = try Self.attribute(member.value, field: "\(field).\(name)")
                guard AttributeVocabulary.accepts(value, as: vocabulary[name]) else {
                    let expected = vocabulary[name]?.rawValue ?? ""
                    throw Self.wrongType("\(field).\(name)", member.value, expected: expected)
                }
                // Names that differ in bytes only, such as two spellings of one letter, are one name here.
                guard attributes.updateValue(value, forKey: name) == nil else {
                    throw Problem(
                        .duplicateField, "\"\(field)\" contains \"\(name)\" twice.", field: "\(field).\(name)")
                }
            }
            return attributes
        case let other?: throw Self.wrongType(field, other, expected: "an object")
        }
    }

    package static func attribute(_ value: JSONValue, field: String) throws -> AttributeValue {
        switch value {
        case .string(let text): return .text(try attributeText(text, field: field))
        case .bool(let flag): return .flag(flag)
        case .double(let number): return .number(number)
        case .integer(let number):
            guard let number = Double(exactly: number) else {
                throw Problem(.invalidValue, "\"\(field)\" must not be a whole number beyond 2^53.", field: field)
            }
            return .number(number)
        case .array(let values): return .list(try attributeList(values, field: field))
        case .null, .object:
            throw wrongType(field, value, expected: "a string, a number, true, false or an array of strings")
        }
    }

    private static func attributeList(_ values: [JSONValue], field: String) throws -> [String] {
        guard values.count <= SocialGraphLimits.attributeListLength else {
            let limit = SocialGraphLimits.attributeListLength
            throw Problem(
                .tooMany, "\"\(field)\" may have at most \(limit) entries; got \(values.count).", field: field)
        }
        var seen: Set<String> = []
        return try values.compactMap { value in
            guard case .string(let text) = value else {
                throw Problem(
                    .invalidType, "\"\(field)\" must be an array of strings; one entry is \(value.kind).", field: field)
            }
            return seen.insert(text).inserted ? try attributeText(text, field: field) : nil
        }
    }

    private static func attributeText(_ text: String, field: String) throws -> String {
        try TextRules.bounded(text, field: field, maxLength: SocialGraphLimits.attributeTextLength)
    }
}
