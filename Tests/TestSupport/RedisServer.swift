import Foundation
import Processes
import RedisClient
import Testing

/// A temporary redis-server of one test, on a Unix socket and, if requested, a TCP port, in a temporary directory.
package actor RedisServer {
    /// The server of the running test; see ``RedisServerTrait``.
    @TaskLocal package static var current: RedisServer?

    package nonisolated let directory: String
    package nonisolated let socketPath: String
    package nonisolated let port: Int?
    private let extraArguments: [String]
    private var process: ChildProcess?

    package init(arguments: [String] = [], tcp: Bool = false) throws {
        directory = try makeTemporaryDirectory("redis")
        socketPath = directory + "/redis.sock"
        port = tcp ? try LocalSocket.freePort() : nil
        extraArguments = arguments
    }

    /// A configuration with time limits that a busy machine does not reach. A test that stalls the server sets its own.
    package nonisolated var configuration: RedisConfiguration {
        var configuration = RedisConfiguration(endpoint: .unix(path: socketPath))
        configuration.connectTimeout = .seconds(600)
        configuration.commandTimeout = .seconds(600)
        configuration.readTimeout = .seconds(600)
        return configuration
    }

    /// Starts the server and returns once it answers.
    package func start() async throws {
        unlink(socketPath)
        let arguments =
            [
                "--port", "\(port ?? 0)", "--bind", "127.0.0.1", "--unixsocket", socketPath, "--save", "",
                "--appendonly", "no", "--dir", directory, "--enable-debug-command", "yes",
            ] + extraArguments
        process = try ChildProcess(Launch("/usr/bin/redis-server", arguments), endsWithParent: true)
        while true {
            do {
                _ = try await RedisProbe.processID(configuration)
                return
            } catch let error as RedisError where error.serverCode == "NOAUTH" {
                return
            } catch {
                // Not for synchronisation: the pause between two polls, each of which takes a connection and a thread.
                try await Task.sleep(for: .milliseconds(3))
            }
        }
    }

    /// Sends SIGKILL and returns after the end of the process.
    package func kill() async {
        process?.signal(SIGKILL)
        _ = await process?.wait()
        process = nil
    }

    package func restart() async throws {
        await kill()
        try await start()
    }

    /// Sends SIGSTOP: the kernel still accepts connections and bytes, but nothing answers.
    package func stall() { process?.signal(SIGSTOP) }
    package func resume() { process?.signal(SIGCONT) }

    package func flushAll() async throws {
        try await withConnection(configuration) { try await $0.send(RedisCommand("FLUSHALL")) { _ in } }
    }

    package func remove() async {
        await kill()
        try? FileManager.default.removeItem(atPath: directory)
    }
}

/// Gives every test a ``RedisServer`` of its own, started before the test and ended after it. Tests fail without the
/// Debian package redis-server.
package struct RedisServerTrait: TestTrait, SuiteTrait, TestScoping {
    let arguments: [String]
    let tcp: Bool
    package let isRecursive = true

    package func provideScope(
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
    package static var redisServer: RedisServerTrait { RedisServerTrait(arguments: [], tcp: false) }

    package static func redisServer(arguments: [String] = [], tcp: Bool = false) -> RedisServerTrait {
        RedisServerTrait(arguments: arguments, tcp: tcp)
    }
}
