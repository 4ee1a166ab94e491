import Coordination
import Database
import Logging
import Moderation
import ServiceLifecycle
import SocialGraph

/// Ends temporary acts of moderators when they expire: bans, suspensions, removals and so on. Acts that expired while
/// no server ran are ended at the next start.
package struct ModerationClock: Service {
    /// Period at which it looks even without a notification.
    private static let poll = Duration.seconds(30)

    private let graph: GraphStore
    private let logger: Logger
    private let now: @Sendable () -> Int64
    private let wakeup = Wakeup()

    /// `now`: milliseconds since 1970.
    package init(graph: GraphStore, logger: Logger, now: @escaping @Sendable () -> Int64 = SystemClock.milliseconds) {
        self.graph = graph
        self.logger = logger
        self.now = now
        graph.database.observeCommits { [wakeup] in Self.note($0.changes, wakeup) }
    }

    /// Notes the changes of another process.
    package func observe(_ changes: [GraphChange]) { Self.note(changes, wakeup) }

    private static func note(_ changes: [GraphChange], _ wakeup: Wakeup) {
        if changes.contains(where: \.mayBeForATime) { wakeup.signal() }
    }

    package func run() async throws {
        await cancelWhenGracefulShutdown {
            while !Task.isCancelled { await wakeup.wait(atMost: await endDue()) }
        }
    }

    /// Ends all expired acts, and returns the time until the next one expires.
    func endDue() async -> Duration {
        do {
            while !Task.isCancelled {
                guard let next = try await graph.moderation.endExpired(at: now()) else { return Self.poll }
                let wait = next - now()
                if wait > 0 { return min(Self.poll, .milliseconds(wait)) }
            }
        } catch {
            logger.error("expired moderation actions cannot be ended", metadata: [LogKeys.error: "\(error)"])
        }
        return .seconds(1)
    }

    /// The injected clock has moved.
    func clockChanged() { wakeup.signal() }
}

extension GraphChange {
    /// True for acts of moderators that may be temporary.
    fileprivate var mayBeForATime: Bool {
        switch self {
        case .postModerated, .commentModerated, .communityChanged, .membershipChanged, .accountModerated: true
        default: false
        }
    }
}
