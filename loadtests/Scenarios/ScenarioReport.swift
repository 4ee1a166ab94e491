import Histogram

/// The result of a scenario, in the format of `report.json`. Times are milliseconds, rates a second.
struct ScenarioReport: Codable, Sendable {
    let name: String
    let title: String
    let users: Int
    let follows: Int
    let posts: Int
    /// The server's maximum requests a second with this mix; nil if the pace does not depend on it.
    let capacity: Double?
    let runs: [Run]
    let verification: Verification
    /// Bytes of graphd and of Redis at the end.
    let residentBytes: Int
    /// Bytes of the private Redis; nil if the server has an outside one.
    let redisBytes: Int?

    struct Run: Codable, Sendable {
        let offered: Double?
        let answered: Double
        let failed: Int
        let failures: [String: Int]
        let longestQueue: Int
        /// The generator's share of one processor.
        let generatorShare: Double
        let serverShare: Double
        let all: Latency
        let kinds: [String: Latency]
        let seconds: [Second]
        let samples: [Sample]
    }

    struct Latency: Codable, Sendable {
        let count: Int
        let p50, p90, p99, p999, max: Double
        /// Percentile and milliseconds, for a plot.
        let curve: [[Double]]

        init(_ histogram: Histogram<UInt64>) {
            count = Int(histogram.totalCount)
            p50 = histogram.milliseconds(50)
            p90 = histogram.milliseconds(90)
            p99 = histogram.milliseconds(99)
            p999 = histogram.milliseconds(99.9)
            max = histogram.milliseconds(100)
            curve = Self.percentiles.map { [$0, histogram.milliseconds($0)] }
        }

        private static let percentiles: [Double] = [
            0, 25, 50, 75, 90, 95, 97.5, 99, 99.5, 99.75, 99.9, 99.95, 99.99, 100,
        ]
    }

    struct Second: Codable, Sendable {
        let answered: Int
        let failed: Int
        let slowest: Double
    }

    /// The state of the server, several times a second.
    struct Sample: Codable, Sendable {
        /// Seconds from the start of the warm-up.
        let at: Double
        let pending: Int
        let residentBytes: Int
        /// Bytes of these in pages of files.
        let mappedBytes: Int
    }

    /// Returns true if timelines are wrong, or if requests failed although no fault was caused.
    func isRed(expectsFailures: Bool) -> Bool {
        !verification.isClean || !expectsFailures && runs.contains { $0.failed > 0 }
    }
}
