import Algorithms
import CoreMetrics
import Database
import SocialGraph
import Synchronization

/// The newest entries of the windows of recent readers, in memory, so that their first pages need no answer from Redis.
///
/// Kept entries follow the windows: a push that Redis has answered is applied to them, and any other change ends them.
/// They are exact for the reason that windows are: whatever changes a window changes them before its job is done. What
/// is pushed while a slice is on its way from Redis waits for it.
package final class RecentWindows: Sendable {
    /// Maximum number of windows, of at most 1.5 kB each.
    package static let defaultCapacity = 20_000
    /// Maximum number of entries that are kept of a slice, and to which a window is cut when it has reached twice as
    /// many.
    static let entriesPerWindow = 48
    /// Number of pages after which a window is read from Redis again, which evicts first what has not been read.
    static let pagesPerLoad = 64
    /// Maximum number of windows changed under one lock.
    private static let windowsAtOnce = 128

    /// The right to keep the slice of a window that is read from now on.
    struct Load: Sendable {
        let viewer: UserID
        fileprivate let number: UInt64
    }

    private struct State {
        var windows: TwoGenerations<UserID, RecentWindow>
        var loads: UInt64 = 0
    }

    private let state: Mutex<State>
    private let pages = Counter(label: "graphd_window_memory_reads_total")

    package init(capacity: Int = RecentWindows.defaultCapacity) {
        state = Mutex(State(windows: TwoGenerations(capacity: capacity) { _ in 1 }))
    }

    /// Returns `count` entries strictly below `cursor`, or all if there are fewer. Returns nil if they are not in
    /// memory.
    func slice(of viewer: UserID, below cursor: FeedPosition, count: Int) -> FeedSlice? {
        let slice = state.withLock { $0.windows.use(viewer) { $0.slice(below: cursor, count: count) } } ?? nil
        if slice != nil { pages.increment() }
        return slice
    }

    /// Called before the window is read. Nil while another load of the same window is under way.
    func beginLoad(of viewer: UserID) -> Load? {
        state.withLock { state in
            if state.windows.use(viewer, { $0.load != nil }) == true { return nil }
            state.loads += 1
            state.windows.insert(RecentWindow(load: state.loads), for: viewer)
            return Load(viewer: viewer, number: state.loads)
        }
    }

    /// Keeps `slice`, the first entries of the window, unless the window was changed otherwise than by pushes since
    /// the load began. Nil ends the load.
    func finish(_ load: Load, with slice: FeedSlice?) {
        state.withLock { state in
            let isKept = state.windows.use(load.viewer) { window in
                guard window.load == load.number else { return true }
                guard let slice else { return false }
                return window.complete(with: slice)
            }
            if isKept == false { state.windows.remove(load.viewer) }
        }
    }

    /// Applies a push that Redis has executed.
    ///
    /// - Parameter entries: Oldest first.
    func push(_ entries: [FeedEntry], to viewers: [UserID]) {
        for part in viewers.chunks(ofCount: Self.windowsAtOnce) {
            let isEmpty = state.withLock { state in
                if state.windows.isEmpty { return true }
                for viewer in part { state.windows.update(viewer) { $0.push(entries) } }
                return false
            }
            if isEmpty { return }
        }
    }

    /// Ends the windows of `viewers`, and their loads.
    func forget(_ viewers: [UserID]) {
        for part in viewers.chunks(ofCount: Self.windowsAtOnce) {
            state.withLock { state in
                for viewer in part { state.windows.remove(viewer) }
            }
        }
    }

    /// Ends all windows, and all loads.
    func forgetAll() { state.withLock { $0.windows.removeAll() } }
}

/// The newest entries of one window, or what is pushed while they are read.
private struct RecentWindow: Sendable {
    /// Oldest first.
    private var entries: [FeedEntry] = []
    /// The place down to which the entries are complete, inclusive.
    private var end = FeedPosition.beginning
    private var pages = 0
    /// The number of the load under way.
    private(set) var load: UInt64?

    init(load: UInt64) { self.load = load }

    mutating func slice(below cursor: FeedPosition, count: Int) -> FeedSlice? {
        guard load == nil, pages < RecentWindows.pagesPerLoad else { return nil }
        let upper = cursor == .end ? entries.count : entries.partitioningIndex { $0.position >= cursor }
        let lower = max(upper - count, 0)
        guard lower > 0 || upper == count || end == .beginning else { return nil }
        pages += 1
        return FeedSlice(
            entries: Array(entries[lower..<upper].reversed()), end: lower > 0 ? entries[lower].position : end)
    }

    /// Returns false if too much was pushed meanwhile.
    mutating func complete(with slice: FeedSlice) -> Bool {
        let pushed = entries
        guard pushed.count < RecentWindows.entriesPerWindow else { return false }
        entries = slice.entries.reversed()
        end = slice.end
        pages = 0
        load = nil
        push(pushed)
        return true
    }

    mutating func push(_ pushed: [FeedEntry]) {
        if load != nil {
            if entries.count < RecentWindows.entriesPerWindow { entries += pushed }
            return
        }
        for entry in pushed where entry.position > end { insert(entry) }
        guard entries.count >= RecentWindows.entriesPerWindow * 2 else { return }
        entries.removeFirst(entries.count - RecentWindows.entriesPerWindow)
        end = entries[0].position
    }

    private mutating func insert(_ entry: FeedEntry) {
        if entries.last.map({ $0.position < entry.position }) ?? true { return entries.append(entry) }
        let index = entries.partitioningIndex { $0.position >= entry.position }
        if entries[index] != entry { entries.insert(entry, at: index) }
    }
}
