import HTTPTypes

extension HTTPField.Name {
    /// The name of a header that the program knows.
    static func constant(_ name: String) -> HTTPField.Name {
        guard let name = HTTPField.Name(name) else {
            preconditionFailure("a constant header name must be a valid one")
        }
        return name
    }
}
