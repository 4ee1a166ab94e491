import Foundation
import Testing

@testable import RedisClient
@testable import Timeline

/// A throwaway redis-server of one test, on a unix socket and, if asked for, a TCP port, in a temporary directory.
actor RedisServer {
    /// The server of the test that runs now; see ``RedisServerTrait``.
    @TaskLocal static var current: RedisServer?

    nonisolated let directory: String
    nonisolated let socketPath: String
    nonisolated let port: Int?
    private let extraArguments: [String]
    private var process: PrivateRedisProcess?

    init(arguments: [String] = [], tcp: Bool = false) throws {
        directory = NSTemporaryDirectory() + "redis-\(UUID().uuidString.prefix(8))"
        try FileManager.default.createDirectory(atPath: directory, withIntermediateDirectories: true)
        socketPath = directory + "/redis.sock"
        port = tcp ? try LocalSocket.freePort() : nil
        extraArguments = arguments
    }

    nonisolated var configuration: RedisConfiguration { RedisConfiguration(endpoint: .unix(path: socketPath)) }

    /// Starts it and returns once it answers.
    func start() async throws {
        unlink(socketPath)
        let arguments =
            [
                "--port", "\(port ?? 0)", "--bind", "127.0.0.1", "--unixsocket", socketPath, "--save", "",
                "--appendonly", "no", "--dir", directory, "--enable-debug-command", "yes",
            ] + extraArguments
        process = try PrivateRedisProcess(
            executable: "/usr/bin/redis-server", arguments: arguments, log: directory + "/redis.log")
        while true {
            do {
                _ = try await RedisProbe.processID(configuration)
                return
            } catch let error as RedisError where error.serverCode == "NOAUTH" {
                return
            } catch {
                try Task.checkCancellation()
                await Task.yield()
            }
        }
    }

    /// `kill -9`; returns after the end.
    func kill() async {
        process?.signal(SIGKILL)
        _ = await process?.wait()
        process = nil
    }

    func restart() async throws {
        await kill()
        try await start()
    }

    /// SIGSTOP: the kernel still accepts connections and bytes, but nobody answers.
    func stall() { process?.signal(SIGSTOP) }
    func resume() { process?.signal(SIGCONT) }

    func flushAll() async throws {
        let session = try RedisSession(configuration: configuration, name: "flushall") {}
        try await withThrowingTaskGroup(of: Void.self) { group in
            group.addTask { _ = await session.run() }
            defer { session.drain() }
            try await session.send(RedisCommand("FLUSHALL"), timeout: nil) { _ in }
        }
    }

    func remove() async {
        await kill()
        try? FileManager.default.removeItem(atPath: directory)
    }
}

/// Gives every test a ``RedisServer`` of its own, started before it and gone after it. Without the Debian package
/// redis-server the test fails.
struct RedisServerTrait: TestTrait, SuiteTrait, TestScoping {
    let arguments: [String]
    let tcp: Bool
    let isRecursive = true

    func provideScope(
        for test: Test, testCase: Test.Case?, performing function: @Sendable () async throws -> Void
    ) async throws {
        guard testCase != nil else { return try await function() }
        let server = try RedisServer(arguments: arguments, tcp: tcp)
        do {
            try await server.start()
            try await RedisServer.$current.withValue(server) { try await function() }
        } catch {
            await server.remove()
            throw error
        }
        await server.remove()
    }
}

extension Trait where Self == RedisServerTrait {
    static var redisServer: RedisServerTrait { RedisServerTrait(arguments: [], tcp: false) }

    static func redisServer(arguments: [String] = [], tcp: Bool = false) -> RedisServerTrait {
        RedisServerTrait(arguments: arguments, tcp: tcp)
    }
}
