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
    /// trimmed since.
    init(viewer: UserID, stored: StoredWindow, expected: [ExpectedWindowEntry]) {
        self.viewer = viewer
        entries = stored.entries.count
        misordered = stored.misordered
        let expectedEntries = Dictionary(uniqueKeysWithValues: expected.map { ($0.post, $0) })
        for entry in stored.entries {
            guard let expected = expectedEntries[entry.post], expected.places.contains(entry.position) else {
                extra.append(entry.post)
                continue
            }
            if let pushed = expected.pushed, expected.first >= stored.floor, entry.position > pushed {
                misplaced.append(entry.post)
            }
        }
        let inWindow = Set(stored.entries.map(\.post))
        missing = expected.filter { expected in
            guard expected.pushed != nil, expected.first >= stored.floor else { return false }
            return !inWindow.contains(expected.post)
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
    /// Entries by rank, newest first.
    var entries: [FeedEntry] = []
    var reachesBeginning = false
    var misordered = 0

    /// The lowest position to compare with the truth.
    var floor: FeedPosition { reachesBeginning ? .beginning : entries.last?.position ?? .beginning }

    /// Decodes the reply of `ZRANGE key 0 -1 WITHSCORES`. Returns nil if there is no window.
    init?(reply: RedisReplyView) throws {
        let count = try reply.count
        guard count > 0 else { return nil }
        var previous = FeedPosition.end
        for index in stride(from: 0, to: count - 1, by: 2) {
            let member = try reply[index].int64
            let position = FeedPosition(rawValue: -(try reply[index + 1].int64))
            if member == 0, position == .beginning, index == count - 2 {
                reachesBeginning = true
                continue
            }
            // A reshare is later than the post.
            if position >= previous || position.rawValue < member { misordered += 1 }
            previous = position
            entries.append(FeedEntry(position: position, post: PostID(rawValue: member)))
        }
    }
}
