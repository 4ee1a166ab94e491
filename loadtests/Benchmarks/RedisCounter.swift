import Logging
import Timeline

/// What a Redis has done since it was started, as its INFO tells it.
struct RedisCounts: Sendable {
    /// Calls of commands, those of scripts included, without INFO.
    let commands: Int
    /// To and from it.
    let bytes: Int

    static func read(over connection: RedisConnection) async throws -> RedisCounts {
        let info = try await connection.send(RedisCommand("INFO", ["stats", "commandstats"])) { try $0.text }
        var (commands, bytes) = (0, 0)
        for line in info.split(whereSeparator: \.isNewline) {
            let parts = line.split(separator: ":", maxSplits: 1)
            guard parts.count == 2 else { continue }
            switch parts[0] {
            case "total_net_input_bytes", "total_net_output_bytes": bytes += Int(parts[1]) ?? 0
            case "cmdstat_info": break
            case let name where name.hasPrefix("cmdstat_"):
                let calls = parts[1].split(separator: ",").first?.split(separator: "=").last
                commands += calls.flatMap { Int($0) } ?? 0
            default: break
            }
        }
        return RedisCounts(commands: commands, bytes: bytes)
    }

    static func - (left: RedisCounts, right: RedisCounts) -> RedisCounts {
        RedisCounts(commands: left.commands - right.commands, bytes: left.bytes - right.bytes)
    }
}
