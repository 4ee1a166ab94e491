import RedisClient
import SocialGraph
import TestSupport
import Testing

@testable import Timeline

@Suite(.timeLimit(.process))
struct WindowExpiryTests {
    @Test(.redisServer)
    func `a window has its idle time from the flip on, a building one its own`() async throws {
        try await withWindows(idle: .seconds(10_000)) { windows async throws in
            _ = try await windows.writer.build(viewer) {
                let names = try await windows.connection.send(RedisCommand("KEYS", ["b:*"])) { try $0[0].text }
                let left = try await windows.integer(RedisCommand("TTL", [names]))
                #expect((1...WindowWriter.buildExpiry).contains(left))
                return [at(1)]
            }
            #expect((9_000...10_000).contains(try await windows.integer(RedisCommand("TTL", [windows.window(viewer)]))))
            // A push does not count as a read.
            _ = try await windows.integer(RedisCommand("EXPIRE", [windows.window(viewer), "500"]))
            try await windows.push([2], [viewer])
            #expect(try await windows.integer(RedisCommand("TTL", [windows.window(viewer)])) <= 500)
        }
    }

    @Test(.redisServer)
    func `reads renew a window's time, seldom, and a window that nobody reads vanishes`() async throws {
        try await withWindows(idle: .seconds(300)) { windows async throws in
            let clock = Guarded(Int64(0))
            let idle = IdleWindows(idle: .seconds(300), now: { clock.withLock { $0 } })
            let reader = WindowReader(connection: windows.connection, space: windows.space, idle: idle)
            let key = windows.window(viewer)
            @Sendable func read() async throws -> [FeedEntry]? {
                try await reader.slice(of: viewer, below: .end, count: 5)?.entries
            }
            try await windows.makeWindow(viewer, [10])
            for (now, isRenewed) in [(0, true), (5, false), (9, false), (10, true), (19, false), (20, true)] {
                clock.withLock { $0 = Int64(now) }
                _ = try await windows.integer(RedisCommand("EXPIRE", [key, "100"]))
                #expect(try await read() == [at(10)])
                let left = try await windows.integer(RedisCommand("TTL", [key]))
                #expect((left > 100) == isRenewed, "at \(now)")
            }
            // After its expiry, the window is as if it had never existed.
            #expect(try await windows.integer(RedisCommand("PEXPIRE", [key, "1"])) == 1)
            while try await windows.integer(RedisCommand("EXISTS", [key])) == 1 { await Task.yield() }
            clock.withLock { $0 = 1_000 }
            #expect(try await read() == nil)
            try await windows.push([20], [viewer])
            #expect(try await windows.integer(RedisCommand("EXISTS", [key])) == 0)
            try await windows.makeWindow(viewer, [20, 10])
            #expect(try await read() == [at(20), at(10)])
        }
    }

    @Test(.redisServer)
    func `while it lives and dies under reads, an answer is the window or none`() async throws {
        try await withWindows(idle: .seconds(1)) { windows async throws in
            let reader = WindowReader(
                connection: windows.connection, space: windows.space, idle: IdleWindows(idle: .seconds(3_600)))
            let whole = FeedSlice(entries: [at(20), at(10)], end: .beginning)
            for round in 0..<20 {
                try await windows.makeWindow(viewer, [20, 10])
                _ = try await windows.integer(RedisCommand("PEXPIRE", [windows.window(viewer), "\(round % 4 + 1)"]))
                var slice = try await reader.slice(of: viewer, below: .end, count: 5)
                while let present = slice {
                    #expect(present == whole)
                    // The first read of a reader renews the window's expiry.
                    if round == 0 { break }
                    slice = try await reader.slice(of: viewer, below: .end, count: 5)
                }
            }
        }
    }
}
