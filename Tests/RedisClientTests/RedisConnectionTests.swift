import Foundation
import Logging
import Synchronization
import TestSupport
import Testing

@testable import RedisClient

@Suite(.timeLimit(.process))
struct RedisConnectionTests {
    /// A peer that reports the commands it has read and answers only on command.
    struct HeldPeer {
        let peer: FakePeer
        let received: AsyncStream<String>
        let release = DispatchSemaphore(value: 0)

        init(holding count: Int) throws {
            let (received, report) = AsyncStream<String>.makeStream()
            self.received = received
            let release = release
            peer = try FakePeer { client, _ in
                try client.answerHandshake()
                let texts = try (0..<count).map { _ in
                    let text = try client.command().last ?? ""
                    report.yield(text)
                    return text
                }
                release.wait()
                for text in texts { try client.write("$\(text.utf8.count)\r\n\(text)\r\n") }
                try client.echo()
            }
        }

        func waitFor(_ count: Int) async {
            var iterator = received.makeAsyncIterator()
            for _ in 0..<count { _ = await iterator.next() }
        }
    }

    @Test
    func `a cancelled caller is resumed at once; its reply goes to nobody else`() async throws {
        let held = try HeldPeer(holding: 3)
        try await withConnection(.peer(held.peer)) { connection in
            let cancelled = Task { try await connection.echo("cancelled") }
            await held.waitFor(1)
            cancelled.cancel()
            await #expect(throws: CancellationError.self) { try await cancelled.value }
            async let second = connection.echo("second")
            async let third = connection.echo("third")
            await held.waitFor(2)
            held.release.signal()
            let texts = try await [second, third]
            #expect(texts == ["second", "third"])
            try await connection.expectEchoes("after a cancellation")
        }
        held.peer.stop()
    }

    @Test
    func `a task that was cancelled before it sends, sends nothing`() async throws {
        let peer = try FakePeer { client, _ in
            try client.answerHandshake()
            try client.echo()
        }
        try await withConnection(.peer(peer)) { connection in
            let task = Task {
                withUnsafeCurrentTask { $0?.cancel() }
                return try await connection.echo("x")
            }
            await #expect(throws: CancellationError.self) { try await task.value }
            try await connection.expectEchoes("after an early cancellation")
        }
        peer.stop()
    }

    @Test
    func `the bounded queue refuses at once what is too much, by number and by bytes`() async throws {
        let held = try HeldPeer(holding: 3)
        var configuration = RedisConfiguration.peer(held.peer)
        configuration.maximumQueuedCommands = 3
        configuration.maximumQueuedBytes = 1000
        try await withConnection(configuration) { connection in
            // The room of the handshake's commands may not be free yet.
            async let first = echoWithRoom("1", connection)
            async let second = echoWithRoom("2", connection)
            await held.waitFor(2)
            let large = String(repeating: "x", count: 990)
            let tooManyBytes = await redisError { try await connection.echo(large) }
            #expect(tooManyBytes?.code == .queueFull)
            async let third = connection.echo("3")
            await held.waitFor(1)
            let tooMany = await redisError { try await connection.echo("4") }
            #expect(tooMany?.code == .queueFull)
            held.release.signal()
            let texts = try await [first, second, third]
            #expect(texts == ["1", "2", "3"])
            #expect(try await echoWithRoom(large, connection) == large)
            let never = await redisError { try await connection.echo(large + large) }
            #expect(never?.code == .commandTooLarge)
            for text in ["after", "the queue", "was full"] {
                #expect(try await echoWithRoom(text, connection) == text)
            }
        }
        held.peer.stop()
    }

    /// Retries while the queue is full. The space freed by a reply counts from the next turn of the connection's thread
    /// on.
    private func echoWithRoom(_ text: String, _ connection: RedisConnection) async throws -> String {
        while true {
            do { return try await connection.echo(text) } catch let error as RedisError where error.code == .queueFull {
                await Task.yield()
            }
        }
    }

    @Test
    func `commands that callers write to a full socket are sent once there is room`() async throws {
        let reads = DispatchSemaphore(value: 0)
        let peer = try FakePeer { client, _ in
            try client.answerHandshake()
            reads.wait()
            try client.echo()
        }
        try await withConnection(.peer(peer)) { connection in
            try await connection.waitUntilUp()
            // More than the buffers of a socket take.
            let texts = (0..<1_000).map { "\($0) " + String(repeating: "x", count: 3_000) }
            let echoes = try await withThrowingTaskGroup(of: (Int, String).self) { group in
                for (number, text) in texts.enumerated() {
                    group.addTask { (number, try await connection.echo(text)) }
                }
                // All but the last few are queued or written by then.
                while connection.queued < 900 { await Task.yield() }
                reads.signal()
                return try await group.reduce(into: [:]) { $0[$1.0] = $1.1 }
            }
            #expect(texts.indices.map { echoes[$0] } == texts)
            try await connection.expectEchoes("after a full socket")
        }
        peer.stop()
    }

