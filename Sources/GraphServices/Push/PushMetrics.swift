import Metrics
import Push
import SocialGraph

/// Pushes by channel and outcome.
struct PushMetrics: Sendable {
    private let channels: [PushChannel: Counters]

    init() {
        channels = Dictionary(uniqueKeysWithValues: PushChannel.allCases.map { ($0, Counters($0)) })
    }

    func count(_ outcome: PushOutcome, of channel: PushChannel, wasSent: Bool) {
        guard let counters = channels[channel] else { return }
        switch outcome {
        case .finished: (wasSent ? counters.sent : counters.dropped).increment()
        case .retry: counters.retried.increment()
        case .failed, .targetGone: counters.failed.increment()
        case .postponed: break
        }
    }

    func count(_ decision: PushDecision, of channel: PushChannel) {
        if decision == .drop { channels[channel]?.dropped.increment() }
    }

    private struct Counters: Sendable {
        let sent: Counter
        let failed: Counter
        let dropped: Counter
        let retried: Counter

        init(_ channel: PushChannel) {
            func counter(_ outcome: String) -> Counter {
                Counter(
                    label: MetricNames.pushes, dimensions: [("channel", channel.rawValue), ("outcome", outcome)])
            }
            sent = counter("sent")
            failed = counter("failed")
            dropped = counter("dropped")
            retried = counter("retried")
        }
    }
}
