/// Enums that are stored by their raw value. They are decoded here; a text that is none of the cases is an error.
extension RawRepresentable where RawValue == String {
    /// The case for `text`. Throws ``DatabaseError/storageCorrupt(detail:)`` if there is none.
    @inline(__always)
    package init(stored text: String) throws {
        guard let choice = Self(rawValue: text) else { throw DatabaseError.undecodable(Self.self, text) }
        self = choice
    }

    /// The raw value as a literal of SQL.
    package var literal: String { "'\(rawValue)'" }
}

extension SQLRow {
    /// The case in a column. Throws ``DatabaseError/storageCorrupt(detail:)`` if its value is none.
    @inline(__always)
    package func choice<Choice: RawRepresentable>(
        _ column: Int, of type: Choice.Type = Choice.self
    ) throws -> Choice where Choice.RawValue == String {
        try Choice(stored: text(column))
    }

    /// The case in a column that may be NULL.
    @inline(__always)
    package func optionalChoice<Choice: RawRepresentable>(
        _ column: Int, of type: Choice.Type = Choice.self
    ) throws -> Choice? where Choice.RawValue == String {
        try optionalText(column).map { try Choice(stored: $0) }
    }
}

extension DatabaseError {
    /// A stored value that this version cannot have written.
    package static func undecodable(_ type: Any.Type, _ value: some Any) -> DatabaseError {
        .storageCorrupt(detail: "Stored \(type) cannot be decoded from \"\(value)\".")
    }
}
