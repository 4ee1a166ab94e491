import GraphServices
import SocialGraph
import StrictJSON
import Text

/// The conditions of a filter in a body: `category`, `algorithms` and `attributes`, as in queries.
extension StrictObject {
    /// Reads an array of tags, or `"selected"`; nil if the field is absent.
    package mutating func optionalAlgorithms(_ name: String) throws -> AlgorithmChoice? {
        if value(of: name) == .string("selected") {
            _ = take(name)
            return .selected
        }
        return try optionalStrings(
            name, maxCount: SocialGraphLimits.filterTags, maxLength: SocialGraphLimits.tagLength
        ).map(AlgorithmChoice.named)
    }

    /// Reads an object with a condition for each attribute: a word or a range as text, a number, true or false.
    ///
    /// - Throws: `Problem` 400 `invalid_type`; 422 `too_many` and `invalid_value`.
    package mutating func conditions(_ name: String) throws -> [AttributeCondition] {
        switch take(name) {
        case nil: return []
        case .object(let members)?:
            guard members.count <= SocialGraphLimits.attributes else {
                let limit = SocialGraphLimits.attributes
                throw Problem(
                    .tooMany, "\"\(name)\" may have at most \(limit) entries; got \(members.count).", field: name)
            }
            return try members.map { try Self.condition($0, of: name) }
        case let other?: throw Self.wrongType(name, other, expected: "an object")
        }
    }

    private static func condition(_ member: JSONMember, of name: String) throws -> AttributeCondition {
        let field = "\(name).\(member.name.echoed)"
        let text =
            switch member.value {
            case .string(let text): text
            case .integer(let number): String(number)
            case .double(let number): number.description
            case .bool(let flag): flag ? "true" : "false"
            default: throw wrongType(field, member.value, expected: "a string, a number, true or false")
            }
        if let condition = TextRules.condition(member.name, text) { return condition }
        throw Problem(.invalidValue, "\"\(field)\" must be \(TextRules.conditionRule).", field: field)
    }
}
