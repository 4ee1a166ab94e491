import Coordination
import Database
import GraphServices
import Logging
import Push
import ServiceLifecycle
import SocialGraph

/// Sends the events of the app to its webhooks, to each in the order of their ids, one at a time. A webhook has a task
/// of its own, so that a slow or dead endpoint delays no other; all that is stored for it is its position.
package struct AppWebhookService: Service {
    package typealias Send = @Sendable (_ message: AppMessage, _ webhook: AppWebhook) async -> SendResult

    /// Number of events read at once.
    static let batch = 16
    /// Period at which events are looked for that no commit of this process has announced.
    static let poll = Duration.milliseconds(500)
    /// Period at which old dead letters are removed, in milliseconds.
    static let pruningInterval: Int64 = 600_000

    private let graph: GraphStore
    private let payloads: AppEventPayload
    private let send: Send?
    private let backoff: PushBackoff
    private let wakeup = Wakeup(pace: .milliseconds(20))
    private let logger: Logger
    private let now: @Sendable () -> Int64

    /// - Parameters:
    ///   - send: sends one message; nil if webhooks are off. Events then wait, as long as they are kept.
    ///   - now: milliseconds since 1970, the same as the database's.
    package init(
        graph: GraphStore, payloads: AppEventPayload, send: Send?, backoff: PushBackoff = .webhooks, logger: Logger,
        now: @escaping @Sendable () -> Int64 = SystemClock.milliseconds
    ) {
        self.graph = graph
        self.payloads = payloads
        self.send = send
        self.backoff = backoff
        self.logger = logger
        self.now = now
        graph.database.observeCommits { [wakeup] record in
            if record.changes.contains(where: { $0.kind == .postPublished }) { wakeup.signal() }
        }
    }

    private enum Event: Sendable {
        case drained(webhook: Int64)
        case rang
    }

    private var isRunning: Bool { !Task.isCancelled && !Task.isShuttingDownGracefully }

    /// Runs until the server shuts down; an attempt in progress is finished first.
    package func run() async throws {
        guard let send else {
            try? await gracefulShutdown()
            return
        }
        await withTaskGroup(of: Event.self) { group in
            var busy: Set<Int64> = []
            var (isListening, prunedAt): (Bool, Int64) = (false, 0)
            while isRunning {
                if now() - prunedAt >= Self.pruningInterval {
                    prunedAt = now()
                    await prune()
                }
                for webhook in await active() where busy.insert(webhook).inserted {
                    group.addTask {
                        await drain(webhook, send)
                        return .drained(webhook: webhook)
                    }
                }
                if !isListening {
                    isListening = true
                    group.addTask {
                        await wakeup.wait(atMost: Self.poll)
                        return .rang
                    }
                }
                // A webhook that has nothing to do is looked at again when the bell rings.
                while let event = await group.next() {
                    if case .drained(let webhook) = event {
                        busy.remove(webhook)
                        continue
                    }
                    isListening = false
                    break
                }
            }
        }
    }

    /// Sends what is due to all webhooks, and returns.
    package func runUntilIdle() async {
        guard let send else { return }
        for webhook in await active() { await drain(webhook, send) }
    }

    private func active() async -> [Int64] {
        do {
            return try await graph.appWebhooks.webhooks().filter(\.isActive).map(\.id)
        } catch {
            logger.error("the app webhooks cannot be read", metadata: [LogKeys.error: "\(error)"])
            return []
        }
    }

    private func prune() async {
        do {
            while try await graph.appWebhooks.prune(limit: 1_000), isRunning {}
        } catch {
            logger.error("old messages of app webhooks cannot be removed", metadata: [LogKeys.error: "\(error)"])
        }
    }

    /// Sends the events that are due to one webhook until there are none, or one is not accepted.
    private func drain(_ webhook: Int64, _ send: Send) async {
        do {
            while isRunning, try await step(webhook, send) {}
        } catch {
            logger.error(
                "events cannot be sent to an app webhook",
                metadata: [LogKeys.error: "\(error)", LogKeys.webhook: "\(webhook)"])
        }
    }

    /// Sends a letter, and some events. Returns true if there may be more.
    private func step(_ id: Int64, _ send: Send) async throws -> Bool {
        guard let work = try await graph.appWebhooks.work(for: id, at: now(), limit: Self.batch) else { return false }
        let webhook = work.webhook
        if let letter = work.letter {
            let result = await send(try await payloads.message(letter.event), webhook)
            note(result, letter.event, webhook)
            guard let outcome = outcome(of: result, after: letter.attempts + 1) else { return false }
            try await graph.appWebhooks.acknowledge(letter, to: webhook, outcome)
            if outcome != .accepted { return false }
        }
        for event in work.events {
            guard isRunning else { return false }
            let result = await send(try await payloads.message(event), webhook)
            note(result, event, webhook)
            // Only the first of several events can have failed before.
            let attempts = event == work.events[0] ? webhook.attempts + 1 : 1
            guard let outcome = outcome(of: result, after: attempts) else { return false }
            guard try await graph.appWebhooks.acknowledge(event, to: webhook, outcome) else { return true }
            switch outcome {
            case .accepted: continue
            case .failed: return true
            case .retry, .gone: return false
            }
        }
        return work.letter != nil || !work.events.isEmpty
    }

    /// Returns nil if no attempt was made; the next look at the webhook makes it.
    private func outcome(of result: SendResult, after attempts: Int64) -> AppWebhookOutcome? {
        switch result {
        case .postponed: return nil
        case .taken: return .accepted
        case .gone: return .gone
        case .blocked(let pause, let failure): return .retry(at: now() + pause, status: nil, failure: failure)
        case .refused(let status, let failure):
            // Admins can change the address, so the events wait for it like for an endpoint that is down.
            return failed(status, failure, nil, after: attempts)
        case .failed(let status, let failure, let retryAfter):
            return failed(status, failure, retryAfter, after: attempts)
        }
    }

    private func failed(
        _ status: Int64?, _ failure: String, _ retryAfter: Int64?, after attempts: Int64
    ) -> AppWebhookOutcome {
        guard let pause = backoff.pause(after: attempts) else { return .failed(status: status, failure: failure) }
        return .retry(at: now() + (retryAfter ?? pause), status: status, failure: failure)
    }

    /// Neither URL nor text of a message reaches the log.
    private func note(_ result: SendResult, _ event: AppEvent, _ webhook: AppWebhook) {
        guard result != .taken else { return }
        logger.debug(
            "an event was not accepted",
            metadata: [LogKeys.webhook: "\(webhook.id)", LogKeys.message: "\(event.id)", LogKeys.error: "\(result)"])
    }
}
