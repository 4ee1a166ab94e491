import Database
import Logging
import SocialGraph
import Synchronization
import TestSupport
import Testing

@testable import RedisClient
@testable import Timeline

@Suite(.timeLimit(.process))
struct WindowSpaceTests {
    @Test(.redisServer)
    func `the same run of Redis keeps its windows over a restart of the service`() async throws {
        let settings = StoredSettings()
        let first = try await withWindows(settings: settings) { windows async throws in
            try await windows.makeWindow(viewer, [10])
            return (windows.generation, windows.space.epoch?.fence)
        }
        try await withWindows(settings: settings, leaseEpoch: 2) { windows async throws in
            #expect(windows.generation == first.0)
            #expect(windows.space.epoch?.fence != first.1)
            #expect(try await windows.members(viewer) == [10, 0])
            #expect(try await windows.space.retiredGenerations().isEmpty)
        }
    }

    @Test(.redisServer(arguments: ["--dbfilename", "old.rdb"]))
    func `another run of Redis, though it has an old snapshot, has no windows`() async throws {
        let server = try #require(RedisServer.current)
        let settings = StoredSettings()
        let old = try await withWindows(settings: settings) { windows async throws in
            try await windows.makeWindow(viewer, [10])
            _ = try await windows.text(RedisCommand("SAVE"))
            return windows.generation
        }
        try await server.restart()
        try await withWindows(settings: settings) { windows async throws in
            #expect(windows.generation != old)
            #expect(try await windows.integer(RedisCommand("EXISTS", ["h:\(old):\(viewer.rawValue)"])) == 1)
            #expect(try await windows.members(viewer).isEmpty)
            #expect(try await windows.push([20], [viewer]) == 0)
            #expect(try await windows.space.retiredGenerations().map(\.generation) == [old])
        }
    }

    @Test(.redisServer)
    func `a lost state key means a new generation`() async throws {
        let server = try #require(RedisServer.current)
        let settings = StoredSettings()
        let old = try await withWindows(settings: settings) { $0.generation }
        try await server.flushAll()
        let new = try await withWindows(settings: settings) { $0.generation }
        #expect(new != old)
    }

    @Test(.redisServer)
    func `when all windows are evicted a generation begins without any, and builds are lost`() async throws {
        try await withWindows { windows async throws in
            try await windows.makeWindow(viewer, [10])
            let old = windows.generation
            let outcome = try await windows.writer.build(otherViewer) {
                try await windows.writer.evictAll()
                #expect(windows.generation != old)
                return [at(20)]
            }
            #expect(outcome == .lost)
            #expect(try await windows.members([viewer, otherViewer]) == [[], []])
            #expect(try await windows.push([30], [viewer]) == 0)
            #expect(try await windows.space.retiredGenerations().map(\.generation) == [old])
            try await windows.makeWindow(viewer, [10])
            #expect(try await windows.push([30], [viewer]) == 1)
            #expect(try await windows.members(viewer) == [30, 10, 0])
        }
    }

    @Test(.redisServer)
    func `evictions of all windows beside pushes and builds: none of an older generation is left`() async throws {
        try await withWindows { windows async throws in
            try await withThrowingTaskGroup(of: Void.self) { group in
                for number in 0..<12 {
                    let reader = UserID(rawValue: 100 + Int64(number))
                    group.addTask {
                        for post in 1...20 {
                            _ = try await windows.writer.build(reader) { [at(1_000)] }
                            _ = try await windows.push([1_000 + Int64(post)], [reader])
                        }
                    }
                    group.addTask { try await windows.writer.evictAll() }
                }
                try await group.waitForAll()
            }
            let before = windows.generation
            try await windows.writer.evictAll()
            #expect(windows.generation != before)
            for number in 0..<12 {
                #expect(try await windows.members(UserID(rawValue: 100 + Int64(number))).isEmpty)
            }
        }
    }

