import Synchronization

/// A clock that stands still until a test moves it, in either direction.
package final class AdjustableClock: Sendable {
    private let value: Mutex<Int64>

    /// `milliseconds` since 1970; by default some day in 2026.
    package init(_ milliseconds: Int64 = 1_780_000_000_000) { value = Mutex(milliseconds) }

    package var now: Int64 { value.withLock { $0 } }

    package func set(_ milliseconds: Int64) { value.withLock { $0 = milliseconds } }

    package func advance(by milliseconds: Int64) { value.withLock { $0 += milliseconds } }

    /// In whole milliseconds.
    package func advance(by duration: Duration) {
        let (seconds, attoseconds) = duration.components
        advance(by: seconds * 1_000 + attoseconds / 1_000_000_000_000_000)
    }
}
