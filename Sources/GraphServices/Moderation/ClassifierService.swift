import Coordination
import Database
import Logging
import Moderation
import ServiceLifecycle
import SocialGraph

/// Sends waiting questions to classifiers, a bounded number at once, and applies their verdicts. Unanswered questions
/// are sent again until they expire; then the fallback applies. The site's questions have slots of their own, each
/// community has a share of the rest, and a classifier that keeps failing is paused (``ClassifierBreaker``).
package struct ClassifierService: Service {
    package typealias Ask = @Sendable (Classifier, Classification, Duration) async -> ClassifierSender.Reply

    private let graph: GraphStore
    private let ask: Ask
    private let backoff: PushBackoff
    private let breakers: ClassifierBreakers
    private let formerOwner: FormerOwner
    private let logger: Logger
    private let now: @Sendable () -> Int64
    private let wakeup = Wakeup(pace: .milliseconds(20))

    /// Concurrent questions: of the site, of all communities, and of one community.
    static let capacity = (ofSite: 16, ofCommunities: 16, ofOneCommunity: 4)
    /// Period at which questions are looked for that no commit of this process has announced.
    private static let poll = Duration.milliseconds(500)
    /// Longest time of an attempt.
    private static let attempt = Duration.seconds(10)
    /// Time until an unanswered question is due again.
    private static let lease = Milliseconds.minute
    /// Time for which the probe of a failing classifier blocks other questions to it: longer than an attempt takes.
    private static let probe = 15 * Milliseconds.second
    /// 250 ms, 500 ms and so on up to 30 s, less a random part.
    static let pauses = PushBackoff(first: 250, factor: 2, longest: 30_000, attempts: .max)

    /// - Parameter now: milliseconds since 1970, the same as the database's.
    package init(
        graph: GraphStore, formerOwner: FormerOwner, logger: Logger,
        backoff: PushBackoff = ClassifierService.pauses, breakers: ClassifierBreakers = ClassifierBreakers(),
        now: @escaping @Sendable () -> Int64 = SystemClock.milliseconds, ask: @escaping Ask
    ) {
        self.graph = graph
        self.ask = ask
        self.backoff = backoff
        self.breakers = breakers
        self.formerOwner = formerOwner
        self.logger = logger
        self.now = now
        graph.database.observeCommits { [wakeup] record in
            let isNews = record.changes.contains { change in
                switch change {
                case .postPublished, .postEdited, .commented, .commentChanged, .rulesChanged: true
                default: false
                }
            }
            if isNews { wakeup.signal() }
        }
    }

    /// Runs until the server shuts down; questions in progress are finished first.
    package func run() async throws {
        await freeFormer()
        await work(untilIdle: false)
    }

    /// Does all due work, and returns.
    func runUntilIdle() async { await work(untilIdle: true) }

    private enum Event: Sendable {
        case asked(CommunityID?)
        case rang
    }

    /// Questions in progress, and the scope that had the latest turn.
    private struct Slots {
        var ofSite = 0
        var ofCommunities: [CommunityID: Int] = [:]
        var last: CommunityID?

        var isEmpty: Bool { ofSite == 0 && ofCommunities.isEmpty }

        var capacity: ClassificationCapacity {
            let (capacity, taken) = (ClassifierService.capacity, ofCommunities.values.reduce(0, +))
            return ClassificationCapacity(
                ofSite: capacity.ofSite - ofSite, ofCommunities: capacity.ofCommunities - taken,
                ofOneCommunity: capacity.ofOneCommunity, underWay: ofCommunities, after: last)
        }

        mutating func take(_ community: CommunityID?) {
            guard let community else { return ofSite += 1 }
            ofCommunities[community, default: 0] += 1
            last = community
        }

        mutating func give(_ community: CommunityID?) {
            guard let community else { return ofSite -= 1 }
            let left = ofCommunities[community, default: 1] - 1
            ofCommunities[community] = left > 0 ? left : nil
        }
    }

    private var isRunning: Bool { !Task.isCancelled && !Task.isShuttingDownGracefully }

    private func freeFormer() async {
        while isRunning {
            do {
                return try await graph.classifiers.freeClassifications(from: formerOwner, at: now())
            } catch {
                logger.error("pending classifications cannot be read", metadata: [LogKeys.error: "\(error)"])
                try? await Task.sleep(for: .seconds(1))
            }
        }
    }

    private func work(untilIdle: Bool) async {
        await withTaskGroup(of: Event.self) { group in
            var (slots, isListening) = (Slots(), false)
            while isRunning {
                let taken = await take(slots.capacity)
                for question in taken {
                    slots.take(question.community)
                    group.addTask {
                        await put(question)
                        return .asked(question.community)
                    }
                }
                if taken.isEmpty, untilIdle, slots.isEmpty { return }
                if !isListening, !untilIdle {
                    isListening = true
                    group.addTask {
                        await wakeup.wait(atMost: Self.poll)
                        return .rang
                    }
                }
                switch await group.next() {
                case .asked(let community)?: slots.give(community)
                case .rang?: isListening = false
                case nil: break
                }
            }
        }
    }

    private func take(_ capacity: ClassificationCapacity) async -> [Classification] {
        do {
            return try await graph.classifiers.takeClassifications(capacity, lease: Self.lease, at: now())
        } catch {
            logger.error("pending classifications cannot be read", metadata: [LogKeys.error: "\(error)"])
            return []
        }
    }

    private func put(_ question: Classification) async {
        var answer: ClassifierAnswer?
        let left = question.dueAt - now()
        if let classifier = question.classifier, left > 0 {
            let admission = breakers.admit(classifier.id, at: now(), probe: Self.probe)
            guard admission.isAdmitted else {
                return await write(question) { try await $0.postpone(question, until: admission.retryAt) }
            }
            switch await ask(classifier, question, min(Self.attempt, .milliseconds(left))) {
            case .answered(let verdict):
                breakers.succeeded(classifier.id)
                answer = verdict
            case .failed(let why):
                breakers.failed(classifier, at: now())
                logger.debug(
                    "a classifier gave no verdict",
                    metadata: [LogKeys.message: "\(question.id)", LogKeys.error: "\(why)"])
                let again = now() + (backoff.pause(after: question.attempts) ?? 0)
                if now() < question.dueAt {
                    return await write(question) { try await $0.postpone(question, until: again) }
                }
            }
        }
        await write(question) { [answer] in try await $0.apply(question, answer) }
    }

    /// A question whose result is not written is sent again when its lease is over.
    private func write(_ question: Classification, _ body: (ClassifierStore) async throws -> Void) async {
        do {
            try await body(graph.classifiers)
        } catch {
            logger.error(
                "a verdict cannot be applied",
                metadata: [LogKeys.message: "\(question.id)", LogKeys.error: "\(error)"])
        }
    }
}
