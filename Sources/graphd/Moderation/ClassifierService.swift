import Logging
import ServiceLifecycle
import SocialGraph
import Timeline

/// Puts to classifiers what waits for them, a bounded number at once, and does what they say. What is not answered is
/// asked again until its time is over; then the fallback holds.
struct ClassifierService: Service {
    typealias Ask = @Sendable (Classifier, Classification, Duration) async -> ClassifierSender.Reply

    private let graph: GraphStore
    private let ask: Ask
    private let backoff: PushBackoff
    private let logger: Logger
    private let now: @Sendable () -> Int64
    private let wakeup = Wakeup()

    /// Questions under way at once, and how long one is waited for before it is due again.
    private static let concurrent = 16
    private static let lease = Milliseconds.minute
    /// 250 ms, 500 ms and so on up to 30 s, less what is random.
    static let pauses = PushBackoff(first: 250, factor: 2, longest: 30_000, attempts: .max)

    /// - Parameter now: milliseconds since 1970, the same as the database's.
    init(
        graph: GraphStore, logger: Logger, backoff: PushBackoff = ClassifierService.pauses,
        now: @escaping @Sendable () -> Int64 = SystemClock.milliseconds, ask: @escaping Ask
    ) {
        self.graph = graph
        self.ask = ask
        self.backoff = backoff
        self.logger = logger
        self.now = now
        graph.database.observeCommits { [wakeup] record in
            let isNews = record.changes.contains { change in
                switch change.kind {
                case .postPublished, .postEdited, .commented, .commentChanged, .rulesChanged: true
                default: false
                }
            }
            if isNews { wakeup.signal() }
        }
    }

    /// Until the server shuts down; questions that are under way are finished first.
    func run() async throws {
        await resume()
        await work(untilIdle: false)
    }

    /// Does all that is due, and returns.
    func runUntilIdle() async { await work(untilIdle: true) }

    private enum Event: Sendable { case asked, rang }

    private var isRunning: Bool { !Task.isCancelled && !Task.isShuttingDownGracefully }

    private func resume() async {
        while isRunning {
            do {
                return try await graph.resumeClassifications(at: now())
            } catch {
                logger.error("questions to classifiers cannot be read", metadata: [LogKeys.error: "\(error)"])
                try? await Task.sleep(for: .seconds(1))
            }
        }
    }

    private func work(untilIdle: Bool) async {
        await withTaskGroup(of: Event.self) { group in
            var (running, isListening) = (0, false)
            while isRunning {
                let taken = running < Self.concurrent ? await take(Self.concurrent - running) : []
                for question in taken {
                    running += 1
                    group.addTask {
                        await put(question)
                        return .asked
                    }
                }
                if taken.isEmpty, untilIdle, running == 0 { return }
                if !isListening, !untilIdle {
                    isListening = true
                    group.addTask {
                        await wakeup.wait(atMost: PushLimits.poll)
                        return .rang
                    }
                }
                switch await group.next() {
                case .asked?: running -= 1
                case .rang?: isListening = false
                case nil: break
                }
            }
        }
    }

    private func take(_ limit: Int) async -> [Classification] {
        do {
            return try await graph.takeClassifications(limit: limit, lease: Self.lease, at: now())
        } catch {
            logger.error("questions to classifiers cannot be read", metadata: [LogKeys.error: "\(error)"])
            return []
        }
    }

    private func put(_ question: Classification) async {
        var answer: ClassifierAnswer?
        let left = question.dueAt - now()
        if let classifier = question.classifier, left > 0 {
            switch await ask(classifier, question, min(PushLimits.attempt, .milliseconds(left))) {
            case .answered(let verdict): answer = verdict
            case .failed(let why):
                logger.debug(
                    "a classifier gave no verdict",
                    metadata: [LogKeys.message: "\(question.id)", LogKeys.error: "\(why)"])
                let again = now() + (backoff.pause(after: question.attempts) ?? 0)
                if now() < question.dueAt {
                    return await write(question) { try await $0.postpone(question, until: again) }
                }
            }
        }
        await write(question) { [answer] in try await $0.settle(question, answer) }
    }

    /// What is not written is asked again when its lease is over.
    private func write(_ question: Classification, _ body: (GraphStore) async throws -> Void) async {
        do {
            try await body(graph)
        } catch {
            logger.error(
                "a verdict cannot be carried out",
                metadata: [LogKeys.message: "\(question.id)", LogKeys.error: "\(error)"])
        }
    }
}
