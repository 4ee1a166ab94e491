import Synchronization
import TestSupport
import Testing

@testable import RedisClient

/// Connections whose replies are confirmed by the replication id behind them.
@Suite(.timeLimit(.unit))
struct RedisHistoryTests {
    private func configuration(_ peer: FakePeer) -> RedisConfiguration {
        var configuration = RedisConfiguration.peer(peer)
        configuration.confirmsHistory = true
        return configuration
    }

    private static func info(_ id: String, role: String = "master") -> String {
        let text = "# Replication\r\nrole:\(role)\r\nconnected_slaves:0\r\nmaster_replid:\(id)\r\nmaster_replid2:0\r\n"
        return "$\(text.utf8.count)\r\n\(text)\r\n"
    }

    /// Answers a handshake and its question.
    private static func begin(_ client: FakePeer.Client, _ id: String, role: String = "master") throws {
        try client.answerHandshake()
        _ = try client.command()
        try client.write(info(id, role: role))
    }

    @Test
    func `a reply is handed out once the same history has been named behind it, and not before`() async throws {
        let seen = Mutex<[[String]]>([])
        let (answered, answer) = AsyncStream<Void>.makeStream()
        let isNamed = Mutex(false)
        let peer = try FakePeer { client, _ in
            try Self.begin(client, "one")
            for _ in 0..<2 { seen.withLock { $0.append((try? client.command()) ?? []) } }
            try client.write("$1\r\na\r\n")
            answer.finish()
            while !isNamed.withLock(\.self) {}
            try client.write(Self.info("one"))
            try client.waitUntilGone()
        }
        try await withConnection(configuration(peer)) { connection in
            #expect(connection.present?.runID == "one")
            let (replies, reply) = AsyncStream<String>.makeStream()
            let caller = Task { _ = reply.yield(try await connection.echo("a")) }
            for await _ in answered {}
            reply.yield("still waiting")
            isNamed.withLock { $0 = true }
            try await caller.value
            reply.finish()
            #expect(await replies.reduce(into: []) { $0.append($1) } == ["still waiting", "a"])
        }
        #expect(seen.withLock(\.self) == [["ECHO", "a"], ["INFO", "replication"]])
        peer.stop()
    }

    @Test(arguments: ["another id", "a replica", "an error", "something else"])
    func `replies before another history are lost, and the session with them`(end: String) async throws {
        let peer = try FakePeer { client, number in
            try Self.begin(client, "\(number)")
            guard number == 0 else {
                _ = (try client.command(), try client.command())
                try client.write("$3\r\nnew\r\n" + Self.info("1"))
                return try client.waitUntilGone()
            }
            _ = (try client.command(), try client.command())
            try client.write("$3\r\nold\r\n")
            switch end {
            case "another id": try client.write(Self.info("2"))
            case "a replica": try client.write(Self.info("0", role: "slave"))
            case "an error": try client.write("-LOADING\r\n")
            default: try client.write("$5\r\nhello\r\n")
            }
            try client.waitUntilGone()
        }
        try await withConnection(configuration(peer)) { connection in
            let old = try #require(connection.present)
            let lost = await redisError { try await connection.echo("x") }
            #expect(lost?.isOutcomeUnknown == true)
            try await connection.waitUntilUp()
            #expect(try await connection.echo("x") == "new")
            #expect(connection.present?.runID == "1")
            #expect(connection.present != old && !old.isOpen)
            let refused = await redisError { try await old.send(RedisCommand("PING")) { try $0.text } }
            #expect(refused?.isOutcomeUnknown == false)
        }
        peer.stop()
    }

    @Test
    func `one question serves all commands that are written together, and long batches get several`() async throws {
        let questions = Mutex(0)
        let commands = Mutex(0)
        let peer = try FakePeer { client, _ in
            try Self.begin(client, "one")
            while true {
                let command = try client.command()
                if command == ["INFO", "replication"] {
                    questions.withLock { $0 += 1 }
                    try client.write(Self.info("one"))
                } else {
                    commands.withLock { $0 += 1 }
                    try client.write("$1\r\na\r\n")
                }
            }
        }
        try await withConnection(configuration(peer)) { connection in
            let batch = (0..<10).map { RedisCommand("ECHO", ["\($0)"]) }
            #expect(try await connection.send(batch) { $0.count } == 10)
            #expect(questions.withLock { $0 } == 1)
            #expect(commands.withLock { $0 } == 10)
            try await withThrowingTaskGroup(of: Void.self) { group in
                for _ in 0..<200 { group.addTask { _ = try await connection.echo("a") } }
                try await group.waitForAll()
            }
            // Commands never wait for a queue that does not get empty.
            let asked = questions.withLock { $0 }
            #expect(asked >= 4 && asked <= 201)
            #expect(commands.withLock { $0 } == 210)
        }
        peer.stop()
    }

    @Test
    func `a replica is no master to connect to`() async throws {
        let peer = try FakePeer { client, number in
            try Self.begin(client, "one", role: number < 3 ? "slave" : "master")
            try client.waitUntilGone()
        }
        try await withConnection(configuration(peer)) { #expect($0.present?.runID == "one") }
        peer.stop()
    }

    @Test(.redisServer(arguments: ["--requirepass", "hush"]))
    func `a wrong password is what the handshake fails with`() async throws {
        let server = try #require(RedisServer.current)
        var configuration = server.configuration
        configuration.confirmsHistory = true
        configuration.password = "wrong"
        let error = await redisError {
            try await RedisProbe.ask(configuration, [RedisCommand("PING")]) { try $0.throwIfAnyError() }
        }
        #expect(error?.serverCode == "WRONGPASS")
        configuration.password = "hush"
        try await RedisProbe.ask(configuration, [RedisCommand("PING")]) { try $0.throwIfAnyError() }
    }

    @Test(arguments: [
        ("role:master\r\nmaster_replid:ab\r\nmaster_replid2:cd\r\n", "ab"), ("role:slave\r\nmaster_replid:ab\r\n", nil),
        ("# Replication\nrole:master\nmaster_replid:x", "x"), ("", nil), ("role:master\r\n", nil),
        ("xrole:master\r\nmaster_replid:ab\r\n", nil), ("role:master\r\nxmaster_replid:ab\r\n", nil),
    ])
    func `the id is read from the lines of INFO`(text: String, id: String?) {
        var text = text
        #expect(text.withUTF8 { RedisHistory.id(in: UnsafeRawBufferPointer($0)) } == id)
    }
}
