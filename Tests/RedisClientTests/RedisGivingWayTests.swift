import Foundation
import Logging
import Synchronization
import TestSupport
import Testing

@testable import RedisClient

@Suite(.timeLimit(.unit))
struct RedisGivingWayTests {
    /// A switch for giving way, set by the test.
    private final class Manners: Sendable {
        let givesWay = Atomic(true)
    }

    /// Runs a session over `peer`, without a handshake.
    private func withSession(
        _ peer: FakePeer, _ manners: Manners, _ body: @Sendable (RedisSession) async throws -> Void
    ) async throws {
        let session = try RedisSession(
            configuration: .peer(peer), name: "test", givesWay: { manners.givesWay.load(ordering: .relaxed) },
            willEnd: {})
        try await withThrowingTaskGroup(of: Void.self) { group in
            group.addTask { _ = await session.run() }
            defer { session.drain() }
            try await body(session)
        }
        peer.stop()
    }

    /// Sends an ECHO command for each text.
    ///
    /// - Parameter arguments: the number of arguments of each command, the last of which is echoed.
    private func echoes(
        _ texts: [String], arguments: Int = 100, _ session: RedisSession
    ) async throws -> [String] {
        let padding = Array(repeating: "x", count: arguments - 2)
        let commands = texts.map { RedisCommand("ECHO", padding + [$0]) }
        return try await session.send(commands, timeout: nil) { replies in
            try (0..<replies.count).map { try replies[$0].text }
        }
    }

    @Test
    func `two commands are under way at a time, and all of them once nothing is given way to`() async throws {
        let manners = Manners()
        let texts = (0..<8).map { "text \($0)" }
        let peer = try FakePeer { client, _ in
            var read: [String] = []
            func take() throws { read.append(try client.command().last ?? "") }
            func answer(_ number: Int) throws { try client.write("+\(read[number])\r\n") }
            func expectNothing() throws {
                let hasMore = try client.hasSomething(within: 50)
                #expect(!hasMore)
            }
            try take()
            try take()
            try expectNothing()
            try answer(0)
            try take()
            try expectNothing()
            try answer(1)
            try answer(2)
            try take()
            try take()
            try expectNothing()
            manners.givesWay.store(false, ordering: .relaxed)
            try answer(3)
            for _ in 5..<8 { try take() }
            for number in 4..<8 { try answer(number) }
            #expect(read == texts)
            try client.waitUntilGone()
        }
        try await withSession(peer, manners) { session in
            let replies = try await echoes(texts, session)
            #expect(replies == texts)
        }
    }

    @Test
    func `commands that say little are not held back by their number`() async throws {
        let texts = (0..<20).map { "text \($0)" }
        let peer = try FakePeer { client, _ in
            let read = try texts.map { _ in try client.command().last ?? "" }
            for text in read { try client.write("+\(text)\r\n") }
            try client.waitUntilGone()
        }
        try await withSession(peer, Manners()) { session in
            let replies = try await echoes(texts, arguments: 6, session)
            #expect(replies == texts)
        }
    }

    @Test
    func `a reply to a command that has not been sent ends the connection`() async throws {
        let peer = try FakePeer { client, _ in
            _ = try client.command()
            _ = try client.command()
            try client.write("+0\r\n+1\r\n+2\r\n")
            try client.waitUntilGone()
        }
        try await withSession(peer, Manners()) { session in
            let error = await redisError { try await echoes(["0", "1", "2"], session) }
            #expect(error?.code == .protocolViolation)
        }
    }

    @Test
    func `what is half sent when its caller goes is sent whole, and others get their own replies`() async throws {
        let (received, receive) = AsyncStream<Void>.makeStream()
        let isCancelled = DispatchSemaphore(value: 0)
        let peer = try FakePeer { client, _ in
            let first = try (0..<2).map { _ in try client.command().last ?? "" }
            receive.yield()
            isCancelled.wait()
            for text in first { try client.write("+\(text)\r\n") }
            try client.echo()
        }
        try await withSession(peer, Manners()) { session in
            let cancelled = Task { try await echoes((0..<5).map { "cancelled \($0)" }, session) }
            for await _ in received { break }
            cancelled.cancel()
            await #expect(throws: CancellationError.self) { try await cancelled.value }
            isCancelled.signal()
            for number in 0..<5 {
                let replies = try await echoes(["\(number)"], session)
                #expect(replies == ["\(number)"])
            }
        }
    }

    @Test
    func `everybody gets their own replies while it gives way now and then`() async throws {
        let manners = Manners()
        let peer = try FakePeer { client, _ in try client.echo() }
        try await withSession(peer, manners) { session in
            try await withThrowingTaskGroup(of: Void.self) { group in
                for number in 0..<400 {
                    group.addTask {
                        manners.givesWay.store(number.isMultiple(of: 3), ordering: .relaxed)
                        let texts = (0...number % 7).map { "\(number).\($0)" }
                        let replies = try await echoes(texts, arguments: 2 + number % 150, session)
                        #expect(replies == texts)
                    }
                }
                try await group.waitForAll()
            }
        }
    }

    @Test
    func `a connection gives way while another was used just now`() async throws {
        let peer = try FakePeer { client, _ in
            try client.answerHandshake()
            try client.echo()
        }
        try await withConnection(.peer(peer)) { reads in
            let logger = Logger(label: "test") { _ in SwiftLogNoOpLogHandler() }
            let writes = try RedisConnection(
                configuration: .peer(peer), name: "writes", givingWayTo: reads, logger: logger)
            #expect(!reads.givesWay)
            // The loop waits until the handshake's commands no longer count as recent use.
            while writes.givesWay { await Task.yield() }
            _ = try await reads.echo("x")
            let sent = try #require(reads.lastUse)
            #expect(reads.isInUse(at: sent + RedisConnection.useLasts - .nanoseconds(1)))
            #expect(!reads.isInUse(at: sent + RedisConnection.useLasts))
            while writes.givesWay { await Task.yield() }
            reads.close()
            #expect(!writes.givesWay)
        }
        peer.stop()
    }
}
