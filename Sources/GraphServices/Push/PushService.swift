import Coordination
import Database
import Logging
import Push
import ServiceLifecycle
import SocialGraph
import Timeline

/// Delivers the recorded notifications to users away from the app, by Firebase Cloud Messaging and by webhooks.
/// Messages for a channel without a sender are discarded.
package struct PushService: Service {
    /// Number of concurrent attempts to send to devices.
    static let concurrentMessages = 32
    /// Number of concurrent attempts to send to webhooks.
    static let concurrentWebhooks = 16
    /// Largest number of concurrent attempts to send to the webhooks of one user, while enough places are free.
    static let concurrentWebhooksPerUser = 4
    /// Period at which work is looked for that no commit of this process has announced, such as a reminder.
    static let poll = Duration.milliseconds(500)
    /// Period at which expired events and dead letters are removed.
    static let pruningInterval = Duration.seconds(600)

    private let graph: GraphStore
    private let planner: PushPlanner
    private let workers: [PushWorker]
    private let wakeup = Wakeup(pace: .milliseconds(20))
    private let formerOwner: FormerOwner
    private let logger: Logger

    /// - Parameters:
    ///   - messages, webhooks: the senders; nil if the channel is off.
    ///   - now: milliseconds since 1970, the same as the database's.
    package init(
        graph: GraphStore, formerOwner: FormerOwner, timelines: Timelines, suggestions: PushSuggestions,
        messages: (@Sendable (PushDelivery) async -> SendResult)?,
        webhooks: (@Sendable (PushDelivery) async -> SendResult)?,
        backoffs: (messages: PushBackoff, webhooks: PushBackoff) = (.messages, .webhooks), logger: Logger,
        now: @escaping @Sendable () -> Int64 = SystemClock.milliseconds
    ) {
        let judge = PushJudge(graph: graph, timelines: timelines, suggestions: suggestions, now: now)
        let metrics = PushMetrics()
        func worker(
            _ channel: PushChannel, _ concurrency: Int, _ backoff: PushBackoff,
            _ send: (@Sendable (PushDelivery) async -> SendResult)?
        ) -> PushWorker? {
            send.map {
                PushWorker(
                    channel: channel, concurrency: concurrency, backoff: backoff, graph: graph, judge: judge, send: $0,
                    wakeup: Wakeup(), metrics: metrics, logger: logger, now: now)
            }
        }
        let workers = [
            worker(.device, Self.concurrentMessages, backoffs.messages, messages),
            worker(.webhook, Self.concurrentWebhooks, backoffs.webhooks, webhooks),
        ].compactMap(\.self)
        planner = PushPlanner(
            graph: graph, judge: judge, channels: Set(workers.map(\.channel)), metrics: metrics, logger: logger,
            now: now)
        self.graph = graph
        self.formerOwner = formerOwner
        self.workers = workers
        self.logger = logger
        graph.database.observeCommits { [wakeup] record in
            let isNews = record.changes.contains { $0.kind == .notified || $0.kind == .postPublished }
            if isNews { wakeup.signal() }
        }
    }

    /// Runs until the server shuts down; attempts in progress are finished first.
    package func run() async throws {
        await untilDone("pushes of the former server cannot be released") {
            try await graph.pushDeliveries.freeDeliveries(from: formerOwner)
        }
        await withTaskGroup(of: Void.self) { group in
            group.addTask { await plan() }
            for worker in workers { group.addTask { await worker.run() } }
            group.addTask { await prune() }
            await group.waitForAll()
        }
    }

    /// Does all due work, and returns.
    func runUntilIdle() async throws {
        while try await planner.step() {}
        for worker in workers { await worker.run(untilIdle: true) }
    }

    private var isRunning: Bool { !Task.isCancelled && !Task.isShuttingDownGracefully }

    private func plan() async {
        while isRunning {
            var isMore = false
            do {
                isMore = try await planner.step()
            } catch {
                logger.error("pushes cannot be planned", metadata: [LogKeys.error: "\(error)"])
            }
            for worker in workers where isMore { worker.wakeup.signal() }
            if !isMore { await wakeup.wait(atMost: Self.poll) }
        }
    }

    private func prune() async {
        await cancelWhenGracefulShutdown {
            while !Task.isCancelled {
                await untilDone("pushes cannot be pruned") {
                    while try await graph.pushEvents.prunePushes(limit: 1_000), !Task.isCancelled {}
                }
                try? await Task.sleep(for: Self.pruningInterval)
            }
        }
    }

    private func untilDone(_ failure: Logger.Message, _ body: () async throws -> Void) async {
        while isRunning {
            do {
                return try await body()
            } catch {
                logger.error(failure, metadata: [LogKeys.error: "\(error)"])
                try? await Task.sleep(for: .seconds(1))
            }
        }
    }
}
