import Logging
import RedisClient
import SocialGraph

/// The number and memory of the windows of a generation. A post that waits in a tail twice counts twice.
package struct WindowStatistics: Sendable, Equatable {
    package var windows = 0
    package var entries = 0
    package var bytes = 0

    package var bytesPerEntry: Double { entries == 0 ? 0 : Double(bytes) / Double(entries) }
    package var bytesPerWindow: Double { windows == 0 ? 0 : Double(bytes) / Double(windows) }

    /// Scans all windows with SCAN. `bytes` is the sum of MEMORY USAGE, key and bookkeeping included.
    package static func gather(_ keys: WindowKeys?, over connection: any RedisSending) async throws -> WindowStatistics
    {
        var statistics = WindowStatistics()
        guard let keys else { return statistics }
        var cursor = "0"
        repeat {
            let scan = RedisCommand("SCAN", [cursor, "MATCH", keys.windowPattern, "COUNT", "1000"])
            let (next, names) = try await connection.send(scan, timeout: nil) { reply in
                let found = try reply[1]
                return (try reply[0].text, try (0..<found.count).map { try found[$0].text })
            }
            cursor = next
            try await statistics.add(names, connection)
        } while cursor != "0"
        return statistics
    }

    mutating func add(_ other: WindowStatistics) {
        windows += other.windows
        entries += other.entries
        bytes += other.bytes
    }

    private mutating func add(_ names: [String], _ connection: any RedisSending) async throws {
        if names.isEmpty { return }
        let commands = names.flatMap { name in
            let tail = "t" + name.dropFirst()
            return [
                RedisCommand("ZCARD", [name]), RedisCommand("MEMORY", ["USAGE", name, "SAMPLES", "0"]),
                RedisCommand("ZSCORE", [name, "0"]), RedisCommand("MEMORY", ["USAGE", tail]),
                RedisCommand("GET", [tail]),
            ]
        }
        let sums = try await connection.send(commands, timeout: nil) { replies in
            var sums = WindowStatistics()
            for index in stride(from: 0, to: replies.count, by: 5)
            where !replies[index + 1].isNull && !replies[index + 3].isNull {
                sums.windows += 1
                sums.entries += Int(try replies[index].integer) - (replies[index + 2].isNull ? 0 : 1)
                sums.bytes += Int(try replies[index + 1].integer) + Int(try replies[index + 3].integer)
                let tail = replies[index + 4]
                if !tail.isNull { sums.entries += try tail.withBytes { WindowTail($0)?.entries.count ?? 0 } }
            }
            return sums
        }
        add(sums)
    }
}

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
