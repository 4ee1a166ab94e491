import Foundation

/// The counts of a Redis since its start, from its INFO.
struct RedisInfo {
    let bytesIn: Int
    let bytesOut: Int
    /// Memory of the data set and its bookkeeping.
    let usedMemory: Int
    let process: Int32
    /// Calls of each command, including those by scripts.
    let calls: [String: Int]

    init(socket: String) throws {
        let text = try Program.run(Program.find("redis-cli"), ["-s", socket, "info", "everything"])
        var values: [Substring: Substring] = [:]
        for line in text.split(whereSeparator: \.isNewline) {
            guard let colon = line.firstIndex(of: ":") else { continue }
            values[line[..<colon]] = line[line.index(after: colon)...]
        }
        func integer(_ name: Substring) throws -> Int {
            guard let value = values[name].flatMap({ Int($0) }) else {
                throw Program.Failure(description: "Redis says nothing of \(name)")
            }
            return value
        }
        bytesIn = try integer("total_net_input_bytes")
        bytesOut = try integer("total_net_output_bytes")
        usedMemory = try integer("used_memory")
        process = Int32(try integer("process_id"))
        var calls: [String: Int] = [:]
        for (name, value) in values where name.hasPrefix("cmdstat_") {
            let count = value.split(separator: ",").first?.split(separator: "=").last.flatMap { Int($0) }
            calls[String(name.dropFirst("cmdstat_".count))] = count ?? 0
        }
        self.calls = calls
    }

    private static let scriptNames: Set = ["eval", "evalsha", "fcall"]

    /// Returns the commands called by clients and scripts between `earlier` and this, and the number of those that are
    /// scripts.
    func commands(since earlier: RedisInfo) -> (all: Int, scripts: Int) {
        var (all, scripts) = (0, 0)
        for (name, count) in calls where name != "info" && name != "command" && !name.hasPrefix("client") {
            let difference = count - earlier.calls[name, default: 0]
            all += difference
            if Self.scriptNames.contains(name) { scripts += difference }
        }
        return (all, scripts)
    }
}
