/// The depth of windows, in entries.
package struct WindowDepth: Sendable, Equatable {
    /// Entries that a window keeps when it is trimmed, unless the setting `window-cap` says otherwise.
    package static let defaultCap = 128
    /// Valid values of `window-cap`.
    package static let caps = 16...1_024
    /// Entries by which a window may exceed its cap before it is trimmed, so that one trim serves many pushes.
    package static let slack = 64

    package let cap: Int
    package let slack: Int

    package init(cap: Int = WindowDepth.defaultCap) {
        self.cap = cap
        slack = Self.slack
    }

    /// Length at which the next push trims the window.
    package var limit: Int { cap + slack }
    /// The minimum of `zset-max-listpack-entries` at which no window becomes a skiplist.
    package var listpackEntries: Int { limit + PushBatch.postsPerCall + 32 }
}
