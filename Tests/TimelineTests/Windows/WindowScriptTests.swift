import Database
import RedisClient
import SocialGraph
import TestSupport
import Testing

@testable import Timeline

@Suite(.timeLimit(.process))
struct WindowScriptTests {
    @Test(.redisServer)
    func `a push into an absent window does nothing`() async throws {
        try await withWindows { windows async throws in
            #expect(try await windows.push([1], [viewer]) == 0)
            #expect(try await windows.integer(RedisCommand("DBSIZE")) == 1, "the state alone")
        }
    }

    @Test(.redisServer)
    func `a push reaches ready windows only, whoever else is in the call`() async throws {
        try await withWindows { windows async throws in
            try await windows.makeWindow(viewer, [10, 20])
            #expect(try await windows.push([30, 25], [otherViewer, viewer]) == 2)
            #expect(try await windows.members(viewer) == [30, 25, 20, 10, 0])
        }
    }

    @Test(.redisServer)
    func `a building window is not read, receives pushes and removals, and has them after the flip`() async throws {
        try await withWindows { windows async throws in
            let outcome = try await windows.writer.build(viewer) {
                try await windows.push([40, 30], [viewer])
                try await windows.writer.remove([PostID(rawValue: 30)], from: [viewer])
                #expect(try await windows.members(viewer).isEmpty)
                return [at(20), at(10)]
            }
            #expect(outcome == .ready)
            #expect(try await windows.members(viewer) == [40, 20, 10, 0])
        }
    }

    @Test(.redisServer)
    func `windows built together each become what their own snapshot and pushes make of them`() async throws {
        try await withWindows { windows async throws in
            let viewers = (1...5).map { UserID(rawValue: 1_000 + $0) }
            let full = (0..<16).map { at(200 - Int64($0)) }
            let outcomes = try await windows.writer.build(viewers) { begun in
                #expect(begun == viewers)
                try await windows.push([190], [viewers[1]])
                try await windows.push([250], [viewers[3]])
                // Simulates an eviction by Redis.
                try await windows.delete("b:\(windows.generation):\(viewers[2].rawValue):*")
                return [[], [at(180)], [at(1)], full, full]
            }
            #expect(outcomes == [.ready, .ready, .lost, .ready, .ready])
            let newest = (0..<16).map { 200 - Int64($0) }
            #expect(try await windows.members(viewers) == [[0], [190, 180, 0], [], [250] + newest, newest])
            #expect(try await windows.floor(viewers[3]) == 185)
            let again = try await windows.writer.build(viewers, replacing: true) { begun in
                #expect(begun == [viewers[0], viewers[1], viewers[3], viewers[4]])
                return begun.map { _ in [at(7)] }
            }
            #expect(again == [.ready, .ready, .nothingToReplace, .ready, .ready])
            #expect(try await windows.members(viewers) == [[7, 0], [7, 0], [], [7, 0], [7, 0]])
        }
    }

    @Test(.redisServer)
    func `a late post is refused below a window's floor, and taken above it or if nothing is below`() async throws {
        try await withWindows { windows async throws in
            try await windows.makeWindow(viewer, (0..<16).map { 100 + $0 * 10 })
            try await windows.makeWindow(otherViewer, [200])
            #expect(try await windows.floor(viewer) == 100)
            try await windows.push([50], [viewer, otherViewer])
            #expect(try await windows.members(viewer).last == 100)
            #expect(try await windows.members(otherViewer) == [200, 50, 0])
            // One push of the call is below the floor, the others are above it. Each is judged separately.
            try await windows.push([90, 105, 300], [viewer])
            #expect(try await windows.members(viewer).suffix(2) == [105, 100])
            #expect(try await windows.members(viewer).first == 300)
        }
    }

    @Test(.redisServer)
    func `a build that read fewer than the cap reaches the beginning; one of the cap does not`() async throws {
        try await withWindows { windows async throws in
            try await windows.makeWindow(viewer, Array(1...15))
            #expect(try await windows.members(viewer).last == 0)
            try await windows.makeWindow(otherViewer, Array(1...16))
            #expect(try await windows.members(otherViewer).last == 1)
            #expect(try await windows.members(otherViewer).count == 16)
        }
    }

    @Test(.redisServer)
    func `an empty timeline has a window that says so`() async throws {
        try await withWindows { windows async throws in
            try await windows.makeWindow(viewer, [])
            #expect(try await windows.members(viewer) == [0])
        }
    }

    @Test(.redisServer)
    func `every operation repeated changes nothing`() async throws {
        try await withWindows { windows async throws in
            try await windows.makeWindow(viewer, Array(1...16))
            let operations: [@Sendable () async throws -> Void] = [
                { try await windows.push([20, 3, 18], [viewer, viewer]) },
                { try await windows.writer.push([reshared(3, at: 30), reshared(2, at: 31)], to: [viewer]) },
                { _ = try await windows.writer.retract(at(20), from: [viewer, viewer]) },
                { try await windows.writer.remove([PostID(rawValue: 7)], from: [viewer, viewer]) },
                { try await windows.makeWindow(otherViewer, [9]) },
                { try await windows.writer.evict([otherViewer]) },
            ]
            for operation in operations {
                try await operation()
                let before = (try await windows.entries(viewer), try await windows.entries(otherViewer))
                try await operation()
                #expect(try await windows.entries(viewer) == before.0)
                #expect(try await windows.entries(otherViewer) == before.1)
            }
        }
    }

