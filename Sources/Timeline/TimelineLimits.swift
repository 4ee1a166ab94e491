/// Every bound of this module in one place, related by ``assertConsistency()``.
package enum TimelineLimits {
    /// Entries a window keeps when it is trimmed; the setting `window-cap` overrides it.
    package static let defaultCap = 128
    package static let capRange = 16...1_024
    /// Entries a window may grow past its cap before it is trimmed, so that a trim pays for many pushes.
    package static let slack = 64
    /// Posts in one push or merge call.
    package static let postsPerCall = 32
    /// Windows in one script call.
    package static let windowsPerCall = 500
    /// Members of an audience read from SQLite at once: a few calls' worth, sent in one pipeline.
    package static let audienceChunk = 2_000
    /// Fan-out jobs worked on at a time.
    package static let concurrentJobs = 8
    /// Jobs read from the outbox at once.
    package static let outboxBatch = 256
    /// Rebuilds worked on at a time, and readers that may wait for one.
    package static let concurrentRebuilds = 2
    package static let rebuildQueue = 65_536
    /// Seconds after which Redis forgets a window whose build was abandoned.
    package static let buildExpiry: Int64 = 120
    /// Encoded posts kept in memory, and followee ids kept for readers.
    package static let cachedPosts = 100_000
    package static let cachedFollowees = 4_000_000

    /// The value that `zset-max-listpack-entries` must have so that no window ever turns into a skiplist.
    package static func listpackEntries(cap: Int) -> Int { cap + slack + postsPerCall + 32 }

    package static func assertConsistency() {
        precondition(capRange.contains(defaultCap))
        precondition(capRange.lowerBound >= postsPerCall / 2, "a call must not turn a whole window over twice")
        precondition(audienceChunk.isMultiple(of: windowsPerCall), "a chunk must fill its calls")
    }
}

/// How deep windows are.
package struct WindowDepth: Sendable, Equatable {
    package let cap: Int
    package let slack: Int

    package init(cap: Int = TimelineLimits.defaultCap) {
        self.cap = cap
        slack = TimelineLimits.slack
    }

    /// Entries at which the next push trims.
    package var limit: Int { cap + slack }
    package var listpackEntries: Int { TimelineLimits.listpackEntries(cap: cap) }
}
