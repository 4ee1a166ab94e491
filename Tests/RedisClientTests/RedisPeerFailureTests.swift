import Foundation
import TestSupport
import Testing

@testable import RedisClient

@Suite(.timeLimit(.unit))
struct RedisPeerFailureTests {
    struct Row: Sendable, CustomTestStringConvertible {
        let testDescription: String
        let code: RedisError.Code
        /// Runs after one command has been read; the connection is closed when it returns.
        let misbehave: @Sendable (FakePeer.Client) throws -> Void

        init(_ name: String, _ code: RedisError.Code, _ misbehave: @escaping @Sendable (FakePeer.Client) throws -> Void)
        {
            testDescription = name
            self.code = code
            self.misbehave = misbehave
        }

        /// Sends these bytes and then waits for the client to disconnect.
        init(violation: String) {
            self.init(violation.debugDescription, .protocolViolation) {
                try $0.write(violation)
                try $0.waitUntilGone()
            }
        }
    }

    static let rows: [Row] = [
        Row("end before the reply", .connectionLost) { _ in },
        Row("end in mid-reply", .connectionLost) { try $0.write("*2\r\n$10\r\nhal") },
        Row("an array longer than any command is answered with", .connectionLost) {
            try $0.write("*200000000\r\n")
            try $0.waitUntilGone()
        },
        Row("reset in mid-reply", .connectionLost) {
            try $0.write("$10\r\nhal")
            $0.reset()
        },
        Row("silence", .timeout) { try $0.waitUntilGone() },
        Row("silence in mid-reply", .timeout) {
            try $0.write("*2\r\n:1\r\n")
            try $0.waitUntilGone()
        },
        Row(violation: "HTTP/1.1 400 Bad Request\r\n\r\n"),
        Row(violation: "\0\0\0\0"),
        Row(violation: ":99999999999999999999\r\n"),
        Row(violation: ":12x\r\n"),
        Row(violation: "$99999999999999999999\r\n"),
        Row(violation: "$-2\r\n"),
        Row(violation: "*99999999999\r\n"),
        Row(violation: String(repeating: "*1\r\n", count: 10) + ":1\r\n"),
        // More bytes in one reply than the limit set below.
        Row(violation: "$2000000\r\n" + String(repeating: "x", count: 1_500_000)),
    ]

    @Test(arguments: rows, FakePeer.Transport.allCases)
    func `the caller learns what happened, and the next connection serves`(row: Row, transport: FakePeer.Transport)
        async throws
    {
        let peer = try FakePeer(transport) { client, number in
            try client.answerHandshake()
            guard number < 2 else { return try client.echo() }
            _ = try client.command()
            try row.misbehave(client)
        }
        var configuration = RedisConfiguration.peer(peer)
        configuration.maximumReplyBytes = 1_000_000
        try await withConnection(configuration) { connection in
            for _ in 0..<2 {
                try await connection.waitUntilUp()
                let timeout: Duration? = row.code == .timeout ? .milliseconds(30) : nil
                let error = await redisError {
                    try await connection.send(RedisCommand("X"), timeout: timeout) { _ in }
                }
                #expect(error?.code == row.code)
                #expect(error?.isOutcomeUnknown == true)
            }
            try await connection.expectEchoes("recovered")
        }
        peer.stop()
    }

    @Test
    func `only the overdue command times out; those behind it are lost, and all are resumed`() async throws {
        let (received, receive) = AsyncStream<Void>.makeStream()
        let peer = try FakePeer { client, number in
            try client.answerHandshake()
            guard number == 0 else { return try client.echo() }
            for _ in 0..<3 {
                _ = try client.command()
                receive.yield()
            }
            try client.waitUntilGone()
        }
        try await withConnection(.peer(peer)) { connection in
            async let first = redisError { try await connection.echo("1") }
            async let second = redisError { try await connection.echo("2") }
            var waiting = received.makeAsyncIterator()
            await waiting.next()
            await waiting.next()
            let third = await redisError {
                try await connection.send(RedisCommand("X"), timeout: .milliseconds(30)) { _ in }
            }
            #expect(third?.code == .timeout)
            let others = await [first?.code, second?.code]
            #expect(others == [.connectionLost, .connectionLost])
            try await connection.expectEchoes("after the timeout")
        }
        peer.stop()
    }

    @Test
    func `a reply that nobody asked for ends the connection`() async throws {
        let peer = try FakePeer { client, number in
            try client.answerHandshake()
            guard number == 0 else { return try client.echo() }
            _ = try client.command()
            try client.write("$1\r\na\r\n$1\r\nb\r\n")
            try client.waitUntilGone()
        }
        try await withConnection(.peer(peer)) { connection in
            let first = try #require(connection.present)
            #expect(try await connection.echo("a") == "a")
            // Not the state: the next connection may be up before this task goes on.
            while connection.present == first { await Task.yield() }
            try await connection.expectEchoes("after the extra reply")
        }
        peer.stop()
    }

    @Test
    func `a peer that is not there fails commands at once`() async throws {
        let path = temporaryPath("absent") + ".sock"
        let configuration = RedisConfiguration(endpoint: .unix(path: path))
        try await withConnection(configuration, waitUntilUp: false) { connection in
            let error = await redisError { try await connection.echo("x") }
            #expect(error?.code == .unavailable)
            #expect(error?.isOutcomeUnknown == false)
            #expect(connection.state == .down)
        }
    }
}
