import Metrics
import Moderation
import SocialGraph
import Synchronization

/// A circuit breaker for one classifier. It opens after consecutive failures. Then one question at a time probes the
/// classifier, at growing intervals. A value: the time is a parameter.
package struct ClassifierBreaker: Sendable, Equatable {
    package enum State: String, Sendable, CaseIterable {
        /// The classifier is asked.
        case closed
        /// The classifier is not asked until `retryAt`.
        case open
        /// One question probes the classifier; the others wait for the outcome.
        case halfOpen
    }

    /// Consecutive failures that open it.
    static let threshold = 5
    /// 5 s, 10 s and so on up to 5 min, in milliseconds.
    static let pauses = PushBackoff(first: 5_000, factor: 2, longest: 300_000, attempts: .max)

    package private(set) var state = State.closed
    package private(set) var failures = 0
    /// Milliseconds since 1970; 0 if it was never opened.
    package private(set) var retryAt: Int64 = 0
    private var openings: Int64 = 0

    package init() {}

    /// Returns whether a question may be sent now; if not, also the time of the next attempt.
    package mutating func admit(at now: Int64, probe: Int64) -> (isAdmitted: Bool, retryAt: Int64) {
        switch state {
        case .closed: return (true, now)
        case .open where now >= retryAt:
            state = .halfOpen
            retryAt = now + probe
            return (true, now)
        case .halfOpen where now >= retryAt:
            // The probe came to no end.
            retryAt = now + probe
            return (true, now)
        case .open, .halfOpen: return (false, retryAt)
        }
    }

    mutating func succeeded() { self = ClassifierBreaker() }

    /// Records a failure; returns true if it opened the breaker.
    mutating func failed(at now: Int64, _ pauses: PushBackoff = pauses) -> Bool {
        failures += 1
        guard state == .halfOpen || state == .closed && failures >= Self.threshold else { return false }
        openings += 1
        state = .open
        retryAt = now + (pauses.pause(after: openings) ?? 0)
        return true
    }
}

/// The breakers of this process: set by the service, shown by the API.
package final class ClassifierBreakers: Sendable {
    private let breakers = Mutex<[ClassifierID: ClassifierBreaker]>([:])
    private let opened: @Sendable (_ isOfSite: Bool) -> Void

    /// - Parameter opened: called when a breaker opens.
    package init(opened: @escaping @Sendable (_ isOfSite: Bool) -> Void = { _ in }) { self.opened = opened }

    package subscript(id: ClassifierID) -> ClassifierBreaker { breakers.withLock { $0[id] ?? ClassifierBreaker() } }

    /// Same as ``ClassifierBreaker/admit(at:probe:)``.
    package func admit(_ id: ClassifierID, at now: Int64, probe: Int64) -> (isAdmitted: Bool, retryAt: Int64) {
        breakers.withLock { $0[id]?.admit(at: now, probe: probe) } ?? (true, now)
    }

    func succeeded(_ id: ClassifierID) { breakers.withLock { $0[id] = nil } }

    func failed(_ classifier: Classifier, at now: Int64) {
        let hasOpened = breakers.withLock { $0[classifier.id, default: ClassifierBreaker()].failed(at: now) }
        if hasOpened { opened(classifier.community == nil) }
    }

    package static func count(isOfSite: Bool) {
        let scope = isOfSite ? ModerationScope.site : .community
        Counter(label: MetricNames.classifierOpenings, dimensions: [("scope", scope.rawValue)]).increment()
    }

    /// Forgets a classifier that was changed or deleted.
    package func forget(_ id: ClassifierID) { succeeded(id) }
}
