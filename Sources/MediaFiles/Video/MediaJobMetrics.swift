import GraphServices
import MediaJobs
import Metrics

/// Attempts at jobs of videos, by outcome.
struct MediaJobMetrics: Sendable {
    private enum Outcome: String, CaseIterable {
        case ready
        /// The file is at fault, or no attempt is left.
        case failed
        /// Another attempt follows.
        case retried
        /// Given back by a server that shuts down.
        case released

        init(_ outcome: MediaJobOutcome) {
            switch outcome {
            case .ready: self = .ready
            case .failed: self = .failed
            case .retry: self = .retried
            case .released: self = .released
            }
        }
    }

    private let outcomes: [Outcome: Counter]

    init() {
        outcomes = Dictionary(
            uniqueKeysWithValues: Outcome.allCases.map {
                ($0, Counter(label: MetricNames.mediaJobs, dimensions: [("outcome", $0.rawValue)]))
            })
    }

    func count(_ outcome: MediaJobOutcome) { outcomes[Outcome(outcome)]?.increment() }
}
