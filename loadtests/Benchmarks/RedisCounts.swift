import Logging
import RedisClient

/// The counts of a Redis since its start, from its INFO.
struct RedisCounts: Sendable {
    /// Calls of commands, those of scripts included, without INFO.
    let commands: Int
    /// Bytes to and from it, without the reply that reported this.
    let bytes: Int
    /// Bytes of that reply.
    private let ownBytes: Int

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
        return RedisCounts(commands: commands, bytes: bytes, ownBytes: info.utf8.count)
    }

    /// Returns the counts since `earlier`, without its reply; the request of this look is included.
    func since(_ earlier: RedisCounts) -> (commands: Int, bytes: Int) {
        (commands - earlier.commands, bytes - earlier.bytes - earlier.ownBytes)
    }
}
