import SocialGraph

/// The length of the two periods that a trend compares.
package enum TrendWindow: String, Sendable, CaseIterable {
    case day = "24h"
    case week = "7d"

    var hours: Int64 {
        switch self {
        case .day: 24
        case .week: 7 * 24
        }
    }

    /// Returns the two periods as of `now` (milliseconds since 1970).
    func periods(at now: Int64) -> TrendPeriods {
        let current = now / EngagementClock.millisecondsPerHour
        let elapsed = Double(now % EngagementClock.millisecondsPerHour) / Double(EngagementClock.millisecondsPerHour)
        return TrendPeriods(
            later: current - hours + 1...current, earlier: current - 2 * hours + 1...current - hours,
            // The current hour is not over.
            lengths: PeriodLengths(later: Double(hours - 1) + elapsed, earlier: Double(hours)))
    }
}

/// Two consecutive periods, in hours since 1970.
struct TrendPeriods: Sendable {
    let later: ClosedRange<Int64>
    let earlier: ClosedRange<Int64>
    /// Lengths in hours.
    let lengths: PeriodLengths

    /// Returns the lengths for a post or topic that exists since `birth` (milliseconds since 1970). Counts are by hour,
    /// so one hour less than two periods is not less.
    func lengths(since birth: Int64) -> PeriodLengths {
        let hours = Double(earlier.upperBound + 1) - Double(birth) / Double(EngagementClock.millisecondsPerHour)
        guard hours < lengths.earlier - 1 else { return lengths }
        return PeriodLengths(later: lengths.later, earlier: max(hours, 0), areWhole: false)
    }

    var hours: ClosedRange<Int64> { earlier.lowerBound...later.upperBound }
}
