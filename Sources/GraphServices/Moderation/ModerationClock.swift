import Database
import Logging
import Moderation
import ServiceLifecycle
import SocialGraph
import Timeline

/// Ends in time what moderators have done for a time: bans, suspensions, removals and so on. What came to its end while
/// no server ran is ended when one starts.
package struct ModerationClock: Service {
    /// How often it looks, also if nobody has told it of anything: what another process orders is not announced here.
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
        graph.database.observeCommits { [wakeup] record in
            if record.changes.contains(where: \.mayBeForATime) { wakeup.signal() }
        }
    }

    package func run() async throws {
        await cancelWhenGracefulShutdown {
            while !Task.isCancelled { await wakeup.wait(atMost: await endDue()) }
        }
    }

    /// Ends all that is over, and returns how long nothing else will be.
    func endDue() async -> Duration {
        do {
            while !Task.isCancelled {
                guard let next = try await graph.moderation.endExpired(at: now()) else { return Self.poll }
                let wait = next - now()
                if wait > 0 { return min(Self.poll, .milliseconds(wait)) }
            }
        } catch {
            logger.error("what moderators did cannot be ended", metadata: [LogKeys.error: "\(error)"])
        }
        return .seconds(1)
    }

    /// The injected clock has moved.
    func clockChanged() { wakeup.signal() }
}

extension GraphChange {
    /// Written with what moderators do for a time.
    fileprivate var mayBeForATime: Bool {
        switch self {
        case .postModerated, .commentModerated, .communityChanged, .membershipChanged, .accountModerated: true
        default: false
        }
    }
}
