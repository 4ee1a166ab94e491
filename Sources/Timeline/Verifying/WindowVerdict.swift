import Database
import RedisClient
import SocialGraph

/// The result of comparing a stored window with the truth.
package struct WindowVerdict: Sendable, Equatable {
    package let viewer: UserID
    package var entries = 0
    /// Posts in the truth at or above the window's floor, but not in the window.
    package var missing: [PostID] = []
    /// Posts in the window at a position without a reason.
    package var extra: [PostID] = []
    /// Posts in the window at a later position than their first reason, which is at or above the floor as well.
    package var misplaced: [PostID] = []
    /// The number of entries out of order.
    package var misordered = 0

    package var isClean: Bool { missing.isEmpty && extra.isEmpty && misplaced.isEmpty && misordered == 0 }

    /// Compares `stored` (as read from Redis, by rank) with `expected`: posts with a pushed reason at or above the
    /// stored floor, and the stored posts. The window has no information below its floor: a post may stand at a later
    /// reason while its first one is below, where the read shows it. An entry may stand at an earlier reason than the
    /// pushed one, if that reason belongs to a hub author and was pushed before the author became one. It may have been
    /// trimmed since. Posts that belong into windows since after `latest`, in milliseconds since 1970, may be missing.
    init(viewer: UserID, stored: StoredWindow, expected: [ExpectedWindowEntry], latest: Int64 = .max) {
        self.viewer = viewer
        misordered = stored.misordered
        let expectedEntries = Dictionary(uniqueKeysWithValues: expected.map { ($0.post, $0) })
        let first = Dictionary(stored.entries.map { ($0.post, $0.position) }, uniquingKeysWith: min)
        entries = first.count
        for entry in stored.entries {
            guard let expected = expectedEntries[entry.post], expected.places.contains(entry.position) else {
                extra.append(entry.post)
                continue
            }
            // A later position in the tail is of no effect.
            guard first[entry.post] == entry.position else { continue }
            if let pushed = expected.pushed, expected.first >= stored.floor, entry.position > pushed {
                misplaced.append(entry.post)
            }
        }
        missing = expected.filter { expected in
            guard expected.pushed != nil, expected.first >= stored.floor else { return false }
            return first[expected.post] == nil && IDSequence.milliseconds(of: expected.first.rawValue) <= latest
        }.map(\.post)
    }

    /// The part of this verdict that an earlier one contains as well, without `posts`.
    func confirming(_ earlier: WindowVerdict, leavingOut posts: Set<PostID>) -> WindowVerdict {
        var verdict = self
        verdict.missing = missing.filter { earlier.missing.contains($0) && !posts.contains($0) }
        verdict.extra = extra.filter { earlier.extra.contains($0) && !posts.contains($0) }
        verdict.misplaced = misplaced.filter { earlier.misplaced.contains($0) && !posts.contains($0) }
        return verdict
    }

    package init(viewer: UserID) { self.viewer = viewer }
}

/// A window as stored in Redis.
struct StoredWindow: Sendable, Equatable {
    /// The entries of the sorted set by rank, newest first, then those of the tail in order of arrival, without those
    /// below the floor, which readers ignore.
    var entries: [FeedEntry] = []
    var reachesBeginning = false
    var misordered = 0

    /// The lowest position to compare with the truth.
    private(set) var floor = FeedPosition.beginning

    /// Decodes the replies of `ZRANGE key 0 -1 WITHSCORES` and `GET`. Returns nil if there is no window.
    init?(sorted: RedisReplyView, tail: RedisReplyView) throws {
        let count = try sorted.count
        guard count > 0, !tail.isNull else { return nil }
        var previous = FeedPosition.end
        for index in stride(from: 0, to: count - 1, by: 2) {
            let member = try sorted[index].int64
            let position = FeedPosition(rawValue: -(try sorted[index + 1].int64))
            if member == 0, position == .beginning, index == count - 2 {
                reachesBeginning = true
                continue
            }
            // A reshare is later than the post.
            if position >= previous || position.rawValue < member { misordered += 1 }
            previous = position
            entries.append(FeedEntry(position: position, post: PostID(rawValue: member)))
        }
        floor = reachesBeginning ? .beginning : entries.last?.position ?? .beginning
        try tail.withBytes { addTail($0) }
    }

    /// Adds the entries of a tail: behind a stamp of eight bytes big-endian words, of which one with the highest bit is
    /// a position, and any other the post that stands there, or at itself.
    private mutating func addTail(_ bytes: UnsafeRawBufferPointer) {
        var position: UInt64?
        for start in stride(from: 8, to: bytes.count, by: 8) {
            let word = bytes[start..<min(start + 8, bytes.count)].reduce(UInt64(0)) { $0 << 8 | UInt64($1) }
            if word >> 63 == 1 {
                if position != nil { misordered += 1 }
                position = word & (UInt64.max >> 1)
                continue
            }
            let place = position ?? word
            position = nil
            if place < word { misordered += 1 }
            let entry = FeedEntry(
                position: FeedPosition(rawValue: Int64(place)), post: PostID(rawValue: Int64(word)))
            if entry.position >= floor { entries.append(entry) }
        }
        if bytes.count < 8 || bytes.count % 8 != 0 || position != nil { misordered += 1 }
    }
}
