import Database
import RedisClient
import SocialGraph
import TestSupport
import Testing

@testable import Timeline

@Suite(.timeLimit(.unit))
struct RecentWindowsTests {
    private let windows = RecentWindows()

    private func keep(_ posts: [Int64], end: Int64 = 0) throws {
        let load = try #require(windows.beginLoad(of: viewer))
        windows.finish(load, with: FeedSlice(entries: posts.map(at), end: FeedPosition(rawValue: end)))
    }

    /// The posts of a slice, and its end.
    private func slice(below cursor: FeedPosition = .end, _ count: Int) -> [Int64]? {
        windows.slice(of: viewer, below: cursor, count: count).map { slice in
            slice.entries.map(\.post.rawValue) + [slice.end.rawValue]
        }
    }

    @Test
    func `a slice that was read is in memory as far as it goes`() throws {
        #expect(slice(1) == nil)
        try keep([9, 7, 5], end: 5)
        #expect(slice(2) == [9, 7, 7])
        #expect(slice(3) == [9, 7, 5, 5])
        #expect(slice(4) == nil)
        #expect(slice(below: FeedPosition(rawValue: 9), 2) == [7, 5, 5])
        #expect(slice(below: FeedPosition(rawValue: 9), 3) == nil)
        #expect(slice(below: FeedPosition(rawValue: 5), 1) == nil)
    }

    @Test
    func `a slice down to the beginning answers however much is asked for`() throws {
        try keep([9, 7])
        #expect(slice(2) == [9, 7, 0])
        #expect(slice(50) == [9, 7, 0])
        #expect(slice(below: FeedPosition(rawValue: 7), 50) == [0])
    }

    @Test
    func `a push goes on in the copy, at its place, once, and not below the end`() throws {
        try keep([9, 5], end: 5)
        windows.push([at(11), at(12)], to: [otherViewer, viewer])
        windows.push([at(11)], to: [viewer])
        windows.push([reshared(3, at: 10), reshared(8, at: 4)], to: [viewer])
        #expect(slice(5) == [12, 11, 3, 9, 5, 5])
        #expect(windows.slice(of: otherViewer, below: .end, count: 1) == nil)
    }

    @Test
    func `what is pushed while a window is read is kept with it`() throws {
        let load = try #require(windows.beginLoad(of: viewer))
        windows.push([at(11)], to: [viewer])
        windows.push([at(3)], to: [viewer])
        #expect(slice(1) == nil)
        windows.finish(load, with: FeedSlice(entries: [at(9), at(5)], end: FeedPosition(rawValue: 5)))
        #expect(slice(3) == [11, 9, 5, 5])
    }

    @Test
    func `any other change ends the copy, and the load under way`() throws {
        try keep([9])
        windows.forget([viewer])
        #expect(slice(1) == nil)
        for end in [{ windows.forget([viewer]) }, { windows.forgetAll() }] {
            let load = try #require(windows.beginLoad(of: viewer))
            end()
            windows.finish(load, with: FeedSlice(entries: [at(9)], end: .beginning))
            #expect(slice(1) == nil)
        }
    }

    @Test
    func `a window is loaded once at a time, and a load that came too late ends no other`() throws {
        let first = try #require(windows.beginLoad(of: viewer))
        #expect(windows.beginLoad(of: viewer) == nil)
        windows.forget([viewer])
        let second = try #require(windows.beginLoad(of: viewer))
        windows.finish(first, with: FeedSlice(entries: [at(1)], end: .beginning))
        windows.finish(second, with: FeedSlice(entries: [at(9)], end: .beginning))
        #expect(slice(1) == [9, 0])
    }

