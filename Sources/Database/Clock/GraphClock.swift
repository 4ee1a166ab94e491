/// The times that a database needs, each in milliseconds since 1970.
package struct GraphClock: Sendable {
    /// The time for ids and timestamps.
    package let now: @Sendable () -> Int64
    /// The time up to which data may expire or be deleted; never after ``now``.
    package let expiry: @Sendable () -> Int64
    /// The best guess at the time of other machines.
    package let wall: @Sendable () -> Int64

    package init(
        now: @escaping @Sendable () -> Int64, expiry: @escaping @Sendable () -> Int64,
        wall: @escaping @Sendable () -> Int64
    ) {
        self.now = now
        self.expiry = expiry
        self.wall = wall
    }

    /// Uses one clock for everything, as tests do.
    package init(_ clock: @escaping @Sendable () -> Int64) { self.init(now: clock, expiry: clock, wall: clock) }

    /// Uses the times of a clock that does not jump.
    package init(_ clock: SteadyClock) { self.init(now: clock.now, expiry: clock.expiry, wall: clock.wall) }
}
