extension Array {
    /// Returns the first `count` elements in the order of `precedes`, in that order, without sorting all of them.
    func best(_ count: Int, by precedes: (Element, Element) -> Bool) -> [Element] {
        guard self.count > 2 * count else { return Array(sorted(by: precedes).prefix(count)) }
        var kept: [Element] = []
        kept.reserveCapacity(2 * count)
        /// The `count`-th best element so far; anything it precedes can be skipped.
        var worst: Element?
        for element in self {
            if let worst, precedes(worst, element) { continue }
            kept.append(element)
            if kept.count == 2 * count {
                kept.sort(by: precedes)
                kept.removeLast(count)
                worst = kept.last
            }
        }
        kept.sort(by: precedes)
        return Array(kept.prefix(count))
    }
}
