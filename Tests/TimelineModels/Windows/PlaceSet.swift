/// Places of a timeline as a bit set: bit n is place n. A larger place is newer. A post's own place is its number.
/// Every reshare has a place of its own, so a place also names the post at it.
struct PlaceSet: Equatable {
    var bits: UInt64 = 0

    init(bits: UInt64 = 0) { self.bits = bits }
    init(_ place: Int) { bits = 1 << UInt64(place) }

    var isEmpty: Bool { bits == 0 }
    var count: Int { bits.nonzeroBitCount }
    var newestFirst: [Int] {
        var places: [Int] = []
        var rest = bits
        while rest != 0 {
            let newest = 63 - rest.leadingZeroBitCount
            places.append(newest)
            rest &= ~(1 << UInt64(newest))
        }
        return places
    }

    func contains(_ place: Int) -> Bool { bits >> UInt64(place) & 1 == 1 }
    func union(_ other: PlaceSet) -> PlaceSet { PlaceSet(bits: bits | other.bits) }
    func intersection(_ other: PlaceSet) -> PlaceSet { PlaceSet(bits: bits & other.bits) }
    func subtracting(_ other: PlaceSet) -> PlaceSet { PlaceSet(bits: bits & ~other.bits) }
    mutating func insert(_ place: Int) { bits |= 1 << UInt64(place) }
    mutating func remove(_ place: Int) { bits &= ~(1 << UInt64(place)) }
    /// The members at or above `place`.
    func from(_ place: Int) -> PlaceSet { PlaceSet(bits: (bits >> UInt64(place)) << UInt64(place)) }
    func below(_ place: Int) -> PlaceSet { subtracting(from(place)) }

    /// The `count` newest members.
    func newest(_ count: Int) -> PlaceSet {
        var kept = self
        while kept.count > count { kept.bits &= kept.bits - 1 }
        return kept
    }
}

extension PlaceSet: CustomStringConvertible {
    var description: String { "\(newestFirst)" }
}

/// A post at its place; the sentinel of a window is post 0 at place 0.
struct ModelEntry: Equatable, CustomStringConvertible {
    let place: Int
    let post: Int

    static let sentinel = ModelEntry(place: 0, post: 0)
    var isReshare: Bool { place != post }
    var description: String { isReshare ? "\(post)@\(place)" : "\(post)" }
}
