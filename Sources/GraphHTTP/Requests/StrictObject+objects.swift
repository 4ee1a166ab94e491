import GraphServices
import SocialGraph
import StrictJSON
import Text

extension StrictObject {
    /// Reads a nested object, to be read and closed like this one; nil if it is absent.
    package mutating func optionalObject(_ name: String) throws -> StrictObject? {
        switch take(name) {
        case nil: return nil
        case .object(let members)?: return StrictObject(members: members)
        case let other?: throw Self.wrongType(name, other, expected: "an object")
        }
    }

    /// Reads a list of objects, each read by `read` and closed after it.
    package mutating func objects<Element>(
        _ name: String, maxCount: Int, _ read: (inout StrictObject) throws -> Element
    ) throws -> [Element] {
        switch take(name) {
        case nil: throw Problem(.missingField, "The field \"\(name)\" is required.", field: name)
        case .array(let values)?:
            guard values.count <= maxCount else {
                let detail = "The field \"\(name)\" may have at most \(maxCount) entries; got \(values.count)."
                throw Problem(.tooMany, detail, field: name)
            }
            return try values.map { value in
                guard case .object(let members) = value else {
                    let detail = "The field \"\(name)\" must be an array of objects; one entry is \(value.kind)."
                    throw Problem(.invalidType, detail, field: name)
                }
                var object = StrictObject(members: members)
                let element = try read(&object)
                try object.end()
                return element
            }
        case let other?: throw Self.wrongType(name, other, expected: "an array of objects")
        }
    }

    package mutating func choice<Choice: RawRepresentable<String>>(_ name: String, of choices: [Choice]) throws
        -> Choice
    {
        let value = try optionalChoice(name, of: choices)
        return try required(name, value)
    }

    /// Reads some of a few words, in any order; nil if the field is absent.
    package mutating func choices<Choice: RawRepresentable<String> & Hashable>(
        _ name: String, of choices: [Choice]
    ) throws -> Set<Choice>? {
        let longest = choices.map(\.rawValue.count).max() ?? 0
        guard let words = try optionalStrings(name, maxCount: choices.count, maxLength: longest) else { return nil }
        return try Set(
            words.map { word in
                guard let choice = choices.first(where: { $0.rawValue == word }) else {
                    let known = choices.map(\.rawValue).joined(separator: ", ")
                    throw Problem(
                        .invalidValue, "\"\(name)\" may contain only \(known); got \"\(word.echoed)\".", field: name)
                }
                return choice
            })
    }
}
