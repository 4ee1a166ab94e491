import Database
import RedisClient
import SocialGraph
import TestSupport
import Testing

@testable import Timeline

/// The tail of a window: what it takes, when it counts, and its merging into the sorted set.
@Suite(.timeLimit(.process))
struct WindowFoldTests {
    @Test
    func `words say what they were made of, and other bytes are no tail`() throws {
        let largest = WindowPositionTests.largest
        let entries = [at(1), reshared(1, at: 2), at(largest), reshared(largest - 1, at: largest), reshared(7, at: 9)]
        let stamp = Array("stamp123".utf8)
        let bytes = stamp + WindowTail.words(of: entries)
        let tail = try #require(bytes.withUnsafeBytes(WindowTail.init))
        #expect(tail.entries == entries && tail.stamp == stamp && tail.bytes == bytes.count)
        #expect(stamp.withUnsafeBytes(WindowTail.init)?.entries == [])
        // A position without a post, half a word, and less than a stamp.
        for length in [bytes.count - 3, 7, 0] {
            #expect(Array(bytes.prefix(length)).withUnsafeBytes(WindowTail.init) == nil)
        }
        let half = stamp + WindowTail.words(of: [reshared(7, at: 9)]).prefix(8)
        #expect(half.withUnsafeBytes(WindowTail.init) == nil)
    }

    @Test(.redisServer)
    func `a full tail is folded: the newest posts are the sorted set, and the tail is empty`() async throws {
        try await withWindows { windows async throws in
            try await windows.makeWindow(viewer, [1])
            let full = windows.fullTail(viewer)
            #expect((128...188).contains(full))
            for post in 2...full {
                try await windows.push([post], [viewer])
                #expect(try await windows.sortedSet(viewer).count == 2)
                #expect(try await windows.members(viewer).count == Int(post) + 1)
            }
            try await windows.push([full + 1], [viewer])
            #expect(try await windows.sortedSet(viewer).map(\.post.rawValue) == (0..<16).map { full + 1 - $0 })
            #expect(try await windows.waiting(viewer) == [])
        }
    }

    @Test(.redisServer)
    func `a window that is complete stays so while its posts fit`() async throws {
        try await withWindows { windows async throws in
            try await windows.makeWindow(viewer, [])
            try await windows.writer.push([at(3), reshared(3, at: 9), at(5), at(3)], to: [viewer])
            try await windows.writer.fold([viewer, otherViewer])
            #expect(try await windows.sortedSet(viewer) == [at(5), at(3), at(0)])
            try await windows.push(Array(10...23), [viewer])
            try await windows.writer.fold([viewer])
            #expect(try await windows.sortedSet(viewer).last == at(3), "16 posts leave no room for the sentinel")
            #expect(try await windows.waiting(otherViewer) == nil)
        }
    }

    @Test(.redisServer)
    func `what counts after a fold is what counted before it`() async throws {
        try await withWindows { windows async throws in
            var random = SplitMix64(seed: 25)
            for round in 0..<60 {
                let count = Int64.random(in: 0...16, using: &random)
                try await windows.makeWindow(
                    viewer, entries: (0..<count).map { reshared(1 + $0, at: 101 + $0 * 10) })
                for _ in 0..<Int.random(in: 0...40, using: &random) {
                    // A place is of one post.
                    let place = Int64.random(in: 20...200, using: &random) * 2
                    let post = place / 2 % 20 + 1
                    try await windows.writer.push([reshared(post, at: place)], to: [viewer])
                }
                let before = try await windows.entries(viewer)
                try await windows.writer.fold([viewer])
                let after = try await windows.entries(viewer)
                #expect(after == Array(before.prefix(16)), "round \(round)")
                #expect(try await windows.waiting(viewer) == [])
                // Folding nothing changes nothing.
                try await windows.writer.fold([viewer])
                #expect(try await windows.entries(viewer) == after)
            }
        }
    }

    @Test(.redisServer, arguments: ["no", "yes"])
    func `a sorted set that Redis compresses is read as well`(compression: String) async throws {
        try await withWindows(cap: 200) { windows async throws in
            _ = try await windows.text(RedisCommand("CONFIG", ["SET", "rdbcompression", compression]))
            _ = try await windows.text(RedisCommand("CONFIG", ["SET", "zset-max-listpack-entries", "256"]))
            let posts = (0..<150).map { 1_700_000_000_000_000 + Int64($0) * 1_000 }
            try await windows.makeWindow(viewer, posts)
            try await windows.push([1_800_000_000_000_000], [viewer])
            let dump = try await windows.connection.send(RedisCommand("DUMP", [windows.window(viewer)])) { reply in
                try reply.withBytes { bytes in (bytes[1], WindowDump.entries(of: bytes)?.entries.count) }
            }
            #expect((dump.0 == 0xC3) == (compression == "yes"), "compressed strings begin with this byte")
            #expect(dump.1 == 150)
            try await windows.writer.fold([viewer])
            #expect(try await windows.members(viewer) == [1_800_000_000_000_000] + posts.reversed() + [0])
        }
    }

