/// How deep windows are.
package struct WindowDepth: Sendable, Equatable {
    /// Entries that a window keeps when it is trimmed, unless the setting `window-cap` says otherwise.
    package static let defaultCap = 128
    /// Values that `window-cap` may have.
    package static let caps = 16...1_024
    /// Entries that a window may grow past its cap before it is trimmed, so that a trim pays for many pushes.
    package static let slack = 64

    package let cap: Int
    package let slack: Int

    package init(cap: Int = WindowDepth.defaultCap) {
        self.cap = cap
        slack = Self.slack
    }

    /// Entries at which the next push trims.
    package var limit: Int { cap + slack }
    /// The value that `zset-max-listpack-entries` must have so that no window ever turns into a skiplist.
    package var listpackEntries: Int { limit + PushBatch.postsPerCall + 32 }
}
