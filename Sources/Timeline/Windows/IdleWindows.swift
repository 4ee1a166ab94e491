import SocialGraph
import Synchronization

/// Whose windows are in use. A window's time in Redis starts anew when its reader comes, but not with every read: only
/// after a share of the time has gone by, so that a read is rarely a write as well.
package final class IdleWindows: Sendable {
    /// Time that a window is kept without being read; the setting `window-idle` overrides it.
    package static let defaultIdle = Duration.seconds(30 * 86_400)
    /// Readers whose last renewal is remembered.
    package static let defaultCapacity = 100_000
    /// Divisor that gives the share of a window's time after which a read starts it anew.
    static let idleShare = 30

    private struct State {
        /// When a reader's window was last given its time, in seconds of a monotonic clock: this generation and the
        /// one before, as in a cache of two generations.
        var young: [UserID: Int64] = [:]
        var old: [UserID: Int64] = [:]
    }

    private let state = Mutex(State())
    private let seconds: Int64
    private let capacity: Int
    private let now: @Sendable () -> Int64

    package init(
        idle: Duration = IdleWindows.defaultIdle, capacity: Int = IdleWindows.defaultCapacity,
        now: @escaping @Sendable () -> Int64 = IdleWindows.monotonicSeconds
    ) {
        seconds = max(idle.components.seconds, 1)
        self.capacity = max(capacity / 2, 1)
        self.now = now
    }

    /// The seconds that the window of `viewer`, who is reading, is to be kept from now on; nil: it was told lately.
    func renewal(of viewer: UserID) -> Int64? {
        let now = now()
        return state.withLock { state in
            let last = state.young[viewer] ?? state.old[viewer]
            if let last, now - last < max(seconds / Int64(Self.idleShare), 1) { return nil }
            state.young[viewer] = now
            if state.young.count > capacity {
                state.old = state.young
                state.young = [:]
            }
            return seconds
        }
    }

    package static func monotonicSeconds() -> Int64 {
        let elapsed = start.duration(to: .now)
        return elapsed.components.seconds
    }

    private static let start = ContinuousClock.now
}
