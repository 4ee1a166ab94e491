import GraphServices

extension QueryParameters {
    /// Reads an id; nil if it is not given.
    package mutating func id(_ name: String) throws -> Int64? {
        guard let text = string(name) else { return nil }
        guard let id = TextRules.parseID(text) else {
            throw Problem(.invalidParameter, "\"\(name)\" must be an id, a string of decimal digits.", field: name)
        }
        return id
    }
}
