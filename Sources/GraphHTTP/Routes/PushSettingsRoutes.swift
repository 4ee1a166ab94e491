import GraphAPI
import GraphServices
import Hummingbird
import Push
import SocialGraph
import Text

/// The caller's settings for notifications on devices.
struct PushSettingsRoutes: Sendable {
    let graph: GraphStore

    /// `GET /v1/me/push-settings` → {optOut, topic, quietHours}
    @Sendable func settings(_ request: Request, _ context: GraphRequestContext) async throws -> Response {
        try request.refuseQuery()
        let settings = try await graph.pushSettings.pushSettings(of: context.requireCaller())
        return .json { $0.pushSettings(settings) }
    }

    /// `PUT /v1/me/push-settings` {optOut?, topic?, quietHours?} → the settings; absent fields are reset to their
    /// defaults
    @Sendable func setSettings(_ request: Request, _ context: GraphRequestContext) async throws -> Response {
        try request.refuseQuery()
        let caller = try context.requireCaller()
        var body = try StrictObject(await request.bodyBytes())
        let refused = try body.choices("optOut", of: PushKind.allCases) ?? []
        let usesTopic = try body.optionalBool("topic") ?? false
        let quietHours = try body.optionalQuietHours("quietHours")
        try body.end()
        let settings = PushSettings(refused: refused, usesTopic: usesTopic, quietHours: quietHours)
        try await graph.pushSettings.setPushSettings(settings, of: caller)
        return .json { $0.pushSettings(settings) }
    }

    /// `GET /v1/me/reminders` → {items: [{kind, time, weekdays, timeZone}]}
    @Sendable func reminders(_ request: Request, _ context: GraphRequestContext) async throws -> Response {
        try request.refuseQuery()
        let reminders = try await graph.pushSettings.reminders(of: context.requireCaller())
        return .json { json in json.items(reminders) { $0.reminder($1) } }
    }

    /// `PUT /v1/me/reminders` {items: [{kind, time, weekdays?, timeZone}]} → the reminders, which replace the earlier
    /// ones; without `weekdays`: every day
    @Sendable func setReminders(_ request: Request, _ context: GraphRequestContext) async throws -> Response {
        try request.refuseQuery()
        let caller = try context.requireCaller()
        var body = try StrictObject(await request.bodyBytes())
        let reminders = try body.objects("items", maxCount: PushLimits.remindersPerUser) {
            try $0.reminder()
        }
        try body.end()
        try await graph.pushSettings.setReminders(reminders, of: caller)
        return .json { json in json.items(reminders) { $0.reminder($1) } }
    }
}

extension StrictObject {
    /// {start, end, timeZone}
    fileprivate mutating func optionalQuietHours(_ name: String) throws -> QuietHours? {
        guard var hours = try optionalObject(name) else { return nil }
        let (start, end) = (try hours.timeOfDay("start"), try hours.timeOfDay("end"))
        let zone = try hours.string("timeZone", maxLength: RequestLimits.timeZoneLength)
        try hours.end()
        guard start != end else {
            throw Problem(.invalidValue, "\"\(name)\" must not start and end at the same time.", field: name)
        }
        guard let quiet = QuietHours(start: start, end: end, timeZone: zone) else { throw Self.unknownZone(zone) }
        return quiet
    }

    fileprivate mutating func reminder() throws -> Reminder {
        let kind = try choice("kind", of: Reminder.Kind.allCases)
        let minute = try timeOfDay("time")
        let weekdays = try choices("weekdays", of: Reminder.Weekday.allCases) ?? Set(Reminder.Weekday.allCases)
        let zone = try string("timeZone", maxLength: RequestLimits.timeZoneLength)
        guard !weekdays.isEmpty else {
            throw Problem(.invalidValue, "\"weekdays\" must not be empty.", field: "weekdays")
        }
        guard let reminder = Reminder(kind: kind, minute: minute, weekdays: weekdays, timeZone: zone) else {
            throw Self.unknownZone(zone)
        }
        return reminder
    }

    /// Reads `HH:MM`, as minutes since midnight.
    private mutating func timeOfDay(_ name: String) throws -> Int {
        let text = try string(name, maxLength: 16)
        let parts = text.utf8.split(separator: UInt8(ascii: ":"), omittingEmptySubsequences: false)
        let isPlain = parts.count == 2 && parts.allSatisfy { $0.count == 2 && $0.allSatisfy { (0x30...0x39) ~= $0 } }
        guard isPlain, let hour = Int(String(parts[0]) ?? ""), let minute = Int(String(parts[1]) ?? ""), hour < 24,
            minute < 60
        else {
            throw Problem(.invalidValue, "\"\(name)\" must be a time from 00:00 to 23:59.", field: name)
        }
        return hour * 60 + minute
    }

    private static func unknownZone(_ zone: String) -> Problem {
        Problem(
            .invalidValue,
            "\"timeZone\" must be a time zone of the IANA database, such as Europe/Berlin; got \"\(zone.echoed)\".",
            field: "timeZone")
    }
}
