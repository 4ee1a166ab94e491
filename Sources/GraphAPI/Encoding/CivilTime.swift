/// A UTC date and time of day in the proleptic Gregorian calendar, for writing RFC 3339 timestamps without Foundation.
package struct CivilTime: Sendable, Equatable {
    package let year: Int64
    package let month: Int64
    package let day: Int64
    package let hour: Int64
    package let minute: Int64
    package let second: Int64
    package let millisecond: Int64

    /// 0000-01-01T00:00:00.000Z and 9999-12-31T23:59:59.999Z: RFC 3339 has four digits for the year.
    package static let representable: ClosedRange<Int64> = -62_167_219_200_000...253_402_300_799_999

    private static let millisecondsPerDay: Int64 = 86_400_000
    private static let daysPerEra: Int64 = 146_097
    /// Days from 0000-03-01 to 1970-01-01.
    private static let epochOffset: Int64 = 719_468

    /// - Parameter millisecondsSince1970: clamped to `representable`.
    package init(millisecondsSince1970 milliseconds: Int64) {
        let instant = min(max(milliseconds, Self.representable.lowerBound), Self.representable.upperBound)
        var days = instant / Self.millisecondsPerDay
        var rest = instant % Self.millisecondsPerDay
        if rest < 0 {
            rest += Self.millisecondsPerDay
            days -= 1
        }
        hour = rest / 3_600_000
        minute = rest / 60_000 % 60
        second = rest / 1000 % 60
        millisecond = rest % 1000

        // Years are counted from 1 March, so that the leap day comes last, and in eras of 400 years, which all have the
        // same number of days. Month m of such a year starts at day (153 m + 2) / 5.
        let shifted = days + Self.epochOffset
        let era = (shifted >= 0 ? shifted : shifted - (Self.daysPerEra - 1)) / Self.daysPerEra
        let dayOfEra = shifted - era * Self.daysPerEra
        let yearOfEra = (dayOfEra - dayOfEra / 1460 + dayOfEra / 36_524 - dayOfEra / 146_096) / 365
        let dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
        let shiftedMonth = (5 * dayOfYear + 2) / 153
        day = dayOfYear - (153 * shiftedMonth + 2) / 5 + 1
        month = shiftedMonth < 10 ? shiftedMonth + 3 : shiftedMonth - 9
        year = yearOfEra + era * 400 + (month <= 2 ? 1 : 0)
    }

    /// Appends 24 bytes, such as `2026-11-21T02:04:05.123Z`.
    package func append(to bytes: inout [UInt8]) {
        Self.append(year, digits: 4, to: &bytes)
        bytes.append(UInt8(ascii: "-"))
        Self.append(month, digits: 2, to: &bytes)
        bytes.append(UInt8(ascii: "-"))
        Self.append(day, digits: 2, to: &bytes)
        bytes.append(UInt8(ascii: "T"))
        Self.append(hour, digits: 2, to: &bytes)
        bytes.append(UInt8(ascii: ":"))
        Self.append(minute, digits: 2, to: &bytes)
        bytes.append(UInt8(ascii: ":"))
        Self.append(second, digits: 2, to: &bytes)
        bytes.append(UInt8(ascii: "."))
        Self.append(millisecond, digits: 3, to: &bytes)
        bytes.append(UInt8(ascii: "Z"))
    }

    private static func append(_ value: Int64, digits: Int, to bytes: inout [UInt8]) {
        var divisor: Int64 = 1
        for _ in 1..<digits {
            divisor *= 10
        }
        while divisor > 0 {
            bytes.append(UInt8(ascii: "0") + UInt8(truncatingIfNeeded: value / divisor % 10))
            divisor /= 10
        }
    }
}