    @Test(.redisServer)
    func `the keys of retired generations are swept, and no others`() async throws {
        let settings = StoredSettings()
        try await settings.store(["retired_window_generations": "old older"], under: .outbox(1))
        try await withWindows(settings: settings) { windows async throws in
            try await windows.makeWindow(viewer, [10])
            for name in ["h:old:1", "h:older:2", "t:old:1", "b:old:1:4", "s:old", "g:old", "h:oldest:1", "unrelated"] {
                _ = try await windows.text(RedisCommand("SET", [name, "x"]))
            }
            let sweeper = WindowSweeper(
                space: windows.space, connection: windows.connection,
                logger: Logger(label: "test") { _ in SwiftLogNoOpLogHandler() })
            try await withThrowingTaskGroup(of: Void.self) { group in
                group.addTask { await sweeper.run() }
                while try await !windows.space.retiredGenerations().isEmpty { await Task.yield() }
                group.cancelAll()
            }
            let left = try await windows.connection.send(RedisCommand("KEYS", ["*"])) { reply in
                Set(try (0..<reply.count).map { try reply[$0].text })
            }
            let ours = [windows.state, windows.window(viewer), windows.tail(viewer)]
            #expect(left == Set(ours + ["h:oldest:1", "unrelated"]))
        }
    }

    @Test(.redisServer)
    func `a reader's connection to another run is refused`() async throws {
        try await withWindows { windows async throws in
            let error = await redisError { try await windows.space.confirm(runID: "another run") }
            #expect(error?.code == .unavailable)
        }
    }

    @Test(.redisServer)
    func `an answer that comes after the generation has changed is not used`() async throws {
        let server = try #require(RedisServer.current)
        let other = try RedisServer()
        try await other.start()
        try await withWindows { windows async throws in
            try await windows.makeWindow(viewer, [10])
            let reader = WindowReader(connection: windows.connection, space: windows.space)
            #expect(try await reader.slice(of: viewer, below: .end, count: 5)?.entries == [at(10)])
            // The connection counts an answered command until its next turn.
            while windows.connection.unanswered > 0 { await Task.yield() }
            await server.stall()
            async let slice = redisError { try await reader.slice(of: viewer, below: .end, count: 5) }
            while windows.connection.unanswered == 0 { await Task.yield() }
            try await withConnection(other.configuration) { connection in
                try await windows.space.establish(over: connection, runID: "other run")
            }
            await server.resume()
            #expect(await slice?.code == .unavailable)
        }
        await other.remove()
    }

    @Test(.redisServer)
    func `a slice is the entries strictly below the cursor, contiguous, with the beginning where it is`() async throws {
        try await withWindows { windows async throws in
            let largest: Int64 = 1 << 53 - 1
            try await windows.makeWindow(viewer, entries: [at(10), reshared(5, at: 20), at(30), at(largest)])
            let reader = WindowReader(connection: windows.connection, space: windows.space)
            let all = [at(largest), at(30), reshared(5, at: 20), at(10)]
            let cases: [(cursor: Int64, count: Int, entries: ArraySlice<FeedEntry>, end: Int64)] = [
                (.max, 2, all[..<2], 30), (.max, 4, all[...], 10), (.max, 5, all[...], 0),
                (largest, 1, all[1..<2], 30), (30, 1, all[2..<3], 20), (30, 2, all[2...], 10), (30, 3, all[2...], 0),
                (25, 1, all[2..<3], 20), (20, 1, all[3...], 10), (10, 5, [], 0), (5, 5, [], 0),
            ]
            for (cursor, count, entries, end) in cases {
                let slice = try await reader.slice(of: viewer, below: FeedPosition(rawValue: cursor), count: count)
                let expected = FeedSlice(entries: Array(entries), end: FeedPosition(rawValue: end))
                #expect(slice == expected, "below \(cursor)")
            }
            #expect(try await reader.slice(of: otherViewer, below: .end, count: 5) == nil)
            // Without the sentinel, nothing is known below the last entry.
            try await windows.makeWindow(otherViewer, (0..<16).map { 100 + $0 })
            for cursor: Int64 in [100, 50] {
                #expect(
                    try await reader.slice(of: otherViewer, below: FeedPosition(rawValue: cursor), count: 5) == nil)
            }
        }
    }
}

extension RedisConnection {
    /// The number of commands without a reply so far.
    fileprivate var unanswered: Int {
        shared.withLock { $0.session?.queue.withLock { $0.commands } ?? 0 }
    }
}
