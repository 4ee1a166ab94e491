import TestSupport
import Testing

@testable import GraphServices
@testable import graphd

@Suite(.timeLimit(.unit))
struct CreationDateTests {
    private func read(_ text: String, _ format: CreationFormat, year: Int64? = nil) -> Int64? {
        try? CreationDate(format: format, year: year).milliseconds(text)
    }

    @Test(
        arguments: [
            ("0", 0), ("1505260800", 1_505_260_800_000), ("-1", nil), ("1.5", nil), ("", nil), ("9999999999999", nil),
            ("9223372036854775807", nil),
        ] as [(String, Int64?)])
    func `unix seconds`(text: String, expected: Int64?) {
        #expect(read(text, .unix) == expected)
        #expect(
            read(text, .unixMilliseconds)
                == (expected == nil
                    ? Int64(text).flatMap { $0 >= 0 && $0 <= 9_999_999_999_999 ? $0 : nil } : Int64(text)))
    }

    @Test(
        arguments: [
            ("1970-01-01T00:00:00Z", 0),
            ("2017-09-13T00:00:00Z", 1_505_260_800_000),
            ("2017-09-13T02:00:00.5+02:00", 1_505_260_800_500),
            ("2017-09-12 19:30:00.123456-04:30", 1_505_260_800_123),
            ("2016-02-29T00:00:00z", 1_456_704_000_000),
            ("9999-12-31T23:59:59.999Z", 253_402_300_799_999),
            ("2017-02-29T00:00:00Z", nil), ("1900-02-29T00:00:00Z", nil), ("2017-13-01T00:00:00Z", nil),
            ("2017-09-13T24:00:00Z", nil), ("2017-09-13T00:00:00", nil), ("2017-09-13", nil),
            ("2017-9-13T00:00:00Z", nil),
            ("2017-09-13T00:00:00.Z", nil), ("2017-09-13T00:00:00Zx", nil), ("1969-12-31T23:59:59Z", nil), ("", nil),
        ] as [(String, Int64?)])
    func `RFC 3339`(text: String, expected: Int64?) {
        #expect(read(text, .rfc3339) == expected)
    }

    @Test(
        arguments: [
            ("13.09", 1_505_260_800_000), ("1.10", 1_506_816_000_000), ("01.10", 1_506_816_000_000),
            ("13.1", 1_507_852_800_000), ("13.10", 1_507_852_800_000),
            ("13.2", nil), ("13.0", nil), ("31.09", nil), ("0.10", nil), ("29.02", nil), ("100", nil), ("", nil),
            ("13.", nil),
            (".10", nil), ("26.0903jeumSTSzc", nil), ("1.1.1", nil), ("+1.10", nil),
        ] as [(String, Int64?)])
    func `day and month, and the zero that a month of one digit has lost`(text: String, expected: Int64?) {
        #expect(read(text, .dayMonth, year: 2017) == expected)
    }

    @Test
    func `days agree with counting them one by one`() {
        var day: Int64 = 0
        for year in 1970...2100 as ClosedRange<Int64> {
            for month in 1...12 as ClosedRange<Int64> {
                var dayOfMonth: Int64 = 1
                while let days = TimeText.days(year: year, month: month, day: dayOfMonth) {
                    #expect(days == day)
                    day += 1
                    dayOfMonth += 1
                }
                #expect((29...32).contains(dayOfMonth))
            }
        }
    }
}
