import Database
import Foundation

/// A daily period, in the local time of a zone, in which devices stay silent. It may span midnight.
package struct QuietHours: Sendable, Equatable {
    /// Minutes since midnight. Start and end differ, because equal ones would mean nothing or everything.
    package let start: Int
    package let end: Int
    private let zone: LocalZone

    package var timeZone: String { zone.identifier }

    /// Nil if the zone is unknown, a minute is out of range, or both are the same.
    package init?(start: Int, end: Int, timeZone: String) {
        guard LocalZone.minutes.contains(start), LocalZone.minutes.contains(end), start != end,
            let zone = LocalZone(timeZone)
        else { return nil }
        self.start = start
        self.end = end
        self.zone = zone
    }

    /// Returns the end of the quiet period at `now`; nil if there is none. Milliseconds since 1970. Across a daylight
    /// saving change, the period ends when the clock shows a time outside it, not after a number of hours.
    package func end(at now: Int64) -> Int64? {
        var instant = now
        // A period that outlasts one clock change may meet another.
        for _ in 0..<3 {
            let minute = zone.minuteOfDay(at: instant)
            guard contains(minute) else { return instant == now ? nil : instant }
            let remaining = Int64((end - minute + LocalZone.minutesOfDay) % LocalZone.minutesOfDay)
            let candidate = zone.startOfMinute(at: instant) + remaining * Milliseconds.minute
            guard let change = zone.nextChange(after: instant), change < candidate else { return candidate }
            instant = change
        }
        return instant
    }

    private func contains(_ minute: Int) -> Bool {
        start < end ? (start..<end).contains(minute) : minute >= start || minute < end
    }
}
