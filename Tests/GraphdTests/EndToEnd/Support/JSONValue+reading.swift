@testable import StrictJSON

/// What tests ask of an answer's JSON; nil where it has another shape.
extension JSONValue {
    subscript(name: String) -> JSONValue? {
        guard case .object(let members) = self else { return nil }
        return members.first { $0.name == name }?.value
    }

    var names: [String] {
        guard case .object(let members) = self else { return [] }
        return members.map(\.name)
    }

    var text: String? {
        guard case .string(let text) = self else { return nil }
        return text
    }

    /// A number, whole or not.
    var real: Double? {
        switch self {
        case .integer(let number): Double(number)
        case .double(let number): number
        default: nil
        }
    }

    var number: Int64? {
        guard case .integer(let number) = self else { return nil }
        return number
    }

    var entries: [JSONValue]? {
        guard case .array(let entries) = self else { return nil }
        return entries
    }

    /// Of a page of posts.
    var ids: [String] { self["items"]?.entries?.compactMap { $0["postId"]?.text } ?? [] }
}
