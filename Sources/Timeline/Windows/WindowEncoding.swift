import Logging
import RedisClient

/// The Redis setting that decides whether windows stay listpacks.
package enum WindowEncoding {
    package static func listpackEntries(over connection: some RedisSending) async throws -> Int64 {
        try await connection.send(RedisCommand("CONFIG", ["GET", "zset-max-listpack-entries"]), timeout: nil) { reply in
            try reply[1].int64
        }
    }

    /// Logs a warning if the setting is too small for windows of `depth`. A Redis that does not reveal its settings is
    /// assumed to be configured correctly.
    static func warn(ifTooSmallFor depth: WindowDepth, over connection: some RedisSending, _ logger: Logger) async {
        let setting = try? await listpackEntries(over: connection)
        guard let entries = setting, entries < depth.listpackEntries else { return }
        logger.warning(
            "windows will take about five times the memory; raise zset-max-listpack-entries of this Redis",
            metadata: ["setting": "\(entries)", "needed": "\(depth.listpackEntries)"])
    }
}
