/// Times in RFC 3339, read without Foundation.
package enum TimeText {
    /// Milliseconds since 1970 up to the end of the year 9999.
    package static let range: ClosedRange<Int64> = 0...253_402_300_799_999

    /// Returns the time in milliseconds since 1970; nil if `text` is no such time, or outside ``range``.
    package static func milliseconds(_ text: String) -> Int64? {
        read(Array(text.utf8)).flatMap { range.contains($0) ? $0 : nil }
    }

    /// `2017-09-13T08:00:00[.123](Z|±hh:mm)`.
    private static func read(_ text: [UInt8]) -> Int64? {
        var rest = text[...]
        func number(_ digits: Int) -> Int64? {
            guard rest.count >= digits else { return nil }
            var value: Int64 = 0
            for byte in rest.prefix(digits) {
                guard byte >= UInt8(ascii: "0"), byte <= UInt8(ascii: "9") else { return nil }
                value = value * 10 + Int64(byte - UInt8(ascii: "0"))
            }
            rest = rest.dropFirst(digits)
            return value
        }
        func skip(_ allowed: String) -> UInt8? {
            guard let byte = rest.first, allowed.utf8.contains(byte) else { return nil }
            rest = rest.dropFirst()
            return byte
        }
        guard let year = number(4), skip("-") != nil, let month = number(2), skip("-") != nil, let day = number(2),
            let days = days(year: year, month: month, day: day), skip("Tt ") != nil,
            let hour = number(2), skip(":") != nil, let minute = number(2), skip(":") != nil, let second = number(2),
            hour < 24, minute < 60, second <= 60
        else { return nil }
        var milliseconds: Int64 = 0
        if skip(".") != nil {
            let digits = rest.prefix { $0 >= UInt8(ascii: "0") && $0 <= UInt8(ascii: "9") }
            guard !digits.isEmpty else { return nil }
            for place in 0..<3 {
                milliseconds =
                    milliseconds * 10 + (place < digits.count ? Int64(digits[digits.startIndex + place] - 0x30) : 0)
            }
            rest = rest.dropFirst(digits.count)
        }
        var offset: Int64 = 0
        guard let sign = skip("Zz+-") else { return nil }
        if sign == UInt8(ascii: "+") || sign == UInt8(ascii: "-") {
            guard let hours = number(2), skip(":") != nil, let minutes = number(2), hours < 24, minutes < 60 else {
                return nil
            }
            offset = (hours * 60 + minutes) * (sign == UInt8(ascii: "-") ? -60 : 60)
        }
        guard rest.isEmpty else { return nil }
        return (days * 86_400 + hour * 3_600 + minute * 60 + second - offset) * 1_000 + milliseconds
    }

    /// Returns days from 1970-01-01; nil for a day that does not exist.
    package static func days(year: Int64, month: Int64, day: Int64) -> Int64? {
        guard (0...9_999).contains(year), (1...12).contains(month) else { return nil }
        let isLeap = year % 4 == 0 && (year % 100 != 0 || year % 400 == 0)
        let lengths: [Int64] = [31, isLeap ? 29 : 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31]
        guard day >= 1, day <= lengths[Int(month) - 1] else { return nil }
        // Years are counted from 1 March, so that the leap day comes last.
        let shiftedYear = month <= 2 ? year - 1 : year
        let shiftedMonth = month <= 2 ? month + 9 : month - 3
        let era = (shiftedYear >= 0 ? shiftedYear : shiftedYear - 399) / 400
        let yearOfEra = shiftedYear - era * 400
        let dayOfEra = yearOfEra * 365 + yearOfEra / 4 - yearOfEra / 100 + (153 * shiftedMonth + 2) / 5 + day - 1
        return era * 146_097 + dayOfEra - 719_468
    }
}
