import SocialGraph

/// A stored window held against the truth.
package struct WindowVerdict: Sendable, Equatable {
    package let viewer: UserID
    package var entries = 0
    /// In the truth at or above the window's floor, not in the window.
    package var missing: [PostID] = []
    /// In the window, not in the truth.
    package var extra: [PostID] = []
    /// Entries whose score is not minus their id, or that stand out of order.
    package var misordered = 0

    package var isClean: Bool { missing.isEmpty && extra.isEmpty && misordered == 0 }

    /// Judges `stored` (as read from Redis, by rank) against `truth`, the whole truth from the stored floor upwards,
    /// newest first.
    init(viewer: UserID, stored: StoredWindow, truth: [PostID]) {
        self.viewer = viewer
        entries = stored.entries.count
        misordered = stored.misordered
        let inWindow = Set(stored.entries)
        let inTruth = Set(truth)
        missing = truth.filter { !inWindow.contains($0) }
        extra = stored.entries.filter { !inTruth.contains($0) }
    }

    package init(viewer: UserID) { self.viewer = viewer }
}

/// A window as Redis holds it.
struct StoredWindow: Sendable, Equatable {
    /// By rank: newest first.
    var entries: [PostID] = []
    var reachesBeginning = false
    var misordered = 0

    /// The truth is asked from here upwards.
    var floor: PostID { reachesBeginning ? PostID(rawValue: 0) : entries.last ?? PostID(rawValue: 0) }

    /// `reply`: ZRANGE key 0 -1 WITHSCORES. Nil if there is no window.
    init?(reply: RedisReplyView) throws {
        let count = try reply.count
        guard count > 0 else { return nil }
        var previous = Int64.max
        for index in stride(from: 0, to: count - 1, by: 2) {
            let member = try reply[index].int64
            let score = try reply[index + 1].int64
            if member == 0, score == 0, index == count - 2 {
                reachesBeginning = true
                continue
            }
            if score != -member || member >= previous { misordered += 1 }
            previous = member
            entries.append(PostID(rawValue: member))
        }
    }
}
