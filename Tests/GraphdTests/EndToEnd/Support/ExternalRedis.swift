import Foundation
import Glibc
import Processes
import RedisClient
import TestSupport

/// A redis-server that `graphd` uses through `--redis` and that outlives it.
struct ExternalRedis {
    private let directory: String
    private let process: ChildProcess
    var configuration: RedisConfiguration {
        RedisConfiguration(endpoint: .unix(path: directory + "/redis.sock")).patient
    }
    var argument: String { "unix://\(directory)/redis.sock" }

    /// Runs `body` once the server answers, and ends the server afterwards.
    static func running<T>(_ body: (ExternalRedis) async throws -> T) async throws -> T {
        let redis = try ExternalRedis()
        do {
            while (try? await RedisProbe.processID(redis.configuration)) == nil {
                // Not for synchronisation: the pause between two polls, each of which takes a connection and a thread.
                try await Task.sleep(for: .milliseconds(3))
            }
            let value = try await body(redis)
            await redis.remove()
            return value
        } catch {
            await redis.remove()
            throw error
        }
    }

    private init() throws {
        directory = try makeTemporaryDirectory("redis")
        let launch = Launch(
            "/usr/bin/redis-server",
            [
                "--port", "0", "--unixsocket", directory + "/redis.sock", "--save", "", "--appendonly", "no", "--dir",
                directory,
            ])
        process = try ChildProcess(launch, endsWithParent: true)
    }

    private func remove() async {
        process.signal(SIGKILL)
        _ = await process.wait()
        try? FileManager.default.removeItem(atPath: directory)
    }
}
