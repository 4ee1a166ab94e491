import Foundation
import Logging
import Processes

/// A `redis-server` of our own on a unix socket in the data directory: started, watched, restarted and stopped here. It
/// keeps nothing on disk, because SQLite holds all data.
package actor PrivateRedis {
    package struct Options: Sendable {
        /// Largest number of entries for which a window keeps its compact form.
        package var maxListpackEntries: Int
        /// Bytes, as `maxmemory`; nil for no limit.
        package var maxMemory: Int?
        /// The program to run; nil to look for `redis-server` in `PATH` and the usual places.
        package var executable: String?
        package var backoff = RedisBackoff(minimum: .milliseconds(20), maximum: .seconds(5))
        /// Time from SIGTERM to SIGKILL.
        package var stopGrace: Duration = .seconds(3)
        /// The same for the leftover of a killed parent.
        package var leftoverGrace: Duration = .seconds(2)

        package init(maxListpackEntries: Int, maxMemory: Int? = nil, executable: String? = nil) {
            self.maxListpackEntries = maxListpackEntries
            self.maxMemory = maxMemory
            self.executable = executable
        }
    }

    /// The configuration for connections to this server.
    package nonisolated let configuration: RedisConfiguration
    package nonisolated let socketPath: String
    package nonisolated let logPath: String
    /// Unexpected ends since ``run()`` began.
    package private(set) var restarts = 0

    private let directory: String
    private let executable: String
    private let options: Options
    private let logger: Logger
    private var process: ChildProcess?

    /// The process id while there is a child; it may not accept connections yet.
    package var pid: Int32? { process?.pid }

    /// - Parameter dataDirectory: must exist; made absolute and free of links here, because the leftover of another
    ///   start is recognised by its path.
    ///
    /// Throws `.invalidConfiguration` with a message for the operator.
    package init(dataDirectory: String, options: Options, logger: Logger) throws {
        guard let resolved = realpath(dataDirectory, nil) else {
            throw RedisError(
                .invalidConfiguration,
                "The data directory '\(dataDirectory)' cannot be used: \(String(cString: strerror(errno))).")
        }
        directory = String(cString: resolved)
        free(resolved)
        socketPath = directory == "/" ? "/redis.sock" : directory + "/redis.sock"
        logPath = directory + "/redis.log"
        try RedisConfiguration.validate(socketPath: socketPath)
        executable = try PrivateRedis.locate(options.executable)
        configuration = RedisConfiguration(endpoint: .unix(path: socketPath))
        self.options = options
        self.logger = logger
    }

    /// Replaces a leftover, then keeps a server running until the task is cancelled; stops it before returning. Call it
    /// once.
    ///
    /// Throws `.invalidConfiguration` if a leftover cannot be ended or the program cannot be started.
    package func run() async throws {
        try await PrivateRedisLeftover(socketPath: socketPath, logger: logger, grace: options.leftoverGrace).end()
        var failures = 0
        while !Task.isCancelled {
            removeTraces()
            let started = ContinuousClock.now
            let child = try start()
            process = child
            logger.info("redis-server started", metadata: ["redis.pid": "\(child.pid)"])
            let end = await waitOrStop(child)
            process = nil
            if Task.isCancelled { break }
            restarts += 1
            // A server that ran for a while did not fail at starting.
            failures = ContinuousClock.now - started > options.backoff.maximum ? 0 : failures + 1
            let delay = options.backoff.delay(attempt: failures)
            logger.error(
                "redis-server ended unexpectedly",
                metadata: [
                    "redis.pid": "\(child.pid)", "redis.end": "\(end)", "redis.restarts": "\(restarts)",
                    "redis.retry_in": "\(delay)", "redis.log": "\(logPath)",
                ]
            )
            do { try await Task.sleep(for: delay) } catch { break }
        }
        removeTraces()
        logger.info("redis-server stopped")
    }

    /// Returns once the child of ``run()``, and no other server, answers on the socket.
    ///
    /// Throws `.unavailable` after `limit`, or `CancellationError`.
    package func waitUntilReady(within limit: Duration = .seconds(10)) async throws {
        let deadline = ContinuousClock.now + limit
        while true {
            if let pid, let answering = try? await RedisProbe.processID(configuration), answering == pid { return }
            guard ContinuousClock.now < deadline else {
                throw RedisError(.unavailable, "redis-server did not become ready; its log is \(logPath)")
            }
            try await Task.sleep(for: .milliseconds(10))
        }
    }

    private func start() throws -> ChildProcess {
        var launch = Launch(executable, arguments)
        launch.output = .path(logPath)
        launch.error = .path(logPath)
        do {
            return try ChildProcess(launch, endsWithParent: true)
        } catch {
            throw RedisError(.invalidConfiguration, "\(error)")
        }
    }

    /// Waits for the end of the child; stops the child when the task is cancelled.
    private func waitOrStop(_ child: ChildProcess) async -> ChildProcess.End {
        let grace = options.stopGrace
        return await withTaskGroup(of: ChildProcess.End.self) { group in
            group.addTask {
                // Sleeps until it is cancelled, by the owner or by the group below.
                while !Task.isCancelled { try? await Task.sleep(for: .seconds(3600)) }
                await child.terminate(grace: grace)
                return await child.wait()
            }
            group.addTask { await child.wait() }
            let end = await group.next()
            group.cancelAll()
            if let end { return end }
            return await child.wait()
        }
    }

    private var arguments: [String] {
        var arguments = [
            "--port", "0", "--unixsocket", socketPath, "--unixsocketperm", "700", "--save", "", "--appendonly", "no",
            "--dir", directory, "--pidfile", directory + "/redis.pid", "--logfile", logPath, "--databases", "1",
            "--zset-max-listpack-entries", "\(options.maxListpackEntries)", "--zset-max-listpack-value", "64",
            // Nothing is saved, and dumps of windows are read at once.
            "--rdbcompression", "no", "--daemonize", "no",
        ]
        if let maxMemory = options.maxMemory { arguments += ["--maxmemory", "\(maxMemory)"] }
        return arguments
    }

    private func removeTraces() { Self.removeTraces(in: directory) }

    private static func removeTraces(in directory: String) {
        unlink(directory + "/redis.sock")
        unlink(directory + "/redis.pid")
    }

    /// Ends the server that a killed parent has left in `directory`, where this process runs none.
    ///
    /// Throws `.invalidConfiguration` if it cannot be ended.
    package static func endLeftover(in directory: String, logger: Logger) async throws {
        guard let resolved = realpath(directory, nil) else { return }
        defer { free(resolved) }
        let directory = String(cString: resolved)
        try await PrivateRedisLeftover(socketPath: directory + "/redis.sock", logger: logger).end()
        removeTraces(in: directory)
    }

    /// Returns the path of `redis-server` in the directories of `PATH` and the usual ones; nil if it is not installed.
    package static func program(path: String) -> String? {
        let directories = path.split(separator: ":").map(String.init) + ["/usr/bin", "/usr/local/bin", "/usr/sbin"]
        return directories.map { $0 + "/redis-server" }.first { access($0, X_OK) == 0 }
    }

    private static func locate(_ executable: String?) throws -> String {
        let path = ProcessInfo.processInfo.environment["PATH"] ?? ""
        let found = executable.map { access($0, X_OK) == 0 ? $0 : nil } ?? program(path: path)
        guard let found else {
            throw RedisError(
                .invalidConfiguration,
                "There is no \(executable ?? "redis-server"). Install the Debian package redis-server "
                    + "(apt-get install redis-server), or name a running Redis with --redis."
            )
        }
        return found
    }
}
