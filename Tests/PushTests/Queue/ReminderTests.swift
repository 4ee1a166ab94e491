import Database
import Foundation
import TestSupport
import Testing

@testable import Push
@testable import SocialGraph

@Suite(.timeLimit(.unit))
struct ReminderTests {
    private static let everyDay = Set(Reminder.Weekday.allCases)

    private static func reminder(
        _ minute: Int, _ zone: String, _ weekdays: Set<Reminder.Weekday> = everyDay,
        _ kind: Reminder.Kind = .newRoutines
    ) throws -> Reminder {
        try #require(Reminder(kind: kind, minute: minute, weekdays: weekdays, timeZone: zone))
    }

    @Test(arguments: [
        (8 * 60, "UTC", [Reminder.Weekday](), "2026-06-01T07:59:59Z", "2026-06-01T08:00:00Z"),
        (8 * 60, "UTC", [], "2026-06-01T08:00:00Z", "2026-06-02T08:00:00Z"),
        // 1 June 2026 is a Monday.
        (8 * 60, "UTC", [.monday], "2026-06-01T08:00:00Z", "2026-06-08T08:00:00Z"),
        (8 * 60, "UTC", [.sunday, .wednesday], "2026-06-01T08:00:00Z", "2026-06-03T08:00:00Z"),
        // Weekdays are those of the time zone.
        (30, "Asia/Tokyo", [.tuesday], "2026-06-01T00:00:00Z", "2026-06-01T15:30:00Z"),
        (23 * 60, "America/Los_Angeles", [.sunday], "2026-06-01T00:00:00Z", "2026-06-01T06:00:00Z"),
        // The local time stays the same in summer and winter.
        (8 * 60, "Europe/Berlin", [], "2026-03-28T07:00:00Z", "2026-03-29T06:00:00Z"),
        (8 * 60, "Europe/Berlin", [], "2026-10-24T06:00:00Z", "2026-10-25T07:00:00Z"),
        // A time that the clock skips fires at the skip. A time that occurs twice fires the first time only.
        (2 * 60 + 30, "Europe/Berlin", [], "2026-03-28T12:00:00Z", "2026-03-29T01:00:00Z"),
        (2 * 60 + 30, "Europe/Berlin", [], "2026-10-24T12:00:00Z", "2026-10-25T00:30:00Z"),
        (2 * 60 + 30, "Europe/Berlin", [], "2026-10-25T00:30:00Z", "2026-10-26T01:30:00Z"),
        // This midnight does not exist.
        (0, "America/Santiago", [], "2026-09-05T12:00:00Z", "2026-09-06T04:00:00Z"),
    ])
    func `a reminder is due at the time of its place`(
        minute: Int, zone: String, weekdays: [Reminder.Weekday], after: String, next: String
    ) throws {
        let reminder = try Self.reminder(minute, zone, weekdays.isEmpty ? Self.everyDay : Set(weekdays))
        #expect(try reminder.next(after: QuietHoursTests.instant(after)) == QuietHoursTests.instant(next))
    }

    @Test
    func `each occurrence is told once, late ones within an hour, and no older ones`() async throws {
        let clock = AdjustableClock(try QuietHoursTests.instant("2026-06-01T07:00:00Z"))
        try await withGraph(clock: clock) { fixture in
            let (graph, ann) = (fixture.graph, try await fixture.user("ann"))
            try await graph.devices.registerDevice("t", platform: .ios, app: nil, of: ann)
            let reminders = [
                try Self.reminder(8 * 60, "UTC"), try Self.reminder(9 * 60, "UTC", Self.everyDay, .trendingDiscussions),
            ]
            try await graph.pushSettings.setReminders(reminders, of: ann)
            #expect(try await graph.pushSettings.reminders(of: ann) == reminders)
            #expect(try await !graph.pushSettings.fireReminders(limit: 10))
            clock.advance(by: Milliseconds.hour)
            #expect(try await graph.pushSettings.fireReminders(limit: 10))
            // Another run of the server finds no due reminder.
            let again = try fixture.another()
            #expect(try await !again.graph.pushSettings.fireReminders(limit: 10))
            try again.database.close()
            #expect(try await graph.tellAll(at: clock.now).map(\.kind) == [.reminder])
            // The server is down until an hour and a minute after nine, which is too late.
            clock.advance(by: 2 * Milliseconds.hour + Milliseconds.minute)
            #expect(try await graph.pushSettings.fireReminders(limit: 10))
            #expect(try await graph.tellAll(at: clock.now) == [])
            // Fifty-nine minutes late on the next day, the reminder is sent.
            clock.advance(by: 22 * Milliseconds.hour + 58 * Milliseconds.minute)
            #expect(try await graph.pushSettings.fireReminders(limit: 10))
            #expect(try await graph.tellAll(at: clock.now).map(\.kind) == [.reminder])
        }
    }

    @Test
    func `more reminders than are possible are refused, and none are lost`() async throws {
        try await withGraph { fixture in
            let (graph, ann) = (fixture.graph, try await fixture.user("ann"))
            let one = try Self.reminder(1, "UTC")
            try await graph.pushSettings.setReminders([one], of: ann)
            await #expect(throws: GraphError.self) {
                try await graph.pushSettings.setReminders(Array(repeating: one, count: 11), of: ann)
            }
            #expect(try await graph.pushSettings.reminders(of: ann) == [one])
            try await graph.pushSettings.setReminders([], of: ann)
            #expect(try await graph.pushSettings.reminders(of: ann) == [])
        }
    }
}
