/// The id of an `Entity`: 53 bits, see ``IDSequence``. Ids of different entities do not mix, and of two of one entity
/// the larger is the newer.
///
/// Public for the optimiser: other modules specialise generic code, such as a binary search, for public types alone.
public struct ID<Entity>: Hashable, Comparable, Sendable, RawRepresentable {
    public let rawValue: Int64

    @inlinable
    public init(rawValue: Int64) { self.rawValue = rawValue }

    @inlinable
    public static func == (lhs: Self, rhs: Self) -> Bool { lhs.rawValue == rhs.rawValue }

    @inlinable
    public static func < (lhs: Self, rhs: Self) -> Bool { lhs.rawValue < rhs.rawValue }

    @inlinable
    public func hash(into hasher: inout Hasher) { hasher.combine(rawValue) }
}