    @Test(.redisServer)
    func `a sorted set that is no listpack is folded by its members`() async throws {
        try await withWindows { windows async throws in
            _ = try await windows.text(RedisCommand("CONFIG", ["SET", "zset-max-listpack-entries", "4"]))
            try await windows.makeWindow(viewer, [])
            try await windows.push(Array(1...10), [viewer])
            try await windows.writer.fold([viewer])
            let encoding = try await windows.text(RedisCommand("OBJECT", ["ENCODING", windows.window(viewer)]))
            #expect(encoding == "skiplist")
            try await windows.push([11], [viewer])
            try await windows.writer.fold([viewer])
            #expect(try await windows.sortedSet(viewer).map(\.post.rawValue) == (0...11).reversed())
            #expect(try await windows.waiting(viewer) == [])
        }
    }

    @Test(.redisServer)
    func `a fold keeps the lifetime of both keys`() async throws {
        try await withWindows(idle: .seconds(1_000)) { windows async throws in
            try await windows.makeWindow(viewer, [1])
            for key in [windows.window(viewer), windows.tail(viewer)] {
                _ = try await windows.integer(RedisCommand("EXPIRE", [key, "500"]))
            }
            try await windows.push(Array(2...windows.fullTail(viewer) + 1), [viewer])
            #expect(try await windows.waiting(viewer) == [])
            for key in [windows.window(viewer), windows.tail(viewer)] {
                #expect((1...500).contains(try await windows.integer(RedisCommand("TTL", [key]))))
            }
        }
    }

    /// Acts between the reading of a window and its fold, and whether the fold is refused then.
    static let meanwhile: [(String, @Sendable (WindowFixture) async throws -> Void, Bool)] = [
        ("a push", { try await $0.push([600], [viewer]) }, false),
        ("a removal from the tail", { try await $0.writer.remove([PostID(rawValue: 20)], from: [viewer]) }, true),
        ("a removal from the sorted set", { try await $0.writer.remove([PostID(rawValue: 10)], from: [viewer]) }, true),
        ("a retraction", { _ = try await $0.writer.retract(at(20), from: [viewer]) }, true),
        ("another fold", { try await $0.writer.fold([viewer]) }, true),
        ("a build", { try await $0.makeWindow(viewer, [7]) }, true),
        ("an eviction", { try await $0.writer.evict([viewer]) }, true),
        ("the end of the sorted set", { try await $0.delete($0.window(viewer)) }, true),
        ("the end of the tail", { try await $0.delete($0.tail(viewer)) }, true),
        ("a removal of nothing", { try await $0.writer.remove([PostID(rawValue: 99)], from: [viewer]) }, false),
    ]

    @Test(.redisServer, arguments: meanwhile.indices)
    func `a fold is refused if anything but pushes happened since it read the window`(index: Int) async throws {
        let (name, act, isRefused) = Self.meanwhile[index]
        try await withWindows { windows async throws in
            try await windows.makeWindow(viewer, [10])
            try await windows.push([20], [viewer])
            let stamp = try await windows.stamp(viewer)
            let epoch = try #require(windows.space.epoch)
            let both = [windows.window(viewer), windows.tail(viewer)]
            try await act(windows)
            let before = try await windows.entries(viewer)
            var fold = RedisCommand("EVALSHA", [epoch.scripts.fold, "3", windows.state] + both + [epoch.fence])
            fold.append(stamp)
            fold.append(integer: 16)
            let contents = WindowContents([at(20), at(10)], isComplete: true, asDump: true)
            fold.append(integer: Int64(contents.argumentCount))
            contents.append(to: &fold)
            let folded = try await windows.connection.send(fold) { try $0[0].integer }
            #expect(folded == (isRefused ? 0 : 1), "\(name)")
            #expect(try await windows.entries(viewer) == before, "\(name)")
        }
    }

