import Foundation

/// The `Retry-After` of an answer: seconds, or a date (RFC 9110, section 10.2.3).
enum RetryAfter {
    /// Longest accepted `Retry-After`, in milliseconds.
    static let longest: Int64 = 3_600_000

    /// Returns milliseconds from `now` (since 1970), not negative and at most ``longest``; nil if the text is neither
    /// seconds nor a date.
    static func milliseconds(_ text: String?, now: Int64) -> Int64? {
        guard let text = text?.trimmingCharacters(in: .whitespaces), !text.isEmpty else { return nil }
        if text.utf8.allSatisfy({ (0x30...0x39).contains($0) }) {
            let seconds = Int64(text) ?? .max
            return seconds > Self.longest / 1_000 ? Self.longest : seconds * 1_000
        }
        guard let date = try? Date(text, strategy: httpDate) else { return nil }
        // A year may have any number of digits.
        let wait = date.timeIntervalSince1970 * 1_000 - Double(now)
        return Int64(min(max(wait, 0), Double(Self.longest)))
    }

    /// `Sun, 06 Nov 1994 08:49:37 GMT`
    private static let httpDate = Date.ParseStrategy(
        format: """
            \(weekday: .abbreviated), \(day: .twoDigits) \(month: .abbreviated) \(year: .defaultDigits) \
            \(hour: .twoDigits(clock: .twentyFourHour, hourCycle: .zeroBased)):\(minute: .twoDigits):\
            \(second: .twoDigits) GMT
            """,
        locale: Locale(identifier: "en_US_POSIX"), timeZone: .gmt)
}
