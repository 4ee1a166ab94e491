import Synchronization

/// A clock that stands still until a test moves it, in either direction.
final class AdjustableClock: Sendable {
    private let value: Mutex<Int64>

    /// `milliseconds` since 1970; by default some day in 2026.
    init(_ milliseconds: Int64 = 1_780_000_000_000) { value = Mutex(milliseconds) }

    var now: Int64 { value.withLock { $0 } }

    func advance(by milliseconds: Int64) { value.withLock { $0 += milliseconds } }
}
