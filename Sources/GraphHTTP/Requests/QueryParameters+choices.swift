import GraphServices

extension QueryParameters {
    /// Reads one of the values of `T`; `fallback` if it is not given.
    package mutating func choice<T: RawRepresentable & CaseIterable>(
        _ name: String, default fallback: T
    ) throws -> T where T.RawValue == String {
        try optionalChoice(name, of: T.self) ?? fallback
    }

    /// Reads one of the values of `T`; nil if it is not given.
    package mutating func optionalChoice<T: RawRepresentable & CaseIterable>(
        _ name: String, of type: T.Type
    ) throws -> T? where T.RawValue == String {
        guard let text = string(name) else { return nil }
        if let value = T(rawValue: text) { return value }
        let known = T.allCases.map { "\"\($0.rawValue)\"" }.joined(separator: ", ")
        throw Problem(.invalidParameter, "\"\(name)\" must be one of \(known).", field: name)
    }
}