    @Test
    func `a reader without a window, and a load with too many pushes, keep nothing`() throws {
        windows.finish(try #require(windows.beginLoad(of: viewer)), with: nil)
        #expect(slice(1) == nil)
        let load = try #require(windows.beginLoad(of: viewer))
        for post in 1...Int64(RecentWindows.entriesPerWindow) { windows.push([at(post)], to: [viewer]) }
        windows.finish(load, with: .nothing)
        #expect(slice(1) == nil)
        #expect(windows.beginLoad(of: viewer) != nil)
    }

    @Test
    func `a copy that has grown is cut, and ends where it was cut`() throws {
        try keep([1])
        let most = Int64(RecentWindows.entriesPerWindow)
        for post in 2..<most * 2 { windows.push([at(post)], to: [viewer]) }
        #expect(slice(1_000)?.count == Int(most) * 2)
        windows.push([at(most * 2)], to: [viewer])
        #expect(slice(1_000) == nil)
        #expect(slice(Int(most))?.suffix(2) == [most + 1, most + 1])
        windows.push([at(most)], to: [viewer])
        #expect(slice(Int(most) + 1) == nil)
    }

    @Test
    func `after some pages the window is read from Redis again`() throws {
        try keep([9])
        for _ in 0..<RecentWindows.pagesPerLoad { #expect(slice(1) == [9, 0]) }
        #expect(slice(1) == nil)
        try keep([9])
        #expect(slice(1) == [9, 0])
    }

    @Test
    func `the windows of those who have not read for long are given up`() throws {
        let few = RecentWindows(capacity: 10)
        for number in 1...100 {
            let load = try #require(few.beginLoad(of: UserID(rawValue: Int64(number))))
            few.finish(load, with: FeedSlice(entries: [at(9)], end: .beginning))
        }
        let kept = (1...100).filter { few.slice(of: UserID(rawValue: Int64($0)), below: .end, count: 1) != nil }
        #expect((5...10).contains(kept.count))
        #expect(kept.last == 100)
    }
}

@Suite(.timeLimit(.process))
struct RecentWindowReadingTests {
    @Test(.redisServer)
    func `pages come from memory until something but a push changes the window`() async throws {
        try await withWindows(recent: RecentWindows()) { windows async throws in
            let reader = WindowReader(connection: windows.connection, space: windows.space)
            @Sendable func page() async throws -> [Int64]? {
                try await reader.slices(of: viewer, below: .end, count: 3, beside: nil).home?.entries.map(
                    \.post.rawValue)
            }
            /// Adds an entry to what Redis holds, which the copy does not have.
            @Sendable func isInMemory() async throws -> Bool {
                let key = windows.window(viewer)
                _ = try await windows.integer(RedisCommand("ZADD", [key, "-1000", "1000"]))
                let posts = try await page()
                _ = try await windows.integer(RedisCommand("ZREM", [key, "1000"]))
                return try #require(posts).first != 1_000
            }
            try await windows.makeWindow(viewer, [10, 20, 30])
            #expect(try await page() == [30, 20, 10])
            // The first read of a reader renews the time of the window.
            #expect(try await isInMemory())
            try await windows.push([40], [viewer])
            #expect(try await page() == [40, 30, 20])
            #expect(try await isInMemory())
            try await windows.writer.remove([PostID(rawValue: 20)], from: [viewer])
            #expect(try await page() == [40, 30, 10])
            _ = try await windows.writer.retract(at(30), from: [viewer])
            #expect(try await page() == [40, 10])
            #expect(try await isInMemory())
            try await windows.makeWindow(viewer, [50])
            #expect(try await page() == [50])
            #expect(try await windows.writer.evict([viewer]) == 1)
            #expect(try await page() == nil)
            try await windows.makeWindow(viewer, [60])
            #expect(try await page() == [60])
            try await windows.writer.evictAll()
            #expect(try await page() == nil)
        }
    }

    @Test(.redisServer)
    func `a window that Redis has evicted stays in memory, exact, until it is rebuilt`() async throws {
        try await withWindows(recent: RecentWindows()) { windows async throws in
            let reader = WindowReader(connection: windows.connection, space: windows.space)
            try await windows.makeWindow(viewer, [10])
            for _ in 0..<2 { _ = try await reader.slices(of: viewer, below: .end, count: 3, beside: nil) }
            try await windows.delete(windows.window(viewer))
            try await windows.push([20], [viewer])
            let kept = try await reader.slices(of: viewer, below: .end, count: 3, beside: nil).home
            #expect(kept == FeedSlice(entries: [at(20), at(10)], end: .beginning))
            #expect(try await windows.writer.build(viewer, replacing: true) { [] } == .nothingToReplace)
            #expect(try await reader.slices(of: viewer, below: .end, count: 3, beside: nil).home == nil)
        }
    }

    @Test(.redisServer)
    func `a process that has lost its lease reads from Redis`() async throws {
        let isHeld = Guarded(true)
        try await withWindows(recent: RecentWindows(), mayWrite: { isHeld.withLock { $0 } }) { windows async throws in
            let reader = WindowReader(connection: windows.connection, space: windows.space)
            try await windows.makeWindow(viewer, [10])
            for _ in 0..<2 { _ = try await reader.slices(of: viewer, below: .end, count: 3, beside: nil) }
            try await windows.delete(windows.window(viewer))
            #expect(try await reader.slices(of: viewer, below: .end, count: 3, beside: nil).home != nil)
            isHeld.withLock { $0 = false }
            #expect(try await reader.slices(of: viewer, below: .end, count: 3, beside: nil).home == nil)
        }
    }

    @Test(.redisServer, arguments: 0..<UInt64(4))
    func `readers beside pushes and changes find what the window holds`(seed: UInt64) async throws {
        try await withWindows(cap: 8, recent: RecentWindows()) { windows async throws in
            let reader = WindowReader(connection: windows.connection, space: windows.space)
            try await windows.makeWindow(viewer, [1])
            try await withThrowingTaskGroup(of: Void.self) { group in
                let isOver = Guarded(false)
                for _ in 0..<3 {
                    group.addTask {
                        while !isOver.withLock({ $0 }) {
                            _ = try await reader.slices(of: viewer, below: .end, count: 3, beside: nil)
                        }
                    }
                }
                var random = SplitMix64(seed: seed)
                for post in Int64(2)...300 {
                    switch random.next() % 12 {
                    case 0: try await windows.writer.remove([PostID(rawValue: post - 1)], from: [viewer])
                    case 1: _ = try await windows.writer.retract(at(post - 1), from: [viewer])
                    case 2: try await windows.makeWindow(viewer, [post - 1, post])
                    default: try await windows.push([post], [viewer])
                    }
                    let shown = try await reader.slices(of: viewer, below: .end, count: 4, beside: nil).home
                    #expect(shown == (try await reader.slice(of: viewer, below: .end, count: 4)), "post \(post)")
                }
                isOver.withLock { $0 = true }
                try await group.waitForAll()
            }
        }
    }
}
