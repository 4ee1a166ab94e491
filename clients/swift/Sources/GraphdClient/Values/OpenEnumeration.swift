/// A text of which this version knows some values. A later server may send others, so a `switch` needs a `default`.
public protocol OpenEnumeration: RawRepresentable<String>, Codable, Hashable, Sendable, CustomStringConvertible,
    ExpressibleByStringLiteral
{
    init(rawValue: String)
    /// The values that this version of the client knows.
    static var known: [Self] { get }
}

extension OpenEnumeration {
    public init(stringLiteral value: String) { self.init(rawValue: value) }

    public var description: String { rawValue }

    /// Whether this version of the client knows the value.
    public var isKnown: Bool { Self.known.contains(self) }
}
