import Algorithms
import RedisClient
import SocialGraph

/// The number and memory of the windows of a generation. A post that waits in a tail twice counts twice.
package struct WindowStatistics: Sendable, Equatable {
    private static let windowsAtOnce = 1_000

    package var windows = 0
    package var entries = 0
    package var bytes = 0

    package var bytesPerEntry: Double { entries == 0 ? 0 : Double(bytes) / Double(entries) }
    package var bytesPerWindow: Double { windows == 0 ? 0 : Double(bytes) / Double(windows) }

    /// Reads all windows. `bytes` is the sum of MEMORY USAGE, key and bookkeeping included.
    package static func gather(_ keys: WindowKeys?, over connection: any RedisSending) async throws -> WindowStatistics
    {
        var statistics = WindowStatistics()
        guard let keys else { return statistics }
        if let bucket = keys.bucket {
            let names = try await connection.keys(in: bucket).filter { $0.hasPrefix("h:\(keys.path):") }
            for part in names.chunks(ofCount: Self.windowsAtOnce) { try await statistics.add(Array(part), connection) }
            return statistics
        }
        try await connection.scan(keys.windowPattern, atOnce: Self.windowsAtOnce) { names in
            try await statistics.add(names, connection)
        }
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
