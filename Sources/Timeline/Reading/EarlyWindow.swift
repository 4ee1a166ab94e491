import SocialGraph

/// The newest entries of a home window, read while the node was looking at the change log, so that a page does not wait
/// for one after the other. They stand for those that are there after the look if nothing has happened in between, as
/// ``PageEvents`` tells.
package struct EarlyWindow: Sendable {
    /// That for the page that the present task answers.
    @TaskLocal package static var current: EarlyWindow?

    let viewer: UserID
    /// The largest number of entries that it tells about.
    let count: Int
    /// Nil: Redis has not answered.
    let slices: WindowSlices?
    fileprivate let keys: WindowKeys
    fileprivate let events: Int
}

extension HomeSources {
    /// Reads up to `count` of the newest entries of a window; nil if no window is trusted.
    func early(of viewer: UserID, count: Int) async -> EarlyWindow? {
        let (events, reader) = (pendingWrites.events.count, windows.reader(of: viewer))
        guard let keys = reader.keys else { return nil }
        let slices = try? await reader.slices(of: viewer, below: .end, count: count, beside: nil)
        return EarlyWindow(viewer: viewer, count: count, slices: slices, keys: keys, events: events)
    }

    /// Returns whether `early` is what a read of the newest `count` entries would find now. Asked after the caches.
    func holds(_ early: EarlyWindow, of viewer: UserID, count: Int) -> Bool {
        guard early.viewer == viewer, count <= early.count else { return false }
        if !mechanisms.dropsEarlyWindows { return true }
        return early.events == pendingWrites.events.count && early.keys == windows.reader(of: viewer).keys
    }
}
