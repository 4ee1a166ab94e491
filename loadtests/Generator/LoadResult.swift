import Histogram

/// What a run of load has come to. Latencies are in microseconds from the time at which a request was to be sent, not
/// from when it was: a server that stalls is charged for everybody who would have come meanwhile (Tene's "coordinated
/// omission").
struct LoadResult: Sendable {
    /// Requests of one kind.
    struct Kind: Sendable {
        let name: String
        var latency = Histogram<UInt64>(numberOfSignificantValueDigits: .three)
        var failures = 0
        /// Requests that had no answer at the end.
        var unanswered = 0
        /// Bytes of the smallest body of a success.
        var smallest = Int.max

        /// Milliseconds within which `percentile` percent of all requests succeeded; nil if fewer did.
        func milliseconds(ofAll percentile: Double) -> Double? {
            let answered = Double(latency.totalCount)
            let wanted = (answered + Double(failures + unanswered)) * percentile / 100
            guard answered > 0, wanted <= answered else { return nil }
            return latency.milliseconds(wanted / answered * 100)
        }
    }

    /// One second of the run, by the time at which requests were to be sent.
    struct Second: Sendable {
        var sent = 0
        var answered = 0
        var failures = 0
        var slowest: UInt64 = 0
    }

    var kinds: [Kind]
    /// The first is that after the warm-up.
    var seconds: [Second] = []
    /// Answers that were no success, by status; 0: the connection was lost.
    var failures: [Int: Int] = [:]
    /// Requests that had no answer at the end.
    var unanswered = 0
    /// Most requests that were due and waited for a connection.
    var longestQueue = 0
    /// Seconds from the end of the warm-up to the last answer.
    var elapsed = 0.0
    /// Seconds of processor time that sending and reading took.
    var generatorSeconds = 0.0
    /// Nothing is added any more.
    var isFinal = false

    init(kinds: [String]) { self.kinds = kinds.map { Kind(name: $0) } }

    var answered: Int { seconds.reduce(0) { $0 + $1.answered } }
    var failed: Int { failures.values.reduce(0, +) + unanswered }
    /// Answers a second.
    var rate: Double { elapsed > 0 ? Double(answered) / elapsed : 0 }
    /// The generator's share of one processor.
    var generatorShare: Double { elapsed > 0 ? generatorSeconds / elapsed : 0 }

    /// Of all kinds.
    var latency: Histogram<UInt64> {
        var all = Histogram<UInt64>(numberOfSignificantValueDigits: .three)
        for kind in kinds { all.add(kind.latency) }
        return all
    }
}

extension Histogram<UInt64> {
    /// Milliseconds.
    func milliseconds(_ percentile: Double) -> Double { Double(valueAtPercentile(percentile)) / 1_000 }
}
