import Histogram

/// The result of a run of load. Latencies are in microseconds from the time at which a request was due, not from when
/// it was sent: a stalled server is charged for all requests due meanwhile (Tene's "coordinated omission").
struct LoadResult: Sendable {
    /// Requests of one kind.
    struct Kind: Sendable {
        let name: String
        var latency = Histogram<UInt64>(numberOfSignificantValueDigits: .three)
        var failures = 0
        /// Number of requests without an answer at the end.
        var unanswered = 0
        /// Bytes of the smallest body of a success.
        var smallest = Int.max

        /// Returns the milliseconds within which `percentile` percent of all requests succeeded; nil if fewer did.
        func milliseconds(ofAll percentile: Double) -> Double? {
            let answered = Double(latency.totalCount)
            let wanted = (answered + Double(failures + unanswered)) * percentile / 100
            guard answered > 0, wanted <= answered else { return nil }
            return latency.milliseconds(wanted / answered * 100)
        }
    }

    /// One second of the run, by the time at which requests were due.
    struct Second: Sendable {
        var sent = 0
        var answered = 0
        var failures = 0
        var slowest: UInt64 = 0
    }

    var kinds: [Kind]
    /// The seconds; the first is that after the warm-up.
    var seconds: [Second] = []
    /// Unsuccessful answers by status; 0 is a lost connection.
    var failures: [Int: Int] = [:]
    /// Number of requests without an answer at the end.
    var unanswered = 0
    /// Largest number of due requests that waited for a connection.
    var longestQueue = 0
    /// Numbers of requests without an answer yet that each counted request on a schedule met.
    var backlog = Backlog()
    /// Seconds from the end of the warm-up to the last answer.
    var elapsed = 0.0
    /// Seconds of processor time for sending and reading.
    var generatorSeconds = 0.0
    /// True once nothing more is added.
    var isFinal = false

    init(kinds: [String]) { self.kinds = kinds.map { Kind(name: $0) } }

    var answered: Int { seconds.reduce(0) { $0 + $1.answered } }
    var failed: Int { failures.values.reduce(0, +) + unanswered }
    /// Answers a second.
    var rate: Double { elapsed > 0 ? Double(answered) / elapsed : 0 }
    /// The generator's share of one processor.
    var generatorShare: Double { elapsed > 0 ? generatorSeconds / elapsed : 0 }

    /// The latency of all kinds.
    var latency: Histogram<UInt64> {
        var all = Histogram<UInt64>(numberOfSignificantValueDigits: .three)
        for kind in kinds { all.add(kind.latency) }
        return all
    }
}

extension Histogram<UInt64> {
    /// Returns milliseconds.
    func milliseconds(_ percentile: Double) -> Double { Double(valueAtPercentile(percentile)) / 1_000 }
}
