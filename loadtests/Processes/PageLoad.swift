import Foundation

/// Requests pages as fast as possible, with wrk: one thread, many connections, several readers in turn.
struct PageLoad {
    struct Result {
        /// Pages a second.
        let rate: Double
        /// Milliseconds.
        let p50: Double
        let p99: Double
    }

    private let script: String

    /// - Parameter script: path to which the script for wrk is written.
    init(tokens: [String], script: String) throws {
        self.script = script
        try Self.text(tokens).write(toFile: script, atomically: true, encoding: .utf8)
    }

    /// Runs wrk. Every answer must be a success.
    func run(_ url: String, connections: Int, seconds: Int) throws -> Result {
        let output = try Program.run(
            Program.find("wrk"), ["-t1", "-c\(connections)", "-d\(seconds)s", "--latency", "-s", script, url])
        if output.contains("Non-2xx") || output.contains("Socket errors") {
            throw Program.Failure(description: output)
        }
        let words = output.split(separator: "\n").map { $0.split(separator: " ") }
        func value(after name: String) -> Substring? { words.first { $0.first == name[...] }?.last }
        guard let rate = value(after: "Requests/sec:").flatMap({ Double($0) }),
            let p50 = value(after: "50%").flatMap(Self.milliseconds),
            let p99 = value(after: "99%").flatMap(Self.milliseconds), rate > 0
        else { throw Program.Failure(description: "unexpected output: \(output)") }
        return Result(rate: rate, p50: p50, p99: p99)
    }

    private static func milliseconds(_ text: Substring) -> Double? {
        for (unit, factor) in [("us", 0.001), ("ms", 1), ("s", 1_000)] where text.hasSuffix(unit) {
            return Double(text.dropLast(unit.count)).map { $0 * factor }
        }
        return nil
    }

    /// Returns the script, so that all requests have the same headers.
    private static func text(_ tokens: [String]) -> String {
        """
        local requests, next = {}, 0
        init = function()
          for _, token in ipairs({ \(tokens.map { "'\($0)'" }.joined(separator: ", ")) }) do
            requests[#requests + 1] = wrk.format('GET', nil, { ['Authorization'] = 'Bearer ' .. token })
          end
        end
        request = function()
          next = next % #requests + 1
          return requests[next]
        end
        """
    }
}
