import Synchronization
import TestSupport
import Testing

@testable import RedisClient

@Suite(.timeLimit(.unit))
struct RedisHandshakeTests {
    @Test
    func `the hook knows the run id, sends on this connection alone, and everybody else waits outside`() async throws {
        let seen = Mutex<[String]>([])
        let peer = try FakePeer { client, number in
            try client.answerHandshake(runID: "run-\(number)")
            guard number == 0 else { return try client.echo() }
            let text = try client.command().last ?? ""
            try client.write("$\(text.utf8.count)\r\n\(text)\r\n")
            _ = try client.command()
        }
        let (connections, publish) = AsyncStream<RedisConnection>.makeStream()
        let hook: @Sendable (RedisHandshake) async throws -> Void = { handshake in
            var iterator = connections.makeAsyncIterator()
            let connection = await iterator.next()
            let outside = await redisError { try await connection?.echo("outside") }
            #expect(outside?.code == .unavailable)
            let fence = try await handshake.send(RedisCommand("ECHO", [handshake.runID])) { try $0.text }
            seen.withLock { $0.append(fence) }
        }
        try await withConnection(.peer(peer), waitUntilUp: false, onHandshake: hook) { connection in
            publish.yield(connection)
            try await connection.waitUntilUp()
            let lost = await redisError { try await connection.echo("lost") }
            #expect(lost?.code == .connectionLost)
            publish.yield(connection)
            try await connection.expectEchoes("after the second handshake")
        }
        #expect(seen.withLock { $0 } == ["run-0", "run-1"])
        peer.stop()
    }

    @Test
    func `a hook that throws drops the connection, and the next is tried`() async throws {
        let attempts = Mutex(0)
        let peer = try FakePeer { client, _ in
            try client.answerHandshake()
            try client.echo()
        }
        let hook: @Sendable (RedisHandshake) async throws -> Void = { _ in
            guard
                attempts.withLock({
                    $0 += 1; return $0 > 3
                })
            else { throw RedisError.unexpected("success") }
        }
        try await withConnection(.peer(peer), onHandshake: hook) { try await $0.expectEchoes("after the hook") }
        #expect(attempts.withLock { $0 } == 4)
        peer.stop()
    }

    @Test(arguments: [
        "-LOADING snapshot\r\n", "-ERR max number of clients reached\r\n", "junk\r\n", "+OK\r\n+no info\r\n", "",
    ])
    func `a refused or broken handshake is tried again`(answer: String) async throws {
        let peer = try FakePeer { client, number in
            guard number < 3 else {
                try client.answerHandshake()
                return try client.echo()
            }
            _ = try client.command()
            _ = try client.command()
            try client.write(answer)
        }
        try await withConnection(.peer(peer)) { try await $0.expectEchoes("after refusals") }
        peer.stop()
    }

    @Test
    func `a silent handshake is given up after the time limit`() async throws {
        let peer = try FakePeer { client, number in
            guard number > 0 else { return try client.waitUntilGone() }
            try client.answerHandshake()
            try client.echo()
        }
        var configuration = RedisConfiguration.peer(peer)
        // Each attempt has it, also those that are answered.
        configuration.connectTimeout = .milliseconds(500)
        try await withConnection(configuration) { try await $0.expectEchoes("after silence") }
        peer.stop()
    }

    @Test
    func `password, user and database go first`() async throws {
        let commands = Mutex<[[String]]>([])
        let peer = try FakePeer { client, _ in
            for _ in 0..<4 {
                let command = try client.command()
                commands.withLock { $0.append(command) }
                let info = "run_id:r\r\n"
                try client.write(command[0] == "INFO" ? "$\(info.utf8.count)\r\n\(info)\r\n" : "+OK\r\n")
            }
            try client.echo()
        }
        var configuration = RedisConfiguration.peer(peer)
        configuration.username = "u"
        configuration.password = "p"
        configuration.database = 3
        try await withConnection(configuration) { try await $0.expectEchoes("logged in") }
        #expect(commands.withLock { $0 } == [["AUTH", "u", "p"], ["SELECT", "3"], ["PING"], ["INFO", "server"]])
        peer.stop()
    }
}
