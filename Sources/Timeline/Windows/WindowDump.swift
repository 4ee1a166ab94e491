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
    /// tail has so many entries, all at the positions of their posts and in order, and even the oldest of these is
    /// newer than `top`, the newest entry of the sorted set beside it.
    static func dump(ofTail tail: [UInt8], newest cap: Int, above top: FeedPosition) -> [UInt8]? {
        tail.withUnsafeBytes { tail in
            let words = (tail.count - WindowTail.stampBytes) / WindowTail.wordBytes
            func word(_ index: Int) -> UInt64 {
                let offset = WindowTail.stampBytes + index * WindowTail.wordBytes
                return UInt64(bigEndian: tail.loadUnaligned(fromByteOffset: offset, as: UInt64.self))
            }
            guard words >= cap, tail.count.isMultiple(of: WindowTail.wordBytes), cap < SortedSetDump.endOfMembers,
                word(words - cap) > UInt64(max(top.rawValue, 0))
            else { return nil }
            // A position of a reshare has the highest bit, so that the post behind it is not in order.
            var last: UInt64 = 0
            for index in 0..<words {
                guard word(index) > last else { return nil }
                last = word(index)
            }
            guard last <= UInt64(Int64.max) else { return nil }
            return SortedSetDump.write(cap) { elements in
                for index in (words - cap..<words).reversed() {
                    let post = Int64(bitPattern: word(index))
                    elements.append(member: post, score: -post)
                }
            }
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