    @Test(.redisServer)
    func `removals and retractions reach the tail, wherever else the post stands`() async throws {
        try await withWindows { windows async throws in
            try await windows.makeWindow(viewer, entries: [at(10), reshared(5, at: 30)])
            try await windows.writer.push([at(20), reshared(5, at: 40), reshared(5, at: 50), at(20)], to: [viewer])
            #expect(try await windows.writer.retract(reshared(5, at: 40), from: [viewer]) == [], "it stands at 30")
            #expect(try await windows.waiting(viewer) == [at(20), at(20), reshared(5, at: 50)])
            #expect(try await windows.writer.retract(reshared(5, at: 30), from: [viewer]) == [viewer])
            #expect(try await windows.entries(viewer) == ["5@50", "20", "10", "0"])
            #expect(try await windows.writer.remove([PostID(rawValue: 20), PostID(rawValue: 10)], from: [viewer]) == 3)
            #expect(try await windows.entries(viewer) == ["5@50", "0"])
        }
    }

    @Test(.redisServer, arguments: [true, false])
    func `a window without one of its keys is absent, and no push brings it back`(losesTail: Bool) async throws {
        try await withWindows { windows async throws in
            let reader = WindowReader(connection: windows.connection, space: windows.space)
            try await windows.makeWindow(viewer, [10])
            try await windows.push([20], [viewer])
            #expect(try await reader.slice(of: viewer, below: .end, count: 5)?.entries == [at(20), at(10)])
            try await windows.delete(losesTail ? windows.tail(viewer) : windows.window(viewer))
            try await windows.push([30], [viewer])
            #expect(try await reader.slice(of: viewer, below: .end, count: 5) == nil)
            let replaced = try await windows.writer.build(viewer, replacing: true) { [at(1)] }
            #expect(replaced == .nothingToReplace)
            // A tail that nobody reads does not grow for ever.
            try await windows.push(Array(1...windows.fullTail(viewer)), [viewer])
            #expect(try await windows.waiting(viewer) == nil)
            try await windows.makeWindow(viewer, [40])
            #expect(try await reader.slice(of: viewer, below: .end, count: 5)?.entries == [at(40)])
        }
    }

    @Test(.redisServer)
    func `pages are cut from both keys, at any cursor`() async throws {
        try await withWindows { windows async throws in
            let reader = WindowReader(connection: windows.connection, space: windows.space)
            // The floor is 100. What waits below it does not count.
            try await windows.makeWindow(viewer, (0..<16).map { 100 + $0 * 10 })
            try await windows.push([300, 155, 90, 310, 155], [viewer])
            let whole = [310, 300, 250, 240, 230, 220, 210, 200, 190, 180, 170, 160, 155, 150, 140, 130, 120, 110, 100]
            for count in [1, 2, 3, 7, 30] {
                var (cursor, found) = (FeedPosition.end, [Int64]())
                while let slice = try await reader.slice(of: viewer, below: cursor, count: count) {
                    #expect(!slice.entries.isEmpty && slice.entries.count <= max(count, 30))
                    #expect(slice.end == slice.entries.last?.position)
                    found += slice.entries.map(\.post.rawValue)
                    cursor = slice.end
                }
                #expect(found == whole.map(Int64.init), "pages of \(count)")
            }
        }
    }

    @Test(.redisServer)
    func `a page that is read while tails are folded is never short`() async throws {
        try await withWindows { windows async throws in
            let reader = WindowReader(connection: windows.connection, space: windows.space)
            try await windows.makeWindow(viewer, Array(1...16))
            let pushed = Guarded(Int64(16))
            try await withThrowingTaskGroup(of: Void.self) { group in
                group.addTask {
                    for post in 17...Int64(3_000) {
                        try await windows.push([post], [viewer])
                        pushed.withLock { $0 = post }
                        if post.isMultiple(of: 5) { try await windows.writer.fold([viewer]) }
                    }
                }
                for _ in 0..<2 {
                    group.addTask {
                        while pushed.withLock({ $0 }) < 3_000 {
                            let least = pushed.withLock { $0 }
                            let slice = try await reader.slice(of: viewer, below: .end, count: 16)
                            // A window that changes all the time may be answered by SQLite.
                            guard let posts = slice?.entries.map(\.post.rawValue) else { continue }
                            let newest = try #require(posts.first)
                            #expect(newest >= least)
                            #expect(posts == (0..<16).map { newest - $0 })
                        }
                    }
                }
                try await group.waitForAll()
            }
        }
    }
}

extension WindowFixture {
    fileprivate func stamp(_ viewer: UserID) async throws -> [UInt8] {
        try await connection.send(RedisCommand("GETRANGE", [tail(viewer), "0", "7"])) { try $0.withBytes(Array.init) }
    }
}
