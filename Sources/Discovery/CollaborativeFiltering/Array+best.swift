extension Array {
    /// The first `count` of the elements in the order of `precedes`, in that order, without sorting them all.
    func best(_ count: Int, by precedes: (Element, Element) -> Bool) -> [Element] {
        guard self.count > 2 * count else { return Array(sorted(by: precedes).prefix(count)) }
        var kept: [Element] = []
        kept.reserveCapacity(2 * count)
        /// As many as are asked for come before everything that it precedes.
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
