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
        guard cap < SortedSetDump.endOfMembers, let posts = newestFirst(ofTail: tail), posts.count >= cap,
            posts[cap - 1] > max(top.rawValue, 0)
        else { return nil }
        return SortedSetDump.write(cap) { elements in
            for post in posts.prefix(cap) { elements.append(member: post, score: -post) }
        }
    }

    /// The posts of a tail, each once; nil if one of them is at the position of a reshare.
    private static func newestFirst(ofTail tail: [UInt8]) -> [Int64]? {
        guard tail.count.isMultiple(of: WindowTail.wordBytes), tail.count >= WindowTail.stampBytes else { return nil }
        var posts: [Int64] = []
        posts.reserveCapacity(tail.count / WindowTail.wordBytes)
        var isInOrder = true
        let arePosts = tail.withUnsafeBytes { tail in
            for offset in stride(from: WindowTail.stampBytes, to: tail.count, by: WindowTail.wordBytes).reversed() {
                let post = Int64(bigEndian: tail.loadUnaligned(fromByteOffset: offset, as: Int64.self))
                // A position of a reshare has the highest bit.
                guard post >= 0 else { return false }
                isInOrder = isInOrder && post < posts.last ?? .max
                posts.append(post)
            }
            return true
        }
        guard arePosts else { return nil }
        if isInOrder { return posts }
        posts.sort(by: >)
        return posts.chunked(by: ==).compactMap(\.first)
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
