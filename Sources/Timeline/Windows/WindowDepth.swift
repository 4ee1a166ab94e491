import RedisClient

/// The depth of windows, in entries.
package struct WindowDepth: Sendable, Equatable {
    /// Entries of a window's sorted set, unless the setting `window-cap` says otherwise.
    package static let defaultCap = 128
    /// Valid values of `window-cap`.
    package static let caps = 16...1_024
    /// Entries that wait in a tail before it is folded, so that one fold serves many pushes: this many or up to 46 %
    /// more, which depends on the reader. At twice as many the push that has found them folds them itself.
    package static let defaultSlack = 128

    package let cap: Int
    package let slack: Int

    package init(cap: Int = WindowDepth.defaultCap, slack: Int = WindowDepth.defaultSlack) {
        self.cap = cap
        self.slack = slack
    }

    /// The length in bytes below which no tail is full. An entry at the place of a reshare has two words.
    var tailBytes: Int { WindowTail.stampBytes + slack * WindowTail.wordBytes }
    /// The length in bytes at which tails of a bucket are full when its windows share calls with those of others: up to
    /// 46 % more than the least. Windows of a bucket that get the same posts are then folded by one call, and those of
    /// different buckets at different times.
    func fullTail(in bucket: RedisBucket) -> Int { tailBytes + bucket.number % 61 * tailBytes / 130 }
    /// The minimum of `zset-max-listpack-entries` at which no window becomes a skiplist.
    package var listpackEntries: Int { cap + 32 }
}
