import Database
import SocialGraph

/// A reminder at times set by the user.
package struct Reminder: Sendable, Equatable {
    package enum Kind: String, Sendable, CaseIterable {
        case newRoutines, trendingDiscussions

        package var push: PushKind {
            switch self {
            case .newRoutines: .reminder
            case .trendingDiscussions: .trending
            }
        }
    }

    package enum Weekday: String, Sendable, CaseIterable {
        case monday, tuesday, wednesday, thursday, friday, saturday, sunday
    }

    package let kind: Kind
    /// Minutes since midnight.
    package let minute: Int
    /// Weekdays in order; never empty.
    package let weekdays: [Weekday]
    private let zone: LocalZone

    package var timeZone: String { zone.identifier }

    /// Nil if the zone is unknown, the minute is out of range, or there is no weekday.
    package init?(kind: Kind, minute: Int, weekdays: Set<Weekday>, timeZone: String) {
        guard LocalZone.minutes.contains(minute), !weekdays.isEmpty, let zone = LocalZone(timeZone) else { return nil }
        self.kind = kind
        self.minute = minute
        self.weekdays = Weekday.allCases.filter(weekdays.contains)
        self.zone = zone
    }

    /// Returns the first due time after `instant`; both are milliseconds since 1970. A time that the clock skips is due
    /// at the skip; a time that it shows twice is due the first time.
    package func next(after instant: Int64) -> Int64? {
        let wanted = Set(weekdays)
        return zone.next(minute, after: instant) { wanted.contains(Weekday.allCases[$0 - 1]) }
    }

    /// Stored weekdays; Monday is the lowest bit.
    var weekdayBits: Int64 {
        Weekday.allCases.enumerated().reduce(0) { $0 | (weekdays.contains($1.element) ? 1 << $1.offset : 0) }
    }

    /// Throws ``DatabaseError/storageCorrupt(detail:)`` without a day, and for a bit without a day.
    static func weekdays(in bits: Int64) throws -> Set<Weekday> {
        guard bits > 0, bits < 1 << Weekday.allCases.count else { throw DatabaseError.undecodable(Weekday.self, bits) }
        return Set(Weekday.allCases.enumerated().filter { bits & (1 << $0.offset) != 0 }.map(\.element))
    }
}
