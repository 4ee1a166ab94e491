import GraphServices
import SocialGraph
import Text

/// The formats of the dates of imported posts.
enum CreationFormat: String, CaseIterable, Sendable {
    case unix
    case unixMilliseconds = "unix-ms"
    case rfc3339
    case dayMonth = "dd.mm"
}

/// Reads dates without Foundation.
struct CreationDate: Sendable {
    let format: CreationFormat
    /// The year for `dd.mm`, which names none.
    let year: Int64?

    /// Returns milliseconds since 1970, up to the end of the year 9999. Throws ``LineProblem``.
    func milliseconds(_ text: String) throws -> Int64 {
        let value: Int64?
        switch format {
        case .unix: value = Int64(text).flatMap { Self.times($0, 1_000) }
        case .unixMilliseconds: value = Int64(text)
        case .rfc3339: value = TimeText.milliseconds(text)
        case .dayMonth: value = dayMonth(text)
        }
        guard let value, TimeText.range.contains(value) else {
            throw LineProblem(
                "the date \"\(text.echoed)\" cannot be read", "expected \(expected), from 1970 on")
        }
        return value
    }

    private var expected: String {
        switch format {
        case .unix: "whole seconds since 1970"
        case .unixMilliseconds: "whole milliseconds since 1970"
        case .rfc3339: "2017-09-13T00:00:00Z"
        case .dayMonth: "day.month, such as 13.09"
        }
    }

    /// Parses a day and a month. Months have two digits; a program that took `13.10` for a number has left `13.1`.
    private func dayMonth(_ text: String) -> Int64? {
        let parts = text.split(separator: ".", omittingEmptySubsequences: false)
        guard parts.count == 2, let year, (1...2).contains(parts[0].utf8.count), (1...2).contains(parts[1].utf8.count),
            parts.allSatisfy({ $0.utf8.allSatisfy { $0 >= UInt8(ascii: "0") && $0 <= UInt8(ascii: "9") } }),
            let day = Int64(parts[0]), let digits = Int64(parts[1])
        else { return nil }
        let month = parts[1].utf8.count == 1 ? digits * 10 : digits
        return TimeText.days(year: year, month: month, day: day).map { $0 * 86_400_000 }
    }

    private static func times(_ value: Int64, _ factor: Int64) -> Int64? {
        let (product, overflow) = value.multipliedReportingOverflow(by: factor)
        return overflow ? nil : product
    }
}
