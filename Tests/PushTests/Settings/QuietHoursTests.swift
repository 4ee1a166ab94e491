import Foundation
import TestSupport
import Testing

@testable import Push
@testable import SocialGraph

@Suite(.timeLimit(.unit))
struct QuietHoursTests {
    static func instant(_ text: String) throws -> Int64 {
        Int64(try Date(text, strategy: .iso8601).timeIntervalSince1970 * 1_000)
    }

    /// Start, end, time zone, now, and the end of the quiet period; empty if it is not quiet.
    @Test(arguments: [
        ("22:00", "07:00", "UTC", "2026-06-01T21:59:59Z", ""),
        ("22:00", "07:00", "UTC", "2026-06-01T22:00:00Z", "2026-06-02T07:00:00Z"),
        ("22:00", "07:00", "UTC", "2026-06-02T06:59:59Z", "2026-06-02T07:00:00Z"),
        ("22:00", "07:00", "UTC", "2026-06-02T07:00:00Z", ""),
        ("12:00", "13:30", "UTC", "2026-06-02T13:00:30Z", "2026-06-02T13:30:00Z"),
        ("12:00", "13:30", "UTC", "2026-06-02T13:30:00Z", ""),
        ("22:00", "07:00", "Asia/Kolkata", "2026-06-01T16:30:00Z", "2026-06-02T01:30:00Z"),
        ("22:00", "07:00", "America/New_York", "2026-06-02T02:00:00Z", "2026-06-02T11:00:00Z"),
        // The night in which the clock is put forward is an hour shorter, the one in which it is put back an hour
        // longer.
        ("22:00", "07:00", "Europe/Berlin", "2026-03-28T21:00:00Z", "2026-03-29T05:00:00Z"),
        ("22:00", "07:00", "Europe/Berlin", "2026-10-24T20:00:00Z", "2026-10-25T06:00:00Z"),
        // An end that the clock skips takes effect at the skip. An end that occurs twice takes effect both times.
        ("00:00", "02:30", "Europe/Berlin", "2026-03-29T00:30:00Z", "2026-03-29T01:00:00Z"),
        ("00:00", "02:30", "Europe/Berlin", "2026-10-24T23:00:00Z", "2026-10-25T00:30:00Z"),
        ("00:00", "02:30", "Europe/Berlin", "2026-10-25T00:45:00Z", ""),
        ("00:00", "02:30", "Europe/Berlin", "2026-10-25T01:10:00Z", "2026-10-25T01:30:00Z"),
        // The clock is put back to the start, so both periods join.
        ("02:15", "03:30", "Europe/Berlin", "2026-10-25T00:20:00Z", "2026-10-25T01:00:00Z"),
    ])
    func `quiet is over when the clock on the wall says so`(
        start: String, end: String, zone: String, now: String, over: String
    ) throws {
        func minute(_ text: String) -> Int { Int(text.prefix(2))! * 60 + Int(text.suffix(2))! }
        let quiet = try #require(QuietHours(start: minute(start), end: minute(end), timeZone: zone))
        let expected = over.isEmpty ? nil : try Self.instant(over)
        #expect(quiet.end(at: try Self.instant(now)) == expected)
    }

    @Test(arguments: [
        (0, 0, "UTC"), (-1, 5, "UTC"), (5, 1_440, "UTC"), (1, 2, "Mars/Olympus"), (1, 2, ""),
        (1, 2, "/etc/passwd"), (1, 2, "GMT+3"), (1, 2, "Europe/"),
    ])
    func `what is no part of a day is refused`(start: Int, end: Int, zone: String) {
        #expect(QuietHours(start: start, end: end, timeZone: zone) == nil)
    }

    /// Compares with the definition minute by minute, over both clock changes.
    @Test
    func `the end is the first minute outside`() throws {
        var generator = SplitMix64(seed: 7)
        let zones = ["Europe/Berlin", "America/New_York", "Australia/Lord_Howe", "Asia/Kathmandu"]
        for _ in 0..<60 {
            let zone = zones.randomElement(using: &generator)!
            let (start, end) = (
                Int.random(in: 0..<1_440, using: &generator), Int.random(in: 0..<1_440, using: &generator)
            )
            guard let quiet = QuietHours(start: start, end: end, timeZone: zone), let local = LocalZone(zone) else {
                continue
            }
            let around = try Self.instant(
                ["2026-03-29T01:00:00Z", "2026-10-25T01:00:00Z", "2026-04-04T15:00:00Z"].randomElement(
                    using: &generator)!)
            let now = around + Int64.random(in: -720...720, using: &generator) * 60_000
            func isQuiet(_ instant: Int64) -> Bool {
                let minute = local.minuteOfDay(at: instant)
                return start < end ? minute >= start && minute < end : minute >= start || minute < end
            }
            var expected: Int64?
            if isQuiet(now) {
                var instant = now
                while isQuiet(instant) { instant += 60_000 }
                expected = instant
            }
            #expect(quiet.end(at: now) == expected, "\(start)-\(end) \(zone) at \(now)")
        }
    }
}
