extension Array {
    /// The first index from which on `predicate` holds, in an array that it divides into two.
    @inlinable
    package func partitioningIndex(where predicate: (Element) -> Bool) -> Int {
        var low = 0
        var high = count
        while low < high {
            let middle = (low + high) / 2
            if predicate(self[middle]) { high = middle } else { low = middle + 1 }
        }
        return low
    }
}

extension Array where Element: Comparable {
    /// Returns whether this ascending array contains `element`.
    @inlinable
    package func binaryContains(_ element: Element) -> Bool {
        let index = partitioningIndex { $0 >= element }
        return index < count && self[index] == element
    }
}
