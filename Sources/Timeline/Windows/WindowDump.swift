import Algorithms
import Database
import RedisClient
import SocialGraph

/// Encodes and decodes the sorted set of a window as a dump (``SortedSetDump``), to be read and restored in one piece.
enum WindowDump {
    /// Returns nil if there are more entries than a listpack counts in its header, or if they are not in the order of
    /// Redis.
    ///
    /// - Parameters:
    ///   - entries: newest first, each post once.
    ///   - isComplete: whether the sentinel, member 0 of score 0, follows them.
    static func dump(of entries: [FeedEntry], isComplete: Bool) -> [UInt8]? {
        let areInOrder = zip(entries, entries.dropFirst()).allSatisfy { $0.position > $1.position }
        let count = entries.count + (isComplete ? 1 : 0)
        guard count < SortedSetDump.endOfMembers, areInOrder else { return nil }
        return SortedSetDump.write(count) { elements in
            for entry in entries { elements.append(member: entry.post.rawValue, score: -entry.position.rawValue) }
            if isComplete { elements.append(member: 0, score: 0) }
        }
    }

    /// Returns the dump of the newest `cap` entries of a window, if they are all in its tail. Returns nil unless the
    /// tail has so many, all of its entries are at the positions of their posts, and even the oldest of the newest is
    /// newer than `top`, the newest entry of the sorted set beside it. Posts of several nodes arrive in any order.
    static func dump(ofTail tail: [UInt8], newest cap: Int, above top: FeedPosition) -> [UInt8]? {
        tail.withUnsafeBytes { tail in
            let words = (tail.count - WindowTail.stampBytes) / WindowTail.wordBytes
            func post(_ index: Int) -> Int64 {
                let offset = WindowTail.stampBytes + index * WindowTail.wordBytes
                return Int64(bigEndian: tail.loadUnaligned(fromByteOffset: offset, as: Int64.self))
            }
            guard words >= cap, tail.count.isMultiple(of: WindowTail.wordBytes), cap < SortedSetDump.endOfMembers
            else { return nil }
            var (last, isInOrder) = (Int64(0), true)
            for index in 0..<words {
                let next = post(index)
                // A position of a reshare has the highest bit.
                if next < 0 { return nil }
                if next <= last { isInOrder = false }
                last = next
            }
            if isInOrder {
                guard post(words - cap) > max(top.rawValue, 0) else { return nil }
                return SortedSetDump.write(cap) { elements in
                    for index in (words - cap..<words).reversed() {
                        let post = post(index)
                        elements.append(member: post, score: -post)
                    }
                }
            }
            let posts = (0..<words).map(post).sorted(by: >).chunked(by: ==).compactMap(\.first)
            guard posts.count >= cap, posts[cap - 1] > max(top.rawValue, 0) else { return nil }
            return SortedSetDump.write(cap) { for post in posts[..<cap] { $0.append(member: post, score: -post) } }
        }
    }

    /// Returns the entries of a dump, newest first, and whether the sentinel follows them. Returns nil if the dump has
    /// another form, or members that are no ids.
    static func entries(of dump: UnsafeRawBufferPointer) -> (entries: [FeedEntry], isComplete: Bool)? {
        SortedSetDump.read(dump) { elements in
            var entries: [FeedEntry] = []
            entries.reserveCapacity(elements.estimatedCount)
            while let (post, score) = elements.next() {
                if post == 0, score == 0 { return elements.isAtEnd ? (entries, true) : nil }
                entries.append(FeedEntry(position: FeedPosition(rawValue: -score), post: PostID(rawValue: post)))
            }
            return elements.isAtEnd ? (entries, false) : nil
        }
    }
}
