import Database
import Foundation

/// The local time of a time zone, by the system's time zone data. Instants are milliseconds since 1970.
struct LocalZone: Sendable, Equatable {
    static let minutesOfDay = 24 * 60
    static let minutes = 0..<minutesOfDay

    let identifier: String
    private let zone: TimeZone

    /// Nil for an identifier outside the IANA database; `Europe/Berlin` and `UTC` are valid.
    init?(_ identifier: String) {
        guard Self.isName(identifier), let zone = TimeZone(identifier: identifier) else { return nil }
        self.identifier = identifier
        self.zone = zone
    }

    /// Returns true for an area and a place. (Foundation's own list of zones has only one of several names of a place.)
    private static func isName(_ text: String) -> Bool {
        text == "UTC"
            || text.contains("/")
                && text.utf8.allSatisfy { byte in
                    (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(byte | 0x20)
                        || (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte) || "_+-/".utf8.contains(byte)
                }
    }

    func minuteOfDay(at instant: Int64) -> Int {
        let parts = calendar.dateComponents([.hour, .minute], from: Self.date(instant))
        return (parts.hour ?? 0) * 60 + (parts.minute ?? 0)
    }

    func startOfMinute(at instant: Int64) -> Int64 { instant - instant % Milliseconds.minute }

    /// Returns the time of the next daylight saving change.
    func nextChange(after instant: Int64) -> Int64? {
        zone.nextDaylightSavingTimeTransition(after: Self.date(instant)).map(Self.milliseconds)
    }

    /// Returns the first time after `instant` at which the clock shows `minute` on a weekday with `isWanted` (1: Monday
    /// … 7: Sunday). If the clock skips that minute, returns the moment of the skip; if it shows it twice, the first.
    /// Nil if no day is wanted.
    func next(_ minute: Int, after instant: Int64, isWanted: (Int) -> Bool) -> Int64? {
        let calendar = calendar
        var day = calendar.startOfDay(for: Self.date(instant))
        let time = DateComponents(hour: minute / 60, minute: minute % 60, second: 0)
        // The only wanted day may be the same weekday a week later.
        for _ in 0...7 {
            let sundayFirst = calendar.component(.weekday, from: day)
            let found = calendar.nextDate(
                after: day.addingTimeInterval(-1), matching: time, matchingPolicy: .nextTime,
                repeatedTimePolicy: .first)
            if let found, isWanted((sundayFirst + 5) % 7 + 1), Self.milliseconds(found) > instant {
                return Self.milliseconds(found)
            }
            guard let tomorrow = calendar.date(byAdding: .day, value: 1, to: day) else { return nil }
            day = calendar.startOfDay(for: tomorrow)
        }
        return nil
    }

    private var calendar: Calendar {
        var calendar = Calendar(identifier: .gregorian)
        calendar.timeZone = zone
        return calendar
    }

    private static func date(_ instant: Int64) -> Date { Date(timeIntervalSince1970: Double(instant) / 1_000) }

    private static func milliseconds(_ date: Date) -> Int64 { Int64((date.timeIntervalSince1970 * 1_000).rounded()) }
}
