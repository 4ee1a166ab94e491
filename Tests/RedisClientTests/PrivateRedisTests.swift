import Foundation
import Glibc
import Logging
import Processes
import TestSupport
import Testing

@testable import RedisClient

@Suite(.timeLimit(.process))
struct PrivateRedisTests {
    static let logger: Logger = {
        var logger = Logger(label: "test")
        logger.logLevel = .critical
        return logger
    }()

    @Test
    func `it starts as asked, outside the process group of its parent, and stops without a trace`() async throws {
        try await withTemporaryDirectory("private") { directory in
            let pid = try await withPrivateRedis(directory) { redis in
                let pid = try #require(await redis.pid)
                #expect(getpgid(pid) != getpgrp())
                let settings = try await withConnection(Self.patient(redis.configuration)) { connection in
                    let names = ["zset-max-listpack-entries", "zset-max-listpack-value", "save", "maxmemory", "port"]
                    return try await connection.send(RedisCommand("CONFIG", ["GET"] + names)) { reply in
                        let pairs = try stride(from: 0, to: reply.count, by: 2).map {
                            (try reply[$0].text, try reply[$0 + 1].text)
                        }
                        return Dictionary(uniqueKeysWithValues: pairs)
                    }
                }
                #expect(
                    settings == [
                        "zset-max-listpack-entries": "200", "zset-max-listpack-value": "64", "save": "",
                        "maxmemory": "50000000", "port": "0",
                    ])
                var status = stat()
                #expect(stat(redis.socketPath, &status) == 0 && status.st_mode & 0o777 == 0o700)
                return pid
            }
            #expect(kill(pid, 0) == -1)
            #expect(!FileManager.default.fileExists(atPath: directory + "/redis.sock"))
            #expect(!FileManager.default.fileExists(atPath: directory + "/redis.pid"))
        }
    }

    @Test
    func `a killed child is restarted, and counted`() async throws {
        try await withTemporaryDirectory("private") { directory in
            try await withPrivateRedis(directory) { redis in
                for round in 1...2 {
                    let pid = try #require(await redis.pid)
                    kill(pid, SIGKILL)
                    while await redis.restarts < round { await Task.yield() }
                    try await redis.waitUntilReady(within: .seconds(600))
                    #expect(await redis.pid != pid)
                }
            }
        }
    }

    @Test(arguments: [true, false])
    func `the leftover of a killed parent is replaced, not adopted`(stalled: Bool) async throws {
        try await withTemporaryDirectory("private") { directory in
            let bystander = try RedisServer()
            try await bystander.start()
            let old = try Self.server(["--port", "0", "--unixsocket", directory + "/redis.sock", "--dir", directory])
            let configuration = RedisConfiguration(endpoint: .unix(path: directory + "/redis.sock"))
            while (try? await RedisProbe.processID(configuration)) == nil { await Task.yield() }
            // A stopped process neither answers nor handles SIGTERM.
            if stalled { old.signal(SIGSTOP) }
            try await withPrivateRedis(directory, leftoverGrace: stalled ? .seconds(2) : .seconds(600)) { redis in
                let answering = try await RedisProbe.processID(Self.patient(redis.configuration))
                #expect(answering != old.pid)
            }
            #expect(await old.wait() == (stalled ? .signalled(SIGKILL) : .exited(0)))
            // The other redis-server is left alone.
            let untouched = try await RedisProbe.processID(bystander.configuration)
            #expect(untouched > 0)
            await bystander.remove()
        }
    }

    @Test
    func `a server whose socket path only begins alike is left alone`() async throws {
        try await withTemporaryDirectory("private") { directory in
            let longer = directory + "/redis.sock.other"
            let other = try Self.server(["--port", "0", "--unixsocket", longer, "--save", ""])
            let configuration = RedisConfiguration(endpoint: .unix(path: longer))
            while (try? await RedisProbe.processID(configuration)) == nil { await Task.yield() }
            let leftover = PrivateRedisLeftover(socketPath: directory + "/redis.sock", logger: Self.logger)
            #expect(await leftover.servers().isEmpty)
            let exact = PrivateRedisLeftover(socketPath: longer, logger: Self.logger)
            #expect(await exact.servers() == [other.pid])
            await other.terminate(grace: .seconds(3))
        }
    }

    @Test
    func `a stale socket file does not keep it from starting`() async throws {
        try await withTemporaryDirectory("private") { directory in
            close(try LocalSocket.listenUnix(directory + "/redis.sock"))
            try await withPrivateRedis(directory) { _ in }
        }
    }

    @Test
    func `a stopped child that ignores SIGTERM is killed after the grace`() async throws {
        try await withTemporaryDirectory("private") { directory in
            let pid = try await withPrivateRedis(directory) { redis in
                let pid = try #require(await redis.pid)
                kill(pid, SIGSTOP)
                return pid
            }
            #expect(kill(pid, 0) == -1)
        }
    }

    @Test
    func `a path that is too long says what to do`() async throws {
        try await withTemporaryDirectory("private") { directory in
            let long = directory + "/" + String(repeating: "d", count: 100)
            try FileManager.default.createDirectory(atPath: long, withIntermediateDirectories: true)
            let error = #expect(throws: RedisError.self) { try Self.redis(long) }
            #expect(error?.code == .invalidConfiguration)
            #expect(error?.description.contains("Choose a shorter --data-dir, or give --redis.") == true)
        }
    }

    @Test
    func `a missing program names the Debian package; a missing directory is named`() async throws {
        try await withTemporaryDirectory("private") { directory in
            var options = PrivateRedis.Options(maxListpackEntries: 200)
            options.executable = directory + "/redis-server"
            let error = #expect(throws: RedisError.self) {
                try PrivateRedis(dataDirectory: directory, options: options, logger: Self.logger)
            }
            #expect(error?.description.contains("Debian package redis-server") == true)
            let nowhere = #expect(throws: RedisError.self) { try Self.redis(directory + "/nowhere") }
            #expect(nowhere?.description.contains("/nowhere") == true)
        }
    }

    @Test
    func `a child that never becomes ready is reported with its log, not waited for`() async throws {
        try await withTemporaryDirectory("private") { directory in
            var options = PrivateRedis.Options(maxListpackEntries: 200, executable: "/bin/false")
            options.backoff = RedisBackoff(minimum: .milliseconds(1), maximum: .milliseconds(5))
            let redis = try PrivateRedis(dataDirectory: directory, options: options, logger: Self.logger)
            let run = Task { try await redis.run() }
            let error = await redisError { try await redis.waitUntilReady(within: .milliseconds(50)) }
            #expect(error?.code == .unavailable)
            #expect(error?.message.contains("redis.log") == true)
            run.cancel()
            try await run.value
        }
    }

    private static func server(_ arguments: [String]) throws -> ChildProcess {
        try ChildProcess(Launch("/usr/bin/redis-server", arguments), endsWithParent: true)
    }

    private static func patient(_ configuration: RedisConfiguration) -> RedisConfiguration {
        var configuration = configuration
        configuration.connectTimeout = .seconds(600)
        configuration.commandTimeout = .seconds(600)
        return configuration
    }

    private static func redis(_ directory: String, leftoverGrace: Duration = .seconds(2)) throws -> PrivateRedis {
        var options = PrivateRedis.Options(maxListpackEntries: 200, maxMemory: 50_000_000)
        options.backoff = RedisBackoff(minimum: .milliseconds(1), maximum: .milliseconds(20))
        options.stopGrace = .milliseconds(500)
        options.leftoverGrace = leftoverGrace
        return try PrivateRedis(dataDirectory: directory, options: options, logger: logger)
    }

    private func withPrivateRedis<R: Sendable>(
        _ directory: String, leftoverGrace: Duration = .seconds(2),
        _ body: @Sendable (PrivateRedis) async throws -> R
    ) async throws -> R {
        let redis = try Self.redis(directory, leftoverGrace: leftoverGrace)
        return try await withThrowingTaskGroup(of: Void.self) { group in
            group.addTask { try await redis.run() }
            let result: Result<R, any Error>
            do {
                try await redis.waitUntilReady(within: .seconds(600))
                result = .success(try await body(redis))
            } catch {
                result = .failure(error)
            }
            group.cancelAll()
            try await group.waitForAll()
            return try result.get()
        }
    }
}
