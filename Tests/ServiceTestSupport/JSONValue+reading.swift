import StrictJSON

/// Accessors for the JSON of answers; nil if the value has another shape.
extension JSONValue {
    package subscript(name: String) -> JSONValue? {
        guard case .object(let members) = self else { return nil }
        return members.first { $0.name == name }?.value
    }

    package var names: [String] {
        guard case .object(let members) = self else { return [] }
        return members.map(\.name)
    }

    package var text: String? {
        guard case .string(let text) = self else { return nil }
        return text
    }

    /// A number, integer or not.
    package var real: Double? {
        switch self {
        case .integer(let number): Double(number)
        case .double(let number): number
        default: nil
        }
    }

    package var number: Int64? {
        guard case .integer(let number) = self else { return nil }
        return number
    }

    package var entries: [JSONValue]? {
        guard case .array(let entries) = self else { return nil }
        return entries
    }

    /// The post ids of a page of posts.
    package var ids: [String] { self["items"]?.entries?.compactMap { $0["postId"]?.text } ?? [] }
}
