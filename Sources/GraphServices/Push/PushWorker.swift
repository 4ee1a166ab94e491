import Coordination
import Database
import Logging
import Push
import ServiceLifecycle
import SocialGraph

/// Sends due deliveries on one channel, a bounded number at once: one out, one in. Each webhook has at most one message
/// in progress, and each user a share of the places for webhooks, so that a slow receiver delays nobody else.
struct PushWorker: Sendable {
    /// Milliseconds after which a delivery with an unfinished attempt is due again. An attempt, including name
    /// resolution, is shorter.
    static let lease = 120 * Milliseconds.second

    let channel: PushChannel
    let concurrency: Int
    let backoff: PushBackoff
    let graph: GraphStore
    let judge: PushJudge
    let send: @Sendable (PushDelivery) async -> SendResult
    let wakeup: Wakeup
    let metrics: PushMetrics
    let logger: Logger
    /// Milliseconds since 1970.
    let now: @Sendable () -> Int64
    /// Milliseconds of a monotonic clock.
    var boot: @Sendable () -> Int64 = BootClock.milliseconds

    private enum Event: Sendable {
        /// An attempt has ended. `pausedUntil`: nothing more may be sent before.
        case attempted(PushDelivery, pausedUntil: Int64?)
        case rang
    }

    /// Runs until the task is cancelled or the server shuts down. Attempts in progress are finished then, so that their
    /// outcome is known. `untilIdle`: returns when nothing is due and nothing in progress.
    func run(untilIdle: Bool = false) async {
        await withTaskGroup(of: Event.self) { group in
            var (running, isListening) = (0, false)
            var places = PushPlaces(limit: concurrency, share: PushService.concurrentWebhooksPerUser)
            var pausedUntil: Int64 = 0
            while !Task.isCancelled, !Task.isShuttingDownGracefully {
                let isOpen = running < concurrency && now() >= pausedUntil
                let takenAt = boot()
                let taken = isOpen ? await take(concurrency - running, places) : []
                for delivery in taken {
                    running += 1
                    if channel == .webhook { places.occupy(delivery.targetID, of: delivery.user) }
                    group.addTask { await attempt(delivery, takenAt: takenAt) }
                }
                if taken.isEmpty, untilIdle, running == 0 { return }
                if !isListening, !untilIdle {
                    isListening = true
                    group.addTask {
                        await wakeup.wait(atMost: PushService.poll)
                        return .rang
                    }
                }
                switch await group.next() {
                case .attempted(let delivery, let until)?:
                    running -= 1
                    places.release(delivery.targetID, of: delivery.user)
                    pausedUntil = max(pausedUntil, until ?? 0)
                case .rang?: isListening = false
                case nil: break
                }
            }
        }
    }

    private func take(_ limit: Int, _ places: PushPlaces) async -> [PushDelivery] {
        do {
            return try await graph.pushDeliveries.takeDeliveries(
                channel, at: now(), limit: limit, lease: Self.lease, places: places)
        } catch {
            logger.error("the push queue cannot be read", metadata: [LogKeys.error: "\(error)"])
            return []
        }
    }

    /// Sends a delivery in the present state of its subject: actors may have been hidden since it was announced. A
    /// delivery that has waited for half of its lease, as in a process that was stopped, is left to the next taker.
    private func attempt(_ delivery: PushDelivery, takenAt: Int64) async -> Event {
        var outcome: PushOutcome
        var (wasSent, pausedUntil): (Bool, Int64?) = (false, nil)
        do {
            switch try await judge.verdict(on: delivery) {
            case .drop: outcome = .finished
            case .wait(let until): outcome = .postponed(until: until)
            case .tell(let subject):
                guard boot() - takenAt < Self.lease / 2 else {
                    return .attempted(delivery, pausedUntil: nil)
                }
                let result = await send(Self.message(of: delivery, subject))
                outcome = self.outcome(of: result, delivery)
                wasSent = result == .taken
                if case .blocked(let pause, _) = result { pausedUntil = now() + pause }
                note(result, delivery)
            }
        } catch {
            logger.error("a push cannot be checked", metadata: [LogKeys.error: "\(error)"])
            outcome = .postponed(until: now() + Milliseconds.second)
        }
        await acknowledge(delivery, outcome)
        metrics.count(outcome, of: channel, wasSent: wasSent)
        return .attempted(delivery, pausedUntil: pausedUntil)
    }

    private static func message(of delivery: PushDelivery, _ subject: PushSubject) -> PushDelivery {
        var message = delivery
        message.payload = PushPayload.text(delivery.channel, delivery.kind, subject: delivery.subject, subject)
        return message
    }

    private func outcome(of result: SendResult, _ delivery: PushDelivery) -> PushOutcome {
        switch result {
        case .taken: return .finished
        case .gone: return .targetGone
        case .refused(let status, let failure): return .failed(status: status, failure: failure)
        case .blocked(let pause, _), .postponed(let pause, _): return .postponed(until: now() + pause)
        case .failed(let status, let failure, let retryAfter):
            guard let pause = backoff.pause(after: delivery.attempts) else {
                return .failed(status: status, failure: failure)
            }
            return .retry(at: now() + (retryAfter ?? pause), status: status, failure: failure)
        }
    }

    /// Without an acknowledgement, it would be sent again when its lease is over.
    private func acknowledge(_ delivery: PushDelivery, _ outcome: PushOutcome) async {
        var pause = Duration.milliseconds(50)
        while true {
            do {
                return try await graph.pushDeliveries.acknowledge(delivery, outcome)
            } catch {
                logger.error("the outcome of a push cannot be recorded", metadata: [LogKeys.error: "\(error)"])
            }
            guard !Task.isCancelled else { return }
            try? await Task.sleep(for: pause)
            pause = min(pause * 2, .seconds(5))
        }
    }

    /// Neither token, URL nor text of a message reaches the log.
    private func note(_ result: SendResult, _ delivery: PushDelivery) {
        let why: String
        switch result {
        case .taken: return
        case .gone: why = "the target is gone"
        case .refused(_, let failure), .failed(_, let failure, _), .blocked(_, let failure),
            .postponed(_, let failure):
            why = failure
        }
        logger.debug(
            "a push was not accepted",
            metadata: [
                LogKeys.channel: "\(channel.rawValue)", LogKeys.message: "\(delivery.message)",
                LogKeys.error: "\(why)", LogKeys.userID: "\(delivery.user.rawValue)",
            ])
    }
}
