import Metrics
import Moderation
import SocialGraph
import Synchronization

/// Whether one classifier is asked. It opens after failures in a row, and then one question at a time tries whether the
/// classifier answers again, at growing intervals. A value: time is given.
package struct ClassifierBreaker: Sendable, Equatable {
    package enum State: String, Sendable, CaseIterable {
        /// Asked.
        case closed
        /// Not asked until `retryAt`.
        case open
        /// One question is put to it; the others wait for the outcome.
        case halfOpen
    }

    /// Failures in a row that open it.
    static let threshold = 5
    /// 5 s, 10 s and so on up to 5 min, in milliseconds.
    static let pauses = PushBackoff(first: 5_000, factor: 2, longest: 300_000, attempts: .max)

    package private(set) var state = State.closed
    package private(set) var failures = 0
    /// Milliseconds since 1970; 0: never opened.
    package private(set) var retryAt: Int64 = 0
    private var openings: Int64 = 0

    package init() {}

    /// Whether a question may be put now; if not, when to ask again.
    package mutating func admit(at now: Int64, probe: Int64) -> (isAdmitted: Bool, retryAt: Int64) {
        switch state {
        case .closed: return (true, now)
        case .open where now >= retryAt:
            state = .halfOpen
            retryAt = now + probe
            return (true, now)
        case .halfOpen where now >= retryAt:
            // The question that was to try it came to no end.
            retryAt = now + probe
            return (true, now)
        case .open, .halfOpen: return (false, retryAt)
        }
    }

    mutating func succeeded() { self = ClassifierBreaker() }

    /// True: it has opened with this.
    mutating func failed(at now: Int64, _ pauses: PushBackoff = pauses) -> Bool {
        failures += 1
        guard state == .halfOpen || state == .closed && failures >= Self.threshold else { return false }
        openings += 1
        state = .open
        retryAt = now + (pauses.pause(after: openings) ?? 0)
        return true
    }
}

/// The breakers of this process, which the service sets and the API shows.
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
