import GraphServices
import Metrics
import ObjectStorage

/// Calls of the store of files, by operation and outcome.
package struct BucketRequestMetrics: Sendable {
    private enum Outcome: String, CaseIterable {
        case answered, refused, failed, unreachable, malformed

        init(_ error: ObjectStoreError?) {
            switch error {
            case nil: self = .answered
            case .refused: self = .refused
            case .failed: self = .failed
            case .unreachable: self = .unreachable
            case .malformed: self = .malformed
            }
        }
    }

    private let counters: [ObjectStore.Operation: [Outcome: Counter]]

    package init() {
        counters = Dictionary(
            uniqueKeysWithValues: ObjectStore.Operation.allCases.map { operation in
                let byOutcome = Outcome.allCases.map { outcome in
                    let labels = [("operation", operation.rawValue), ("outcome", outcome.rawValue)]
                    return (outcome, Counter(label: MetricNames.mediaRequests, dimensions: labels))
                }
                return (operation, Dictionary(uniqueKeysWithValues: byOutcome))
            })
    }

    package func count(_ operation: ObjectStore.Operation, _ error: ObjectStoreError?) {
        counters[operation]?[Outcome(error)]?.increment()
    }
}
