import GraphServices
import Metrics

/// Mails by outcome, and the time of the last failure.
struct AccountMailMetrics: Sendable {
    enum Outcome: String, Sendable, CaseIterable {
        case sent
        /// An attempt has failed, and another follows.
        case retried
        /// No attempt is left, or the destination will never accept the mail.
        case failed
        /// Not sent in time.
        case expired
    }

    private let outcomes: [Outcome: Counter]
    private let lastFailure = Meter(label: MetricNames.lastMailFailure)

    init() {
        outcomes = Dictionary(
            uniqueKeysWithValues: Outcome.allCases.map {
                ($0, Counter(label: MetricNames.mails, dimensions: [("outcome", $0.rawValue)]))
            })
    }

    func count(_ outcome: Outcome, by count: Int = 1) { outcomes[outcome]?.increment(by: count) }

    /// Notes a failed attempt at a time in milliseconds since 1970.
    func noteFailure(at time: Int64) { lastFailure.set(Double(time) / 1_000) }
}
