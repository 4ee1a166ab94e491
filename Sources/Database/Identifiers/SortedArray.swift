import Algorithms

extension Array where Element: Comparable {
    /// Returns whether this ascending array contains `element`.
    @inlinable
    package func binaryContains(_ element: Element) -> Bool {
        let index = partitioningIndex { $0 >= element }
        return index < count && self[index] == element
    }
}
