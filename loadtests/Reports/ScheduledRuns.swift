import Histogram

/// Latencies of requests at a fixed rate, run by run.
struct ScheduledRuns: Codable, Sendable {
    /// One run. Latencies are in milliseconds from the time at which a request was due.
    struct Run: Codable, Sendable {
        /// Number of requests.
        let count: Int
        let p50: Double
        let p99: Double
        let slowest: Double
        /// The figure with which the p99 is compared.
        let reference: Double
        /// Share of requests that met no more unfinished ones than allowed.
        let kept: Double
        let isKeptUp: Bool
        /// The machine before the run, with nothing to do, and during the run.
        let idle: Disturbance
        let busy: Disturbance
    }

    let key: String
    let perSecond: Double
    /// The requests, such as "posts".
    let unit: String
    let origin: FixedRate.Origin
    /// The times at which requests are due, such as "evenly spaced".
    let arrivals: String
    /// Unfinished requests that one may meet.
    let allowed: Int
    let runs: [Run]

    /// The greatest of positive values divided by the least; 1 if there are none.
    static func disagreement(_ values: [Double]) -> Double {
        guard let least = values.min(), let most = values.max(), least > 0 else { return 1 }
        return most / least
    }

    /// The same for the ratios of the runs.
    var disagreement: Double { Self.disagreement(runs.map { $0.p99 / $0.reference }) }

    /// True if most runs were kept up with, so that their median is that of a rate.
    var isKeptUp: Bool { late * 2 < runs.count }

    private var late: Int { runs.count { !$0.isKeptUp } }

    /// The report in a few lines.
    var text: String {
        var lines = [
            "\(key): \(perSecond.short) \(unit)/s, \(origin.rawValue), \(arrivals); runs differ by a factor of "
                + "\(disagreement.short), their p99 by \(Self.disagreement(runs.map(\.p99)).short)"
        ]
        for (number, run) in runs.enumerated() {
            lines.append(
                "  run \(number + 1): p50 \(run.p50.short), p99 \(run.p99.short), slowest \(run.slowest.short) ms of "
                    + "\(run.count); \((run.kept * 100).short) % met at most \(allowed) unfinished")
            lines.append("    \(run.machine)")
        }
        if late > 0 {
            lines.append(
                "  NOT KEPT UP WITH in \(late) of \(runs.count) runs: the rate is too high for this machine now")
        }
        return lines.joined(separator: "\n")
    }
}

extension ScheduledRuns.Run {
    /// - Parameter latencies: milliseconds.
    init(
        _ latencies: Spread, reference: Double, _ backlog: Backlog, allowed: Int, idle: Disturbance, busy: Disturbance
    ) {
        self.init(
            count: latencies.count, p50: latencies.median, p99: latencies.quantile(0.99),
            slowest: latencies.quantile(1), reference: reference, kept: backlog.share(allowed: allowed),
            isKeptUp: backlog.isKeptUpWith(allowed: allowed), idle: idle, busy: busy)
    }

    /// A run of requests whose p99 is compared with their p50.
    init(_ result: LoadResult, allowed: Int, idle: Disturbance, busy: Disturbance) {
        let latency = result.latency
        self.init(
            count: Int(latency.totalCount), p50: latency.milliseconds(50), p99: latency.milliseconds(99),
            slowest: latency.milliseconds(100), reference: latency.milliseconds(50),
            kept: result.backlog.share(allowed: allowed),
            isKeptUp: result.backlog.isKeptUpWith(allowed: allowed), idle: idle, busy: busy)
    }

    /// The noise of the machine in one line.
    var machine: String {
        "timer late by p99 \(idle.timerP99.short) ms at rest, \(busy.timerP99.short) ms under load (at most "
            + "\(busy.timerMost.short)); other programs used \(busy.others.short) processors, the host "
            + "\(busy.stolen.short)"
    }
}
