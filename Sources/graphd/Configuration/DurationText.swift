/// The format of durations in settings: `90s`, `15m`, `12h`, `30d`, or plain seconds.
enum DurationText {
    static let expected = "a duration from 60s to 366d, such as 90s, 15m, 12h or 30d"

    private static let longest: Int64 = 1_000_000_000

    static func parse(_ text: String) -> Duration? {
        let units: [Character: Int64] = ["s": 1, "m": 60, "h": 3600, "d": 86_400]
        let unit = text.last.flatMap { units[$0] }
        let digits = unit == nil ? text[...] : text.dropLast()
        guard !digits.isEmpty, digits.allSatisfy(\.isASCII), digits.allSatisfy(\.isNumber), let count = Int64(digits),
            count <= longest
        else {
            return nil
        }
        return .seconds(count * (unit ?? 1))
    }
}
