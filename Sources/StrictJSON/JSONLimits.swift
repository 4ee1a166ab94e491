/// Limits for parsing a JSON text.
enum JSONLimits {
    /// Levels of nesting.
    static let depth = 16
    /// Bytes of a member's name.
    static let nameBytes = 128
    /// Members of an object.
    static let members = 1_024
    /// Entries of an array.
    static let entries = 16_384
    /// Values in total.
    static let values = 65_536
    /// Characters of a number; an exact double needs fewer.
    static let numberBytes = 512
}
