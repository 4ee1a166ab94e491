/// One of the 256 groups of keys that are on one server together.
///
/// Bucket b owns the slot in the middle of the b-th run of 64 slots. So buckets are in the order of their slots, and
/// masters with equal runs of slots have equal numbers of buckets, or one more.
package struct RedisBucket: Sendable, Hashable {
    package static let count = 256
    private static let slotsEach = RedisSlot.count / count

    package let number: Int

    /// - Precondition: `number` is from 0 to 255.
    package init(_ number: Int) {
        precondition((0..<Self.count).contains(number), "a bucket is from 0 to 255")
        self.number = number
    }

    package static var all: [RedisBucket] { (0..<count).map(RedisBucket.init) }

    package var slot: RedisSlot { RedisSlot(number * Self.slotsEach + Self.slotsEach / 2) }

    /// The hash tag, without its braces, that puts a key into the bucket's slot: the smallest decimal number that does.
    package var tag: String { String(Self.tags[number]) }

    private static let tags: [Int] = {
        var tags = [Int?](repeating: nil, count: count)
        var missing = count
        var candidate = 0
        while missing > 0 {
            let slot = RedisSlot(ofKey: "\(candidate)").number
            if slot % slotsEach == slotsEach / 2, tags[slot / slotsEach] == nil {
                tags[slot / slotsEach] = candidate
                missing -= 1
            }
            candidate += 1
        }
        return tags.compactMap(\.self)
    }()
}
