import ArgumentParser
import CommandSupport
import Foundation
import Logging
import RedisClient
import SocialGraph
import Synchronization
import Timeline

/// The Redis that holds the windows of the data directory.
struct RedisOptions: ParsableArguments {
    static let environmentVariable = "GRAPHD_REDIS"

    @Option(
        help: ArgumentHelp(
            "Redis that the server uses. (default: \(Self.environmentVariable) of the environment, else the "
                + "server's private one)",
            valueName: "url"))
    var redis: String?

    func configuration(
        _ directory: DataDirectoryOptions, environment: [String: String] = ProcessInfo.processInfo.environment
    ) throws -> RedisConfiguration {
        let named = redis ?? environment[Self.environmentVariable].flatMap { $0.isEmpty ? nil : $0 }
        do {
            var configuration =
                if let named {
                    try RedisConfiguration(parsing: named)
                } else {
                    RedisConfiguration(endpoint: .unix(path: DataDirectory(path: directory.path).redisSocket))
                }
            // A window can be requested while the server is busy with bulk pushes.
            configuration.commandTimeout = .seconds(30)
            return configuration
        } catch let error as RedisError {
            throw ValidationError(error.message)
        }
    }
}

/// The windows that a running server keeps for a data directory, for commands that only read them.
struct StoredTimelines: Sendable {
    /// Longest wait for a Redis that does not answer.
    static let patience = Duration.seconds(3)

    let connection: RedisConnection
    /// The keys of the windows; nil if no window can be trusted.
    let keys: WindowKeys?

    /// Runs `body` with the windows, or with nil if no Redis answers, which is reported on standard error.
    static func open<T: Sendable>(
        graph: GraphStore, redis: RedisConfiguration, _ body: @escaping @Sendable (StoredTimelines?) async throws -> T
    ) async throws -> T {
        let run = Mutex<String?>(nil)
        let quiet = Logger(label: "graphd", factory: { _ in SwiftLogNoOpLogHandler() })
        let connection = try RedisConnection(configuration: redis, name: "timelines", logger: quiet) { handshake in
            run.withLock { $0 = handshake.runID }
        }
        return try await withThrowingTaskGroup(of: Void.self) { group in
            group.addTask { await connection.run() }
            defer { connection.close() }
            guard isThere(redis), await isUp(connection) else {
                StandardError.print(
                    "No Redis answers at \(redis), so there are no windows to inspect. Start `graphd serve`, or name "
                        + "its Redis with --redis.")
                return try await body(nil)
            }
            let stored = try await WindowSpace.stored(in: graph)
            let isSameRun = stored?.runID == run.withLock { $0 }
            if stored == nil || !isSameRun {
                StandardError.print(
                    "The Redis at \(redis) holds no windows of this data directory: its server has not used "
                        + "it since it was started.")
            }
            return try await body(StoredTimelines(connection: connection, keys: isSameRun ? stored?.keys : nil))
        }
    }

    /// Returns false if the socket does not exist: then waiting is pointless.
    private static func isThere(_ redis: RedisConfiguration) -> Bool {
        guard case .unix(let path) = redis.endpoint else { return true }
        return FileManager.default.fileExists(atPath: path)
    }

    private static func isUp(_ connection: RedisConnection) async -> Bool {
        await withTaskGroup(of: Bool.self) { group in
            group.addTask { (try? await connection.waitUntilUp()) != nil }
            group.addTask {
                try? await Task.sleep(for: patience)
                return false
            }
            defer { group.cancelAll() }
            return await group.next() ?? false
        }
    }
}
