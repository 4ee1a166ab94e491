import Database
import GraphServices
import Logging
import Mail
import ServiceLifecycle
import Sessions
import SocialGraph

/// Sends the queued mails, a bounded number at once: one out, one in. A mail that was being sent when the server died
/// is sent again, under the same message id.
package struct AccountMailService: Service {
    /// Number of concurrent attempts.
    static let concurrency = 4
    /// Period at which the queue is looked at.
    static let poll = Duration.seconds(1)
    /// Milliseconds after which a mail with an unfinished attempt is due again. An attempt is shorter.
    static let lease = 5 * Milliseconds.minute

    private let graph: GraphStore
    private let transport: any MailTransport
    private let text: AccountMailText
    private let formerOwner: FormerOwner
    private let backoff: PushBackoff
    private let metrics = AccountMailMetrics()
    private let logger: Logger
    /// Milliseconds since 1970.
    private let now: @Sendable () -> Int64

    /// - Parameter now: milliseconds since 1970, the same as the database's.
    package init(
        graph: GraphStore, transport: any MailTransport, from: MailAddress, formerOwner: FormerOwner,
        backoff: PushBackoff = .mails, logger: Logger, now: @escaping @Sendable () -> Int64
    ) {
        (self.graph, self.transport, self.formerOwner) = (graph, transport, formerOwner)
        (self.backoff, self.logger, self.now) = (backoff, logger, now)
        text = AccountMailText(from: from)
    }

    /// Runs until the server shuts down; attempts in progress are finished first.
    package func run() async throws {
        while isRunning {
            do {
                try await graph.mailQueue.free(from: formerOwner)
                break
            } catch {
                logger.error(
                    "mails of the former server cannot be released", metadata: [LogKeys.error: "\(error)"])
                try? await Task.sleep(for: Self.poll)
            }
        }
        await work()
    }

    private var isRunning: Bool { !Task.isCancelled && !Task.isShuttingDownGracefully }

    private enum Event: Sendable {
        case attempted, due
    }

    /// - Parameter untilIdle: returns when nothing is due and nothing in progress.
    func work(untilIdle: Bool = false) async {
        await withTaskGroup(of: Event.self) { group in
            var (running, isWaiting) = (0, false)
            while isRunning {
                let taken = running < Self.concurrency ? await take(Self.concurrency - running) : []
                for mail in taken {
                    running += 1
                    group.addTask {
                        await attempt(mail)
                        return .attempted
                    }
                }
                if taken.isEmpty, untilIdle, running == 0 { return }
                if !isWaiting, !untilIdle {
                    isWaiting = true
                    group.addTask {
                        await cancelWhenGracefulShutdown { try? await Task.sleep(for: Self.poll) }
                        return .due
                    }
                }
                switch await group.next() {
                case .attempted?: running -= 1
                case .due?: isWaiting = false
                case nil: break
                }
            }
        }
    }

    private func take(_ limit: Int) async -> [AccountMail] {
        do {
            let (mails, expired) = try await graph.mailQueue.take(limit: limit, lease: Self.lease)
            metrics.count(.expired, by: expired)
            return mails
        } catch {
            logger.error("the queue of mail cannot be read", metadata: [LogKeys.error: "\(error)"])
            return []
        }
    }

    private func attempt(_ mail: AccountMail) async {
        var retry: Int64?
        switch await send(mail) {
        case .sent: metrics.count(.sent)
        case .refused(let why): note(why, mail, .failed)
        case .failed(let why):
            retry = backoff.pause(after: mail.attempts).map { now() + $0 }.flatMap { $0 < mail.expiresAt ? $0 : nil }
            note(why, mail, retry == nil ? .failed : .retried)
        }
        await finish(mail, retryingAt: retry)
    }

    private func send(_ mail: AccountMail) async -> MailResult {
        do {
            return await transport.send(try text.message(mail))
        } catch {
            return .refused("\(error)")
        }
    }

    /// Neither address, token nor text of a mail reaches the log.
    private func note(_ why: String, _ mail: AccountMail, _ outcome: AccountMailMetrics.Outcome) {
        metrics.count(outcome)
        metrics.noteFailure(at: now())
        logger.warning(
            "a mail was not accepted",
            metadata: [
                LogKeys.error: "\(why)", LogKeys.kind: "\(mail.kind.rawValue)", LogKeys.message: "\(mail.id)",
                LogKeys.attempt: "\(mail.attempts)", LogKeys.userID: "\(mail.user.rawValue)",
            ])
    }

    /// Without this, the mail would be sent again when its lease is over.
    private func finish(_ mail: AccountMail, retryingAt time: Int64?) async {
        var pause = Duration.milliseconds(50)
        while true {
            do {
                return try await graph.mailQueue.finish(mail, retryingAt: time)
            } catch {
                logger.error("the outcome of a mail cannot be recorded", metadata: [LogKeys.error: "\(error)"])
            }
            guard !Task.isCancelled else { return }
            try? await Task.sleep(for: pause)
            pause = min(pause * 2, .seconds(5))
        }
    }
}
