import RedisClient
import SocialGraph

/// Every bound of this module in one place, related by ``assertConsistency()``.
package enum TimelineLimits {
    /// Connections that may look at posts at a time, and comments that may wait for one of them.
    package static let postStreams = 10_000
    package static let postStreamsPerReader = 16
    package static let postStreamQueue = 256
    /// Unread notifications that are counted; more are so many.
    package static let unreadCounted = 1_000
    /// Entries a window keeps when it is trimmed; the setting `window-cap` overrides it.
    package static let defaultCap = 128
    package static let capRange = 16...1_024
    /// Entries a window may grow past its cap before it is trimmed, so that a trim pays for many pushes.
    package static let slack = 64
    /// Posts in one push or merge call.
    package static let postsPerCall = 32
    /// Windows in one script call, fewer in a push while pages are being read, and entries at which a call takes no
    /// further window: Redis answers nobody else meanwhile. Fewer: so many that one push of a post does not use up what
    /// may be under way, and two do.
    package static let windowsPerCall = 500
    package static let windowsPerCallGivingWay = RedisLimits.argumentsInFlightGivingWay * 5 / 6
    package static let entriesPerCall = 2_000
    /// Deliveries at which a batch takes no further part of an audience; turns that it may take; and batches that Redis
    /// has at a time.
    package static let deliveriesPerBatch = 65_536
    package static let turnsPerBatch = 1_024
    package static let concurrentBatches = 2
    /// Members of an audience read from SQLite at once: a few calls' worth, sent in one pipeline. Each author's
    /// posts wait for one of these of every other, in the batches under way.
    package static let audienceChunk = 1_000
    /// Steps of jobs other than pushes done at a time.
    package static let concurrentJobs = 8
    /// Jobs read from the outbox at once, and jobs in memory at which reading ahead pauses.
    package static let outboxBatch = 1_024
    package static let jobsInRotation = 100_000
    /// Jobs in the outbox up to which it is counted each time it is asked for.
    package static let jobsCounted: Int64 = 10_000
    /// Rebuilds worked on at a time, those of them that read SQLite, windows of one, and readers that may wait for one.
    package static let concurrentRebuilds = 4
    package static let concurrentSnapshots = 2
    package static let windowsPerBuild = 32
    package static let rebuildQueue = 65_536
    /// Seconds after which Redis forgets a window whose build was abandoned.
    package static let buildExpiry: Int64 = 120
    /// How long a window is kept without being read; the setting `window-idle` overrides it.
    package static let defaultIdle = Duration.seconds(30 * 86_400)
    /// A window's time starts anew with the first read after this share of it.
    package static let idleShare = 30
    /// Readers whose last reads are remembered.
    package static let recentReaders = 100_000
    /// Recent readers that a large fan-out serves before all others, and the followers that make one large: to find
    /// those readers takes as long as to push to some hundred windows, and others of a small audience come right after.
    package static let readersServedFirst = 1_000
    package static let largeAudience: Int64 = 4_000
    /// Followers of a former hub whose windows one step of its landing looks after.
    package static let landingChunk = 128
    /// Rows that one request may examine.
    package static let examinedRows = SocialGraphLimits.examinedRows
    /// Posts that match a filter up to which a home page looks at all of them, wherever they stand.
    package static let enumeratedMatches = 512
    /// Candidates looked at in one go in search of posts that meet a rare condition.
    package static let candidatesAtOnce = 512
    /// Entries of the home window that are looked at in one go above a filter window.
    package static let newestAtOnce = 21
    /// Entries of a filter window; how long it is kept; how many are known of at a time; and rows that a look at a
    /// filter's topics may cost in one go.
    package static let filterWindowLength = 128
    package static let filterWindowLifetime: Int64 = 3_600
    package static let filterWindows = 100_000
    package static let filterScanBudget = 2_048
    /// Entries of the home window that must be looked at for each that matches, so that a filter window is worth it.
    package static let filterWindowGain = 2
    /// Events that may put older posts into timelines and that filter windows are held against.
    package static let lateEventsKept = 10_000
    /// Windows that the audit looks at in one go, and its pause in between.
    package static let auditBatch = 64
    package static let auditPause = Duration.seconds(5)
    /// Open streams, of all readers and of one; events that wait in one; and changes looked at in one go.
    package static let streams = 20_000
    package static let streamsPerReader = 8
    package static let streamQueue = 256
    package static let streamBatch = 512
    /// Items that a stream remembers to have told of.
    package static let streamItemsTold = 64
    /// Encoded posts kept in memory; what is known of readers, in followee ids; lists of reshares, in reshares; and
    /// newest entries of pulled feeds.
    package static let cachedPosts = 100_000
    package static let cachedContexts = 4_000_000
    package static let cachedReshares = 1_000_000
    package static let cachedHeads = 4_000_000
    package static let cachedTopics = 100_000
    /// First reshares of a post that are kept in memory.
    package static let resharesKept = 64
    /// Newest entries of a pulled feed that are kept in memory.
    package static let headLength = 128

    /// The value that `zset-max-listpack-entries` must have so that no window ever turns into a skiplist.
    package static func listpackEntries(cap: Int) -> Int { cap + slack + postsPerCall + 32 }

    package static func assertConsistency() {
        precondition(capRange.contains(defaultCap))
        precondition(
            examinedRows > 2 * candidatesAtOnce * SocialGraphLimits.pageSize.upperBound / 10,
            "a request must get further than its first steps")
        precondition(capRange.lowerBound >= postsPerCall / 2, "a call must not turn a whole window over twice")
        precondition(outboxBatch <= jobsInRotation, "a batch must fit into the rotation")
        precondition(readersServedFirst <= audienceChunk, "those served first must not outnumber a chunk")
        precondition(largeAudience > audienceChunk, "a large audience has several chunks")
        precondition(entriesPerCall + postsPerCall <= 0xFFFF, "the groups of a call are numbered in two bytes")
        precondition(postsPerCall <= 0xFF, "the groups of a window are counted in a byte")
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
