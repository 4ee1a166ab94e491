import Database
import Logging
import RedisClient
import SocialGraph
import TestSupport
import Testing

@testable import Timeline

/// Folds that wait beside deliveries.
@Suite(.timeLimit(.process))
struct FoldQueueTests {
    @Test(.redisServer)
    func `windows that get the same posts are full at different times`() async throws {
        try await withWindows { windows async throws in
            let folds = FoldQueue()
            let writer = windows.writer(folds: folds)
            // Ids in a row, and those of accounts made one at a time.
            let viewers = (0..<244).map { UserID(rawValue: 900_000 + $0 * ($0.isMultiple(of: 2) ? 1 : 4_096)) }
            _ = try await writer.build(viewers) { $0.map { _ in [] } }
            try await writer.push((1...127).map(at), to: viewers)
            #expect(folds.count == 0)
            for post in Int64(128)...188 {
                let before = folds.count
                try await writer.push([at(post)], to: viewers)
                #expect(folds.count - before < 20, "at post \(post)")
                for viewer in [viewers[0], viewers[1], viewers[243]] {
                    #expect(folds.isWaiting(viewer) == (post >= windows.fullTail(viewer)))
                }
            }
            #expect(folds.count == 244)
        }
    }

    @Test(.redisServer)
    func `a push leaves a full tail to the queue, and pages are the same before and after the fold`() async throws {
        try await withWindows { windows async throws in
            let folds = FoldQueue(pause: .zero)
            let writer = windows.writer(folds: folds)
            let reader = WindowReader(connection: windows.connection, space: windows.space)
            try await windows.makeWindow(viewer, [1])
            let last = windows.bound - 1
            for post in 2...last + 1 { try await writer.push([at(post)], to: [viewer]) }
            #expect(try await windows.waiting(viewer)?.count == Int(last), "just below its bound")
            #expect(folds.count == 1)
            let before = try await reader.slice(of: viewer, below: .end, count: 16)
            #expect(before?.entries == (0..<16).map { at(last + 1 - $0) })
            await withTaskGroup(of: Void.self) { group in
                group.addTask { await writer.runFolds() }
                // Not for synchronisation: the pause between two polls.
                while folds.count > 0 { try? await Task.sleep(for: .milliseconds(1)) }
                group.cancelAll()
            }
            #expect(try await windows.waiting(viewer) == [])
            #expect(try await windows.sortedSet(viewer).count == 16)
            #expect(try await reader.slice(of: viewer, below: .end, count: 16)?.entries == before?.entries)
        }
    }

    @Test(.redisServer)
    func `a push folds itself if the tail has twice its length or the queue is full`() async throws {
        try await withWindows { windows async throws in
            let folds = FoldQueue(capacity: 1)
            let writer = windows.writer(folds: folds)
            try await windows.makeWindow(viewer, [1])
            try await windows.makeWindow(otherViewer, [1])
            let full = max(windows.fullTail(viewer), windows.fullTail(otherViewer))
            try await writer.push((2...windows.fullTail(viewer) + 1).map(at), to: [viewer])
            #expect(folds.isWaiting(viewer))
            try await writer.push((2...full + 1).map(at), to: [otherViewer])
            #expect(!folds.isWaiting(otherViewer))
            #expect(try await windows.waiting(otherViewer) == [], "there was no room")
            try await writer.push((windows.fullTail(viewer) + 2...windows.bound + 2).map(at), to: [viewer])
            #expect(try await windows.waiting(viewer) == [], "it had waited too long")
            // The fold in the queue finds a short tail and leaves it.
            try await writer.push([at(windows.bound + 3)], to: [viewer])
            try await writer.fold(folds.take(1), ofAtLeast: writer.depth.tailBytes)
            #expect(try await windows.waiting(viewer) == [at(windows.bound + 3)])
        }
    }

    @Test(.redisServer)
    func `a fold that is lost is asked for by the next push`() async throws {
        try await withWindows { windows async throws in
            let folds = FoldQueue()
            let writer = windows.writer(folds: folds)
            try await windows.makeWindow(viewer, [1])
            let full = windows.fullTail(viewer)
            try await writer.push((2...full + 1).map(at), to: [viewer])
            #expect(folds.take(10) == [viewer] && folds.count == 0)
            try await writer.push([at(full + 2)], to: [viewer])
            #expect(folds.count == 1)
        }
    }

    /// Random acts on a window whose folds are delayed and lost, compared with what would be in it. With a slack of 6
    /// each fold needs the sorted set, with one of 24 most do not.
    @Test(.redisServer, arguments: [true, false], [6, 24])
    func `windows are right however long folds wait, whatever comes between`(
        isConcurrent: Bool, slack: Int
    ) async throws {
        try await withWindows { windows async throws in
            let folds = FoldQueue(capacity: 1, pause: .zero)
            let writer = windows.writer(folds: folds, depth: WindowDepth(cap: 16, slack: slack))
            var history = WindowHistory(windows: windows, writer: writer, seed: UInt64(isConcurrent ? 251 : 252))
            try await withThrowingTaskGroup(of: Void.self) { group in
                if isConcurrent { group.addTask { await writer.runFolds() } }
                for _ in 0..<3_000 {
                    try await history.act()
                    if !isConcurrent { try await history.foldOrLose(folds) }
                    try await history.check()
                }
                group.cancelAll()
            }
            #expect(history.checks > 1_500 && history.lateEntries > 50 && history.longestTail > slack)
        }
    }
}

