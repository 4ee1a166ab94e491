import Foundation
import Logging
import Synchronization
import TestSupport
import Testing

@testable import RedisClient

@Suite(.timeLimit(.process))
struct RedisServerTests {
    @Test(.redisServer)
    func `10,000 commands of 64 tasks get each its own reply`() async throws {
        let server = try #require(RedisServer.current)
        let wrong = try await withConnection(server.configuration) { connection in
            try await withThrowingTaskGroup(of: Int.self) { group in
                for task in 0..<64 {
                    group.addTask {
                        var wrong = 0
                        for number in 0..<157 {
                            let text = "\(task):\(number)"
                            if try await connection.echo(text) != text { wrong += 1 }
                        }
                        return wrong
                    }
                }
                return try await group.reduce(0, +)
            }
        }
        #expect(wrong == 0)
    }

    @Test(.redisServer)
    func `keys and values hold any byte`() async throws {
        let server = try #require(RedisServer.current)
        let key: [UInt8] = [0, 13, 10, 255, 0]
        let value = [UInt8]((0...255)) + [UInt8](repeating: 0, count: 100_000)
        let (read, length, missing) = try await withConnection(server.configuration) { connection in
            var set = RedisCommand("SET")
            set.append(key)
            set.append(value)
            var get = RedisCommand("GET")
            get.append(key)
            return try await connection.send([set, get, RedisCommand("DBSIZE"), RedisCommand("GET", ["none"])]) {
                (try $0[1].withBytes { Array($0) }, try $0[2].integer, $0[3].isNull)
            }
        }
        #expect(read == value)
        #expect(length == 1)
        #expect(missing)
    }

    @Test(.redisServer)
    func `nested arrays of every size come whole, one after the other and side by side`() async throws {
        let server = try #require(RedisServer.current)
        let script = """
            local answer = {}
            for i = 1, tonumber(ARGV[1]) do answer[i] = {i, string.rep(tostring(i % 10), tonumber(ARGV[2]))} end
            return answer
            """
        let sizes = [(0, 0), (1, 0), (3, 100_000), (700, 5), (21, 17), (2_000, 40), (1, 70_000)]
        let wrong = try await withConnection(server.configuration) { connection in
            try await withThrowingTaskGroup(of: Int.self) { group in
                for task in 0..<8 {
                    group.addTask {
                        var wrong = 0
                        for round in 0..<28 {
                            let pair = [
                                sizes[(task + round) % sizes.count], sizes[(task * 3 + round * 2) % sizes.count],
                            ]
                            let commands = pair.map { RedisCommand("EVAL", [script, "0", "\($0.0)", "\($0.1)"]) }
                            let same = try await connection.send(commands) { replies in
                                try zip(0..., pair).allSatisfy { place, size in
                                    try replies[place].count == size.0
                                        && (0..<size.0).allSatisfy { index in
                                            let element = try replies[place][index]
                                            let text = String(repeating: "\((index + 1) % 10)", count: size.1)
                                            return try element[0].integer == index + 1 && element[1].text == text
                                        }
                                }
                            }
                            if !same { wrong += 1 }
                        }
                        return wrong
                    }
                }
                return try await group.reduce(0, +)
            }
        }
        #expect(wrong == 0)
    }

    @Test(.redisServer)
    func `large commands and replies flow both ways at once`() async throws {
        let server = try #require(RedisServer.current)
        try await withConnection(server.configuration) { connection in
            try await withThrowingTaskGroup(of: Void.self) { group in
                for task in 0..<8 {
                    group.addTask {
                        let text = String(repeating: "\(task)", count: 3_000_000)
                        let same = try await connection.send(RedisCommand("ECHO", [text])) { try $0.text == text }
                        #expect(same)
                    }
                }
                try await group.waitForAll()
            }
        }
    }

    @Test(.redisServer)
    func `a server's error is the caller's, and nobody else's`() async throws {
        let server = try #require(RedisServer.current)
        try await withConnection(server.configuration) { connection in
            let command = RedisCommand("EVALSHA", [String(repeating: "0", count: 40), "0"])
            let error = await redisError { try await connection.send(command) { _ in } }
            #expect(error?.serverCode == "NOSCRIPT")
            try await connection.expectEchoes("after NOSCRIPT")
        }
    }

    @Test(.redisServer(arguments: ["--requirepass", "hush"], tcp: true))
    func `the right password opens, over TCP too`() async throws {
        let server = try #require(RedisServer.current)
        let port = try #require(server.port)
        for address in ["redis://:hush@127.0.0.1:\(port)/5", "unix://\(server.socketPath)?password=hush&db=5"] {
            var configuration = try RedisConfiguration(parsing: address)
            configuration.commandTimeout = .seconds(600)
            let info = try await withConnection(configuration) { connection in
                try await connection.send(RedisCommand("CLIENT", ["INFO"])) { try $0.text }
            }
            #expect(info.contains(" db=5 "))
        }
    }

