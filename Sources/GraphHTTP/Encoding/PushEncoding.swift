import GraphAPI
import GraphServices
import Push
import SocialGraph

extension JSONWriter {
    mutating func device(_ device: Device) {
        beginObject()
        member("token", device.token)
        member("platform", device.platform.rawValue)
        member("app", device.app)
        member("createdAt", time: device.createdAt)
        endObject()
    }

    mutating func pushSettings(_ settings: PushSettings) {
        beginObject()
        key("optOut")
        kinds(settings.refused)
        member("topic", settings.usesTopic)
        key("quietHours")
        if let quiet = settings.quietHours {
            beginObject()
            key("start")
            timeOfDay(quiet.start)
            key("end")
            timeOfDay(quiet.end)
            member("timeZone", quiet.timeZone)
            endObject()
        } else {
            null()
        }
        endObject()
    }

    mutating func reminder(_ reminder: Reminder) {
        beginObject()
        member("kind", reminder.kind.rawValue)
        key("time")
        timeOfDay(reminder.minute)
        member("weekdays", listing: reminder.weekdays) { $0.string($1.rawValue) }
        member("timeZone", reminder.timeZone)
        endObject()
    }

    mutating func webhook(_ webhook: Webhook, showingSecret: Bool = false) {
        beginObject()
        member("webhookId", id: webhook.id)
        member("url", webhook.url)
        key("events")
        kinds(webhook.kinds)
        member("createdAt", time: webhook.createdAt)
        key("disabledAt")
        if let disabled = webhook.disabledAt { timestamp(milliseconds: disabled) } else { null() }
        if showingSecret {
            member("secret", WebhookSignature.text(of: webhook.secret))
        }
        endObject()
    }

    /// A dead letter; what is hidden from its owner has an empty payload.
    mutating func deadLetter(_ shown: ShownDeadLetter) {
        let letter = shown.letter
        beginObject()
        member("deliveryId", id: letter.id)
        member("messageId", WebhookSender.messageID(letter.message))
        member("event", letter.kind.rawValue)
        member("attempts", letter.attempts)
        key("status")
        if let status = letter.status { integer(status) } else { null() }
        member("failure", letter.failure)
        member("createdAt", time: letter.createdAt)
        member("failedAt", time: letter.failedAt)
        member("payload", raw: Array((shown.payload ?? "{}").utf8))
        endObject()
    }

    /// The kinds in the order of their declaration.
    private mutating func kinds(_ kinds: Set<PushKind>) {
        beginArray()
        for kind in PushKind.allCases where kinds.contains(kind) { string(kind.rawValue) }
        endArray()
    }

    /// `HH:MM`
    private mutating func timeOfDay(_ minute: Int) {
        func twoDigits(_ number: Int) -> String { number < 10 ? "0\(number)" : "\(number)" }
        string("\(twoDigits(minute / 60)):\(twoDigits(minute % 60))")
    }
}
