import Database
import Foundation

/// A part of every day, by the clock of a time zone, in which devices stay silent. It may pass midnight.
package struct QuietHours: Sendable, Equatable {
    /// Minutes since midnight; never the same, which would be nothing or everything.
    package let start: Int
    package let end: Int
    private let zone: LocalZone

    package var timeZone: String { zone.identifier }

    /// Nil where the zone is not known here, a minute is not one of a day, or both are the same.
    package init?(start: Int, end: Int, timeZone: String) {
        guard LocalZone.minutes.contains(start), LocalZone.minutes.contains(end), start != end,
            let zone = LocalZone(timeZone)
        else { return nil }
        self.start = start
        self.end = end
        self.zone = zone
    }

    /// When the quiet that holds at `now` is over; nil if there is none. Milliseconds since 1970. A clock that is put
    /// forward or back in between ends it when it shows a time outside, not after so many hours.
    package func end(at now: Int64) -> Int64? {
        var instant = now
        // A quiet that is not over at one change of the clock may meet one more.
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
