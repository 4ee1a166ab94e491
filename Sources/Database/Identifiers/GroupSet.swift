/// A set of group numbers from 0 to 62, stored as an integer.
package struct GroupSet: OptionSet, Sendable, Hashable {
    package let rawValue: Int64

    package init(rawValue: Int64) { self.rawValue = rawValue }

    package init(_ group: Int) { rawValue = 1 << Int64(group) }

    /// The groups from 0 up to `count`.
    package init(upTo count: Int) { rawValue = 1 << Int64(count) - 1 }

    package var count: Int { rawValue.nonzeroBitCount }

    package func contains(_ group: Int) -> Bool { contains(GroupSet(group)) }
}
