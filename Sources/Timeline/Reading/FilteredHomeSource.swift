import CoreMetrics
import Logging
import RedisClient
import SocialGraph

/// The source of candidates for one filtered home page: the home window above a filter window's ceiling, the filter
/// window below it, and SQLite below that or without a filter window.
///
/// In SQLite, if few posts match, each one is checked, at any position in the reader's timeline. Otherwise there are
/// two ways: through the reader's timeline in search of matching posts, or through the matching posts in search of the
/// reader's. The shorter way depends on the rarity of the filter and on the number of the reader's follows. Both take a
/// step, and the one that got further down continues.
struct FilteredHomeSource {
    /// Maximum number of matching posts that a home page checks one by one.
    static let enumeratedMatches = 512
    /// Entries of the home window read at once above a filter window.
    static let newestAtOnce = 21
    /// Entries of the home window examined for each match from which a filter window is worthwhile.
    static let filterWindowGain = 2

    private enum Way { case undecided, home, topics }

    private var home: HomeSource
    private let windows: FilterWindows
    private let filter: FeedFilter
    private let key: FilterWindows.Key
    private var window: FilterWindows.Window?
    private var isLookedUp = false
    private var isHeadAsked = false
    private var isSparse = false
    private var way = Way.undecided
    private var size = 64
    private var steps = 0
    private var entriesAbove = 0

    init(home: HomeSource, windows: FilterWindows, filter: FeedFilter) {
        self.home = home
        self.windows = windows
        self.filter = filter
        key = FilterWindows.Key(viewer: home.viewer.context.viewer, filter: filter)
    }

    private var sources: HomeSources { home.sources }
    private var context: ViewerContext { home.viewer.context }

    mutating func next(below cursor: FeedPosition, limit: Int) async throws -> FeedSlice {
        if !isLookedUp {
            isLookedUp = true
            window = windows.window(key, for: context)
            (window == nil ? sources.metrics.filterMisses : sources.metrics.filterHits).increment()
        }
        if let window {
            if cursor.rawValue > window.ceiling.rawValue + 1 {
                return try await above(window.ceiling, below: cursor, limit: limit)
            }
            if let slice = try await stored(window, below: cursor, limit: limit) { return slice }
            self.window = nil
        }
        // The home window is cheap to search, as far down as it is complete.
        if let slice = try await home.windowed(below: cursor, limit: FilterWindows.length) { return slice }
        return try await deep(below: cursor)
    }

    /// Records the yield of a slice.
    mutating func note(shown: Int, of entries: Int) {
        let isLong = entries > FilterWindows.length / 2
        if window == nil, isLong, shown * Self.filterWindowGain < entries { isSparse = true }
    }

    /// Requests a filter window if the page was expensive, or if many entries lie above the existing window.
    func finish() {
        if steps > 0 || isSparse || entriesAbove > FilterWindows.length / 2 {
            windows.requestBuild(key)
        }
    }

    /// Returns the entries added above the filter window since its build.
    private mutating func above(
        _ ceiling: FeedPosition, below cursor: FeedPosition, limit: Int
    ) async throws -> FeedSlice {
        // Usually nothing is above, and the page is the head of the filter window.
        let head = FeedPosition(rawValue: ceiling.rawValue + 1)
        if let window, !isHeadAsked {
            isHeadAsked = true
            home.asksBeside = windows.sliceCommand(window, of: key, below: head, count: limit)
        }
        // About one page.
        let slice = try await home.next(below: cursor, limit: max(limit, Self.newestAtOnce))
        entriesAbove += slice.entries.count { $0.position > ceiling }
        guard slice.end <= ceiling else { return slice }
        return FeedSlice(entries: slice.entries.filter { $0.position > ceiling }, end: head)
    }

    private func stored(
        _ window: FilterWindows.Window, below cursor: FeedPosition, limit: Int
    ) async throws -> FeedSlice? {
        if cursor.rawValue == window.ceiling.rawValue + 1, let head = home.foundBeside { return head }
        do {
            return try await windows.slice(window, of: key, below: cursor, count: limit)
        } catch let error as RedisError {
            sources.logger.debug("filter window not readable", metadata: ["error": "\(error.message)"])
            return nil
        }
    }

    mutating func deep(below cursor: FeedPosition) async throws -> FeedSlice {
        steps += 1
        let topics = filter.topics ?? []
        // The first step of the ways below is cheap, and usually sufficient if there are topics.
        if steps == (topics.isEmpty ? 1 : 2), let slice = try await enumerated(below: cursor) { return slice }
        // Attributes alone identify no posts of the reader's.
        if topics.isEmpty { way = .home }
        let budget = max(size * 8, topics.count * 64)
        defer {
            size = min(size * 2, PageAssembly.candidatesAtOnce)
            // The shorter way may change further down.
            if steps.isMultiple(of: 8) { way = .undecided }
        }
        switch way {
        case .home: return try await sources.feeds.homeSlice(of: context, below: cursor, limit: size)
        case .topics:
            return try await sources.feeds.filteredSlice(of: context, topics: topics, below: cursor, budget: budget)
        case .undecided:
            let one = try await sources.feeds.homeSlice(of: context, below: cursor, limit: size)
            let other = try await sources.feeds.filteredSlice(
                of: context, topics: topics, below: cursor, budget: budget)
            way = other.end <= one.end ? .topics : .home
            var slice = way == .topics ? other : one
            slice.examined = one.examined + other.examined
            return slice
        }
    }

    /// The rest of the filtered timeline from all matching posts; nil if there are too many.
    private func enumerated(below cursor: FeedPosition) async throws -> FeedSlice? {
        guard let conditions = filter.conditions() else { return nil }
        let matches = try await sources.feeds.slice(
            of: conditions, below: .end, limit: Self.enumeratedMatches,
            budget: Self.enumeratedMatches * 4)
        guard matches.end == .beginning else { return nil }
        let rule = VisibilityRule(context: context)
        var entries: [FeedEntry] = []
        let posts = try await sources.caches.fragments(of: matches.entries.map(\.post)).compactMap(\.self)
        // Fetched together, so that each of them is known when its position is computed.
        _ = try await sources.caches.reshares(of: posts.filter { !rule.reachesDirectly($0) }.map(\.id))
        for post in posts {
            guard let place = try await sources.caches.place(of: post, rule), place < cursor else { continue }
            entries.append(FeedEntry(position: place, post: post.id))
        }
        entries.sort { $0.position > $1.position }
        return FeedSlice(
            entries: entries, end: .beginning, examined: matches.examined + matches.entries.count)
    }
}
