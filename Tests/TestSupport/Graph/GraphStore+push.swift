import Database
import Push
import SocialGraph

extension GraphStore {
    /// Adds a device, a webhook, settings and a reminder.
    package func reachByEveryChannel(_ user: UserID) async throws {
        try await devices.registerDevice("token-\(user.rawValue)", platform: .android, app: nil, of: user)
        _ = try await webhooks.addWebhook(
            "https://h.example/", kinds: Set(PushKind.allCases), secret: [1], of: user)
        let quiet = QuietHours(start: 60, end: 120, timeZone: "UTC")
        try await pushSettings.setPushSettings(PushSettings(usesTopic: true, quietHours: quiet), of: user)
        let reminder = Reminder(
            kind: .newRoutines, minute: 0, weekdays: Set(Reminder.Weekday.allCases), timeZone: "UTC")
        try await pushSettings.setReminders([reminder].compactMap(\.self), of: user)
    }

    /// Plans all due events, with arbitrary texts. Returns them.
    @discardableResult
    package func tellAll(at now: Int64, about post: PostID? = nil) async throws -> [PushEvent] {
        let events = try await pushEvents.duePushes(at: now, limit: 1_000)
        try await pushEvents.apply(events.map { ($0, .tell(payload: "{}", post: post)) })
        return events
    }
}