    @Test(.redisServer)
    func `a build whose building window was lost makes nothing ready`() async throws {
        try await withWindows { windows async throws in
            let outcome = try await windows.writer.build(viewer) {
                let keys = try await windows.connection.send(RedisCommand("KEYS", ["b:*"])) { reply in
                    try (0..<reply.count).map { try reply[$0].text }
                }
                #expect(keys.count == 1)
                #expect(try await windows.integer(RedisCommand("DEL", keys)) == 1)
                return [at(1)]
            }
            #expect(outcome == .lost)
            #expect(try await windows.members(viewer).isEmpty)
        }
    }

    @Test(.redisServer)
    func `an eviction takes a window that is being built with it`() async throws {
        try await withWindows { windows async throws in
            let outcome = try await windows.writer.build(viewer) {
                try await windows.writer.evict([viewer])
                return [at(1)]
            }
            #expect(outcome == .lost)
        }
    }

    @Test(.redisServer)
    func `the floor of a window never falls, unless it is built anew`() async throws {
        try await withWindows { windows async throws in
            var random = SplitMix64(seed: 4)
            var floors: [UserID: Int64] = [:]
            var raised = 0
            for step in 0..<600 {
                let who = Bool.random(using: &random) ? viewer : otherViewer
                let base = Int64(step) * 40
                switch Int.random(in: 0..<20, using: &random) {
                case 0:
                    try await windows.makeWindow(
                        who, (0..<Int64.random(in: 0...16, using: &random)).map { base + 1 - $0 })
                    floors[who] = nil
                case 1:
                    let post = Int64.random(in: 0...base, using: &random)
                    try await windows.writer.push([reshared(post + 1, at: base + 2)], to: [who])
                case 2: try await windows.push([Int64.random(in: 0...base, using: &random)], [viewer, otherViewer])
                case 3:
                    let last = try await windows.sortedSet(who).last?.post
                    if let last, last.rawValue > 0 { try await windows.writer.remove([last], from: [who]) }
                default: try await windows.push((1...8).map { base + $0 * 3 }, [viewer, otherViewer])
                }
                for who in [viewer, otherViewer] {
                    guard let floor = try await windows.floor(who) else { continue }
                    #expect(floor >= floors[who] ?? 0)
                    if floor > floors[who] ?? floor { raised += 1 }
                    floors[who] = floor
                }
            }
            #expect(raised > 20)
        }
    }

    @Test(arguments: [16, 128])
    func `windows stay listpacks over thousands of operations`(cap: Int) async throws {
        let server = try RedisServer(
            arguments: ["--zset-max-listpack-entries", "\(WindowDepth(cap: cap).listpackEntries)"])
        try await server.start()
        try await RedisServer.$current.withValue(server) {
            try await withWindows(cap: cap) { windows async throws in
                try await windows.makeWindow(viewer, [])
                var next: Int64 = 1 << 50
                for _ in 0..<1_500 {
                    let posts = (0..<Int64(PushBatch.postsPerCall)).map { next + $0 }
                    next += 40
                    try await windows.push(posts, [viewer])
                }
                try await windows.makeWindow(viewer, (0..<Int64(cap)).map { next + $0 })
                try await windows.push((0..<Int64(PushBatch.postsPerCall)).map { next + 2_000 + $0 }, [viewer])
                #expect(
                    try await windows.text(RedisCommand("OBJECT", ["ENCODING", windows.window(viewer)])) == "listpack")
            }
        }
        await server.remove()
    }

    @Test(arguments: [WindowDepth.defaultCap])
    func `a full window costs at most 26 bytes an entry`(cap: Int) async throws {
        let server = try RedisServer(
            arguments: ["--zset-max-listpack-entries", "\(WindowDepth(cap: cap).listpackEntries)"])
        try await server.start()
        try await RedisServer.$current.withValue(server) {
            try await withWindows(cap: cap) { windows async throws in
                for user in 1...50 {
                    try await windows.makeWindow(
                        UserID(rawValue: Int64(user)), (0..<Int64(cap)).map { (1 << 50) + $0 * 4_096 })
                }
                let statistics = try await WindowStatistics.gather(windows.space.keys, over: windows.connection)
                #expect(statistics.windows == 50)
                #expect(statistics.entries == 50 * cap)
                #expect(statistics.bytesPerEntry <= 26, "\(statistics.bytesPerEntry)")
                #expect(statistics.bytesPerEntry > 10)
            }
        }
        await server.remove()
    }
}
