import GraphAPI
import GraphServices
import SocialGraph

extension JSONWriter {
    mutating func device(_ device: Device) {
        beginObject()
        key("token")
        string(device.token)
        key("platform")
        string(device.platform.rawValue)
        key("app")
        string(device.app)
        key("createdAt")
        timestamp(milliseconds: device.createdAt)
        endObject()
    }

    mutating func pushSettings(_ settings: PushSettings) {
        beginObject()
        key("optOut")
        kinds(settings.refused)
        key("topic")
        bool(settings.usesTopic)
        key("quietHours")
        if let quiet = settings.quietHours {
            beginObject()
            key("start")
            timeOfDay(quiet.start)
            key("end")
            timeOfDay(quiet.end)
            key("timeZone")
            string(quiet.timeZone)
            endObject()
        } else {
            null()
        }
        endObject()
    }

    mutating func reminder(_ reminder: Reminder) {
        beginObject()
        key("kind")
        string(reminder.kind.rawValue)
        key("time")
        timeOfDay(reminder.minute)
        key("weekdays")
        beginArray()
        for day in reminder.weekdays { string(day.rawValue) }
        endArray()
        key("timeZone")
        string(reminder.timeZone)
        endObject()
    }

    mutating func webhook(_ webhook: Webhook, showingSecret: Bool = false) {
        beginObject()
        key("webhookId")
        id(webhook.id)
        key("url")
        string(webhook.url)
        key("events")
        kinds(webhook.kinds)
        key("createdAt")
        timestamp(milliseconds: webhook.createdAt)
        key("disabledAt")
        if let disabled = webhook.disabledAt { timestamp(milliseconds: disabled) } else { null() }
        if showingSecret {
            key("secret")
            string(WebhookSignature.text(of: webhook.secret))
        }
        endObject()
    }

    mutating func deadLetter(_ letter: DeadLetter) {
        beginObject()
        key("deliveryId")
        id(letter.id)
        key("messageId")
        string(WebhookSender.messageID(letter.message))
        key("event")
        string(letter.kind.rawValue)
        key("attempts")
        integer(letter.attempts)
        key("status")
        if let status = letter.status { integer(status) } else { null() }
        key("failure")
        string(letter.failure)
        key("createdAt")
        timestamp(milliseconds: letter.createdAt)
        key("failedAt")
        timestamp(milliseconds: letter.failedAt)
        key("payload")
        raw(Array(letter.payload.utf8))
        endObject()
    }

    /// In the order in which they are declared.
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
