import Logging
import RedisClient
import SocialGraph
import Synchronization
import TestSupport
import Testing

@testable import Timeline

@Suite(.timeLimit(.process))
struct WindowFenceTests {
    @Test(.redisServer)
    func `a command composed with an earlier fence is refused and changes nothing`() async throws {
        try await withWindows { windows async throws in
            try await windows.makeWindow(viewer, [10])
            let old = try #require(windows.space.epoch)
            windows.connection.reconnect(because: .intended)
            while windows.space.epoch == nil || windows.space.epoch == old { await Task.yield() }
            try await windows.connection.waitUntilUp()
            let keys = ["2", windows.state, windows.tail(viewer)]
            let arguments = [old.scripts.push] + keys + [old.fence, "1032", "eightbit", "1"]
            let error = await redisError {
                try await windows.connection.send(RedisCommand("EVALSHA", arguments)) { _ in }
            }
            #expect(error?.serverCode == "FENCED")
            #expect(try await windows.members(viewer) == [10, 0])
        }
    }

    @Test(.redisServer)
    func `a writer whose fence was taken over takes it back, in the same generation`() async throws {
        try await withWindows { windows async throws in
            try await windows.makeWindow(viewer, [10])
            let generation = windows.generation
            _ = try await windows.integer(RedisCommand("HSET", [windows.state, "fence", "another"]))
            #expect(try await windows.push([20], [viewer]) == 1)
            #expect(windows.generation == generation)
            #expect(try await windows.members(viewer) == [20, 10, 0])
        }
    }

    @Test(.redisServer)
    func `scripts that Redis has lost are loaded again`() async throws {
        try await withWindows { windows async throws in
            try await windows.makeWindow(viewer, [10])
            _ = try await windows.text(RedisCommand("SCRIPT", ["FLUSH"]))
            #expect(try await windows.push([20], [viewer]) == 1)
            #expect(try await windows.members(viewer) == [20, 10, 0])
        }
    }

    @Test(.redisServer, arguments: ["fence", "stamp", nil])
    func `a state key without fence or stamp ends the generation`(field: String?) async throws {
        try await withWindows { windows async throws in
            try await windows.makeWindow(viewer, [10])
            let generation = windows.generation
            let loss = field.map { RedisCommand("HDEL", [windows.state, $0]) } ?? RedisCommand("DEL", [windows.state])
            #expect(try await windows.integer(loss) == 1)
            let touched = try await windows.push([20], [viewer])
            // Only a lost stamp cannot be replaced. Without the fence, the windows are still intact.
            #expect((windows.generation == generation) == (field == "fence"))
            #expect(touched == (field == "fence" ? 1 : 0))
        }
    }

    @Test(.redisServer)
    func `what was meant for a generation that is over is not done to the next`() async throws {
        let server = try #require(RedisServer.current)
        try await withWindows { windows async throws in
            let outcome = try await windows.writer.build(viewer) {
                try await server.flushAll()
                return [at(1)]
            }
            #expect(outcome == .lost)
            #expect(try await windows.members(viewer).isEmpty)
            try await windows.makeWindow(viewer, [1])
            #expect(try await windows.members(viewer) == [1, 0])
        }
    }

    @Test(.redisServer)
    func `operations under way while Redis is killed end after its return, against the new generation`() async throws {
        let server = try #require(RedisServer.current)
        try await withWindows { windows async throws in
            try await windows.makeWindow(viewer, [10])
            await server.stall()
            async let pushed = windows.push([20], [viewer])
            async let dropped = windows.writer.evict([viewer])
            await server.kill()
            try await server.start()
            #expect(try await pushed == 0)
            #expect(try await dropped == 0)
        }
    }

    @Test(.redisServer)
    func `an operation that comes while the handshake ends is done under the epoch of that handshake`() async throws {
        let server = try #require(RedisServer.current)
        let logger = Logger(label: "test") { _ in SwiftLogNoOpLogHandler() }
        let space = WindowSpace(graph: StoredSettings(), lease: .outbox(1), logger: logger)
        let early = Mutex<Task<Int, any Error>?>(nil)
        let makeWriter = Mutex<(@Sendable () -> WindowWriter)?>(nil)
        try await withConnection(
            server.configuration, waitUntilUp: false,
            onHandshake: { handshake in
                try await space.establish(over: handshake, runID: handshake.runID)
                while makeWriter.withLock({ $0 == nil }) { await Task.yield() }
                let writer = makeWriter.withLock { $0?() }
                early.withLock { task in
                    task = Task { try await writer?.push([at(1)], to: [viewer]) ?? -1 }
                }
                // Not for synchronisation: time enough for the operation to be refused by a connection not yet up.
                try await Task.sleep(for: .milliseconds(50))
            }
        ) { connection in
            makeWriter.withLock {
                $0 = { WindowWriter(connection: connection, space: space, depth: WindowDepth(cap: 16), logger: logger) }
            }
            while early.withLock({ $0 == nil }) { await Task.yield() }
            let touched = try await early.withLock { $0 }?.value
            #expect(touched == 0)
        }
    }
}