    @Test(
        .redisServer(arguments: ["--requirepass", "hush"]),
        arguments: ["password=wrong", "db=0", "password=hush&db=99"])
    func `a wrong or missing password, or a database that is not there, never comes up`(options: String) async throws {
        let server = try #require(RedisServer.current)
        let reasons = ReasonLog()
        var configuration = try RedisConfiguration(parsing: "unix://\(server.socketPath)?\(options)")
        // The first reason is to be the server's.
        configuration.connectTimeout = .seconds(600)
        let logger = Logger(label: "test") { _ in reasons }
        let connection = try RedisConnection(configuration: configuration, name: "test", logger: logger)
        await withTaskGroup { group in
            group.addTask { await connection.run() }
            let reason = await reasons.next()
            #expect(["WRONGPASS", "NOAUTH", "ERR DB index"].contains { reason.contains($0) }, "\(reason)")
            #expect(!reason.contains("hush"))
            #expect(connection.state == .down)
            connection.close()
        }
    }

    @Test(.redisServer)
    func `a killed server is found again; its run id is another one`() async throws {
        let server = try #require(RedisServer.current)
        let runIDs = Mutex<Set<String>>([])
        let hook: @Sendable (RedisHandshake) async throws -> Void = { handshake in
            runIDs.withLock { _ = $0.insert(handshake.runID) }
        }
        var configuration = server.configuration
        configuration.backoff = RedisBackoff(minimum: .milliseconds(1), maximum: .milliseconds(20))
        try await withConnection(configuration, onHandshake: hook) { connection in
            for round in 0..<3 {
                try await connection.expectEchoes("round \(round)")
                // These are in flight while the server dies. Each of them ends, with a reply or an error.
                async let blocked = redisError {
                    try await connection.send(RedisCommand("BLPOP", ["none", "0"])) { _ in }
                }
                try await connection.waitUntilBlocked(server)
                await server.kill()
                let lost = await blocked
                #expect(lost?.code == .connectionLost)
                for await state in connection.states() where state == .down { break }
                let down = await redisError { try await connection.echo("down") }
                #expect(down?.code == .unavailable)
                try await server.start()
            }
            try await connection.expectEchoes("after all")
        }
        #expect(runIDs.withLock { $0.count } == 4)
    }

    @Test(.redisServer)
    func `a stalled server times out, and serves again once it goes on`() async throws {
        let server = try #require(RedisServer.current)
        var configuration = server.configuration
        configuration.commandTimeout = .milliseconds(100)
        configuration.connectTimeout = .milliseconds(100)
        configuration.backoff = RedisBackoff(minimum: .milliseconds(1), maximum: .milliseconds(20))
        try await withConnection(configuration) { connection in
            await server.stall()
            let errors = await withTaskGroup(of: RedisError.Code?.self) { group in
                for number in 0..<50 {
                    group.addTask { await redisError { try await connection.echo("\(number)") }?.code }
                }
                return await group.reduce(into: Set<RedisError.Code?>()) { $0.insert($1) }
            }
            #expect(errors.isSubset(of: [.timeout, .connectionLost, .unavailable]))
            #expect(errors.contains(.timeout))
            await server.resume()
            try await connection.waitUntilUp()
            let again = RedisCommand("ECHO", ["again"])
            let same = try await connection.send(again, timeout: .seconds(600)) { try $0.text }
            #expect(same == "again")
        }
    }

    @Test(.redisServer)
    func `random cancellations never shift a reply`() async throws {
        let server = try #require(RedisServer.current)
        try await withConnection(server.configuration) { connection in
            let outcomes = await withTaskGroup(of: Bool?.self) { group in
                for number in 0..<2000 {
                    group.addTask {
                        let task = Task { try await connection.echo("\(number)") }
                        if number % 3 == 0 { task.cancel() }
                        return await (try? task.value).map { $0 == "\(number)" }
                    }
                }
                return await group.reduce(into: [Bool?: Int]()) { $0[$1, default: 0] += 1 }
            }
            #expect(outcomes[false] == nil)
            #expect(outcomes[true, default: 0] >= 1333)
            try await connection.expectEchoes("after cancellations")
        }
    }

    @Test(.redisServer)
    func `the trait's server can be emptied`() async throws {
        let server = try #require(RedisServer.current)
        try await withConnection(server.configuration) { connection in
            try await connection.send(RedisCommand("SET", ["k", "v"])) { _ in }
            try await server.flushAll()
            let size = try await connection.send(RedisCommand("DBSIZE")) { try $0.integer }
            #expect(size == 0)
        }
    }
}

extension RedisConnection {
    /// Returns once the server has blocked this connection, so that a command is certainly in flight.
    fileprivate func waitUntilBlocked(_ server: RedisServer) async throws {
        try await withConnection(server.configuration) { other in
            while true {
                let info = try await other.send(RedisCommand("INFO", ["clients"])) { RedisInfo(try $0.text) }
                if info["blocked_clients"] == "1" { return }
                await Task.yield()
            }
        }
    }
}

/// Collects the logged reasons for which a connection is down.
private struct ReasonLog: LogHandler {
    private let reasons = AsyncStream<String>.makeStream()
    var logLevel = Logger.Level.debug
    var metadata: Logger.Metadata = [:]

    subscript(metadataKey key: String) -> Logger.Metadata.Value? {
        get { metadata[key] }
        set { metadata[key] = newValue }
    }

    func next() async -> String {
        var iterator = reasons.stream.makeAsyncIterator()
        return await iterator.next() ?? ""
    }

    func log(event: LogEvent) {
        if let reason = event.metadata?["redis.reason"] { reasons.continuation.yield("\(reason)") }
    }
}