extension WindowFixture {
    /// The number of entries at which a tail does not wait any longer.
    fileprivate var bound: Int64 { Int64(writer.depth.tailBytes * 2 - 8) / 8 }

    func writer(folds: FoldQueue, depth: WindowDepth? = nil) -> WindowWriter {
        WindowWriter(
            connection: connection, space: space, depth: depth ?? writer.depth, folds: folds, logger: .silent)
    }
}

/// A window, and the reasons of its posts as the graph has them.
private struct WindowHistory {
    let windows: WindowFixture
    let writer: WindowWriter
    let reader: WindowReader
    var random: SplitMix64
    var now: Int64 = 1_000
    /// The places of each post, oldest first: its own, if it has that, and those of reshares.
    var places: [Int64: [Int64]] = [:]
    var checks = 0
    var lateEntries = 0
    var longestTail = 0

    init(windows: WindowFixture, writer: WindowWriter, seed: UInt64) {
        self.windows = windows
        self.writer = writer
        reader = WindowReader(connection: windows.connection, space: windows.space)
        random = SplitMix64(seed: seed)
    }

    private mutating func roll(_ sides: Int) -> Int { Int(random.next() % UInt64(sides)) }

    private func anyPost(_ number: Int) -> Int64? {
        let posts = places.keys.sorted().suffix(30)
        return posts.isEmpty ? nil : Array(posts)[number % posts.count]
    }

    mutating func act() async throws {
        now += 2
        let number = roll(1_000)
        switch roll(100) {
        case 0..<60: try await add(at(now))
        case 60..<72:
            guard let post = anyPost(number) else { return }
            try await add(reshared(post, at: now))
        case 72..<76:
            // A post that has waited for approval, say.
            let post = now - 1 - Int64(roll(60)) / 2 * 2
            guard places[post] == nil else { return }
            lateEntries += 1
            try await add(at(post))
        case 76..<84:
            guard let post = anyPost(number), let place = places[post]?.first else { return }
            places[post]?.removeFirst()
            let found = try await writer.retract(reshared(post, at: place), from: [viewer])
            if let next = places[post]?.first, !found.isEmpty {
                try await writer.push([reshared(post, at: next)], to: [viewer])
            } else if places[post]?.isEmpty == true {
                places[post] = nil
            }
        case 84..<90:
            guard let post = anyPost(number) else { return }
            places[post] = nil
            try await writer.remove([PostID(rawValue: post)], from: [viewer])
        case 90..<97: try await build()
        case 97: try await writer.evict([viewer])
        case 98: try await writer.evictAll()
        default: _ = try await windows.text(RedisCommand("FLUSHALL", []))
        }
    }

    private mutating func add(_ entry: FeedEntry) async throws {
        places[entry.post.rawValue, default: []].append(entry.position.rawValue)
        places[entry.post.rawValue]?.sort()
        try await writer.push([entry], to: [viewer])
    }

    /// Builds a missing window, now and then an existing one.
    private mutating func build() async throws {
        let exists = (try? await reader.slice(of: viewer, below: .end, count: 1)) != nil
        guard !exists || roll(8) == 0 else { return }
        let snapshot = places.compactMap { post, places in places.first.map { reshared(post, at: $0) } }
            .sorted { $0.position > $1.position }.prefix(16)
        _ = try await writer.build(viewer) { Array(snapshot) }
    }

    mutating func foldOrLose(_ folds: FoldQueue) async throws {
        switch roll(12) {
        case 0: _ = folds.take(1)
        case 1: try await writer.fold(folds.take(1), ofAtLeast: writer.depth.tailBytes)
        default: break
        }
    }

    /// Compares the window, if there is one, with the reasons.
    mutating func check() async throws {
        guard let slice = try? await reader.slice(of: viewer, below: .end, count: 1_000) else { return }
        checks += 1
        longestTail = max(longestTail, try await windows.waiting(viewer)?.count ?? 0)
        for entry in slice.entries {
            let reasons = places[entry.post.rawValue] ?? []
            #expect(reasons.contains(entry.position.rawValue), "\(entry) stands where no reason is")
        }
        let held = Set(slice.entries.map { "\($0)" })
        for (post, reasons) in places {
            guard let first = reasons.first, first >= slice.end.rawValue else { continue }
            #expect(held.contains("\(reshared(post, at: first))"), "\(post) at \(first) is missing above \(slice.end)")
        }
    }
}
