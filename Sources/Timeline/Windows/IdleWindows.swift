import SocialGraph
import Synchronization

/// Tracks which windows are in use. A read renews a window's expiry in Redis, but only after a share of its lifetime
/// has passed, so that few reads cause a write.
package final class IdleWindows: Sendable {
    /// Time without a read after which a window expires. The setting `window-idle` overrides it.
    package static let defaultIdle = Duration.seconds(30 * 86_400)
    /// Maximum number of readers whose last renewal is remembered.
    package static let defaultCapacity = 100_000
    /// Divisor for the share of a window's lifetime after which a read renews it.
    static let idleShare = 30

    /// The time of the last renewal of a reader's window, in seconds of a monotonic clock.
    private let renewals: Mutex<TwoGenerations<UserID, Int64>>
    private let seconds: Int64
    private let now: @Sendable () -> Int64

    package init(
        idle: Duration = IdleWindows.defaultIdle, capacity: Int = IdleWindows.defaultCapacity,
        now: @escaping @Sendable () -> Int64 = IdleWindows.monotonicSeconds
    ) {
        seconds = max(idle.components.seconds, 1)
        renewals = Mutex(TwoGenerations(capacity: capacity) { _ in 1 })
        self.now = now
    }

    /// The new expiry, in seconds, of the window of `viewer`, who is reading; nil if it was renewed recently.
    func renewal(of viewer: UserID) -> Int64? {
        let now = now()
        return renewals.withLock { renewals in
            if let last = renewals.value(for: viewer), now - last < max(seconds / Int64(Self.idleShare), 1) {
                return nil
            }
            renewals.insert(now, for: viewer)
            return seconds
        }
    }

    package static func monotonicSeconds() -> Int64 {
        let elapsed = start.duration(to: .now)
        return elapsed.components.seconds
    }

    private static let start = ContinuousClock.now
}
