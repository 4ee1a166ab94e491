/// Allocates the 53-bit, time-ordered ids of posts, accounts, follows and jobs.
///
/// Layout: 41 bits of milliseconds since 2025-01-01 (until 2094), 12 bits of sequence. An id is `max(last + 1, now <<
/// 12)`, taken inside the write transaction, so commit order is id order and a clock that steps back changes nothing.
/// 53 bits fit a double, hence a sorted-set score, exactly. (Snowflake's idea, at the width that Redis can hold.)
package struct IDSequence: Sendable {
    /// 2025-01-01T00:00:00Z in milliseconds since 1970.
    package static let epoch: Int64 = 1_735_689_600_000
    package static let sequenceBits: Int64 = 12
    /// Largest id: 2^53 - 1.
    package static let maximum: Int64 = (1 << 53) - 1

    /// A query for the last id that was assigned. `ONLY` is a word of SQL, so the column of that name is quoted.
    package static let lastQuery = "SELECT last FROM id_sequence WHERE \"only\" = 1"

    /// The last id that was assigned, by this process or an earlier one.
    package private(set) var last: Int64

    package init(last: Int64) { self.last = last }

    /// The next id. `now`: milliseconds since 1970; a clock before 2025 or behind `last` is harmless.
    /// Throws ``DatabaseError/idSpaceExhausted`` after the year 2094.
    package mutating func next(now: Int64) throws -> Int64 {
        let clock = max(now - Self.epoch, 0) << Self.sequenceBits
        let id = max(last + 1, clock)
        guard id <= Self.maximum else { throw DatabaseError.idSpaceExhausted }
        last = id
        return id
    }

    /// The smallest id that may have been assigned at `milliseconds` since 1970.
    package static func first(at milliseconds: Int64) -> Int64 { max(milliseconds - epoch, 0) << sequenceBits }

    /// The time at which `id` was assigned, in milliseconds since 1970; later if ids ran ahead of the clock.
    package static func milliseconds(of id: Int64) -> Int64 { (id >> sequenceBits) + epoch }
}