    @Test
    func `a command that is written while the peer leaves is lost, and the process goes on`() async throws {
        let peer = try FakePeer { client, number in
            try client.answerHandshake()
            if number == 100 { try client.echo() }
        }
        try await withConnection(.peer(peer)) { connection in
            var answer: String?
            while answer == nil {
                try await connection.waitUntilUp()
                do { answer = try await connection.echo("x") } catch let error as RedisError {
                    #expect([.connectionLost, .unavailable].contains(error.code))
                }
            }
            try await connection.expectEchoes("after the peer has left")
        }
        peer.stop()
    }

    @Test
    func `a command with more arguments than Redis takes is refused here`() async throws {
        let held = try HeldPeer(holding: 0)
        held.release.signal()
        try await withConnection(.peer(held.peer)) { connection in
            var command = RedisCommand("X", reservingArguments: 1_048_576, bytes: 0)
            for _ in 0..<1_048_576 { command.append("") }
            let sent = command
            let error = await redisError { try await connection.send(sent) { _ in } }
            #expect(error?.code == .commandTooLarge)
            let none = await redisError { try await connection.send([]) { _ in } }
            #expect(none != nil)
            try await connection.expectEchoes("after a refusal")
        }
        held.peer.stop()
    }

    @Test
    func `closing lets a reply in flight arrive and refuses what comes later`() async throws {
        let held = try HeldPeer(holding: 1)
        var configuration = RedisConfiguration.peer(held.peer)
        configuration.drainTimeout = .seconds(600)
        try await withConnection(configuration) { connection in
            async let reply = connection.echo("in flight")
            await held.waitFor(1)
            connection.close()
            let late = await redisError { try await connection.echo("late") }
            #expect(late?.code == .closed)
            held.release.signal()
            let text = try await reply
            #expect(text == "in flight")
            let waiting = await redisError { try await connection.waitUntilUp() }
            #expect(waiting?.code == .closed)
        }
        held.peer.stop()
    }

    @Test
    func `closing waits for a silent peer no longer than the drain time`() async throws {
        let held = try HeldPeer(holding: 1)
        var configuration = RedisConfiguration.peer(held.peer)
        configuration.drainTimeout = .milliseconds(30)
        configuration.commandTimeout = .seconds(3600)
        try await withConnection(configuration) { connection in
            async let reply = redisError { try await connection.echo("lost") }
            await held.waitFor(1)
            connection.close()
            let lost = await reply
            #expect(lost?.code == .connectionLost)
        }
        held.release.signal()
        held.peer.stop()
    }

    @Test
    func `cancelling the task of run closes the connection`() async throws {
        let held = try HeldPeer(holding: 0)
        held.release.signal()
        let connection = try RedisConnection(
            configuration: .peer(held.peer), name: "test",
            logger: Logger(label: "test") { _ in SwiftLogNoOpLogHandler() })
        let run = Task { await connection.run() }
        try await connection.waitUntilUp()
        run.cancel()
        await run.value
        #expect(connection.state == .down)
        let late = await redisError { try await connection.echo("x") }
        #expect(late?.code == .closed)
        held.peer.stop()
    }

    @Test(.redisServer)
    func `an outage is reported, a connection that begins anew on purpose is not`() async throws {
        let server = try #require(RedisServer.current)
        let log = RecordingLog(from: .warning)
        let connection = try RedisConnection(
            configuration: server.configuration, name: "test", logger: Logger(label: "test") { _ in log })
        let run = Task { await connection.run() }
        func begunAnew() async throws {
            try await connection.waitUntilUp()
            _ = try await connection.echo("up")
        }
        try await begunAnew()
        connection.reconnect(because: .intended)
        try await begunAnew()
        #expect(log.entries.map(\.message) == [])
        connection.reconnect(because: .fault("FENCED"))
        try await begunAnew()
        #expect(log.entries.map(\.message) == ["redis connection restarts"])
        run.cancel()
        await run.value
    }

    @Test(.redisServer)
    func `commands beside new beginnings are not told that the connection is closed`() async throws {
        let server = try #require(RedisServer.current)
        let connection = try RedisConnection(configuration: server.configuration, name: "test", logger: .silent)
        let run = Task { await connection.run() }
        let refused = await withTaskGroup(of: Int.self) { group in
            for number in 0..<64 {
                group.addTask {
                    var refused = 0
                    for round in 0..<40 {
                        try? await connection.waitUntilUp()
                        if number == 0 { connection.reconnect(because: .intended) }
                        do {
                            _ = try await connection.echo("\(round)")
                        } catch let error as RedisError where error.code == .closed {
                            refused += 1
                        } catch {}
                    }
                    return refused
                }
            }
            return await group.reduce(0, +)
        }
        #expect(refused == 0)
        run.cancel()
        await run.value
    }
}

extension RedisConnection {
    /// The number of commands that are not yet answered.
    fileprivate var queued: Int { shared.withLock(\.session)?.queue.withLock(\.commands) ?? 0 }
}
