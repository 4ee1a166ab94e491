import Database
import GraphAPI
import GraphServices
import Hummingbird
import SocialGraph
import Text
import Timeline

/// The algorithm tags that a request names.
package enum AlgorithmChoice: Equatable {
    case named([String])
    /// The tags of the caller's profile.
    case selected
}

extension QueryParameters {
    /// Reads `true` or `false`; false if it is not given.
    package mutating func flag(_ name: String) throws -> Bool {
        switch string(name) {
        case nil, "false": return false
        case "true": return true
        default: throw Problem(.invalidParameter, "\"\(name)\" must be true or false.", field: name)
        }
    }

    package mutating func category() throws -> String? {
        guard let text = string("category") else { return nil }
        guard !text.isEmpty, TextRules.isWithin(SocialGraphLimits.categoryLength, text) else {
            throw Problem(
                .invalidParameter,
                "\"category\" must be 1 to \(SocialGraphLimits.categoryLength) characters.", field: "category")
        }
        return text
    }

    /// Reads `attributes.<name>=<condition>`.
    package mutating func attributes() throws -> [AttributeCondition] {
        let given = strings(withPrefix: "attributes.")
        guard given.count <= SocialGraphLimits.attributes else {
            throw Problem(
                .invalidParameter, "At most \(SocialGraphLimits.attributes) attributes can be filtered by.",
                field: "attributes")
        }
        return try given.map { name, text in
            if let condition = TextRules.condition(name, text) { return condition }
            let field = "attributes.\(name.echoed)"
            throw Problem(.invalidParameter, "\"\(field)\" must be \(TextRules.conditionRule).", field: field)
        }
    }

    package mutating func algorithms() throws -> AlgorithmChoice? {
        guard let text = string("algorithms") else { return nil }
        if text == "selected" { return .selected }
        let tags = text.split(separator: ",", omittingEmptySubsequences: false).map(String.init)
        let lengths = 1...SocialGraphLimits.tagLength
        guard tags.allSatisfy({ !$0.isEmpty && TextRules.isWithin(lengths.upperBound, $0) }) else {
            throw Problem(
                .invalidParameter,
                """
                "algorithms" must be tags of \(lengths.lowerBound) to \(lengths.upperBound) characters separated by \
                commas, or "selected".
                """, field: "algorithms")
        }
        guard tags.count <= SocialGraphLimits.filterTags else {
            throw Problem(
                .invalidParameter, "\"algorithms\" may name at most \(SocialGraphLimits.filterTags) tags.",
                field: "algorithms")
        }
        return .named(tags)
    }
}
