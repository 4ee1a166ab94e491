/// The id of an `Entity`: 53 bits, see ``IDSequence``. Ids of different entities do not mix, and of two of one entity
/// the larger is the newer.
package struct ID<Entity>: Hashable, Comparable, Sendable, RawRepresentable {
    package let rawValue: Int64

    @inlinable
    package init(rawValue: Int64) { self.rawValue = rawValue }

    @inlinable
    package static func == (lhs: Self, rhs: Self) -> Bool { lhs.rawValue == rhs.rawValue }

    @inlinable
    package static func < (lhs: Self, rhs: Self) -> Bool { lhs.rawValue < rhs.rawValue }

    @inlinable
    package func hash(into hasher: inout Hasher) { hasher.combine(rawValue) }
}
