/// The times that a database asks for, each in milliseconds since 1970.
package struct GraphClock: Sendable {
    /// The time of ids and of whatever is stamped.
    package let now: @Sendable () -> Int64
    /// The time up to which things may end for good or be forgotten; never after ``now``.
    package let expiry: @Sendable () -> Int64
    /// The time that other machines are believed to have.
    package let wall: @Sendable () -> Int64

    package init(
        now: @escaping @Sendable () -> Int64, expiry: @escaping @Sendable () -> Int64,
        wall: @escaping @Sendable () -> Int64
    ) {
        self.now = now
        self.expiry = expiry
        self.wall = wall
    }

    /// One clock for everything, as in tests.
    package init(_ clock: @escaping @Sendable () -> Int64) { self.init(now: clock, expiry: clock, wall: clock) }

    /// The times of a clock that does not jump.
    package init(_ clock: SteadyClock) { self.init(now: clock.now, expiry: clock.expiry, wall: clock.wall) }
}
