// Written by tools/generate-client from docs/openapi.yaml. Change these, not this file.

import Foundation

public struct AppDelivery: Codable, Hashable, Sendable {
    public var deliveryId: String
    public var messageId: String
    public var event: AppEventKind
    public var subjectId: String
    public var attempts: Int
    public var status: Int?
    public var failure: String
    public var createdAt: Date
    public var failedAt: Date?

    public init(
        deliveryId: String, messageId: String, event: AppEventKind, subjectId: String, attempts: Int, failure: String,
        createdAt: Date, status: Int? = nil, failedAt: Date? = nil
    ) {
        self.deliveryId = deliveryId
        self.messageId = messageId
        self.event = event
        self.subjectId = subjectId
        self.attempts = attempts
        self.status = status
        self.failure = failure
        self.createdAt = createdAt
        self.failedAt = failedAt
    }
}

public struct AppDeliveryPage: Codable, Hashable, Sendable {
    public var items: [AppDelivery]
    public var nextCursor: String?

    public init(items: [AppDelivery], nextCursor: String? = nil) {
        self.items = items
        self.nextCursor = nextCursor
    }
}

/// More kinds will follow; a receiver ignores those that it does not know.
public struct AppEventKind: OpenEnumeration {
    public let rawValue: String

    public init(rawValue: String) { self.rawValue = rawValue }

    public static let postCreated = Self(rawValue: "post.created")
    public static let userCreated = Self(rawValue: "user.created")
    public static let reportCreated = Self(rawValue: "report.created")
    public static let uploadCreated = Self(rawValue: "upload.created")
    public static let mediaReady = Self(rawValue: "media.ready")

    /// The values that this version of the client knows.
    public static let known: [Self] = [.postCreated, .userCreated, .reportCreated, .uploadCreated, .mediaReady]
}

public struct AppReplay: Codable, Hashable, Sendable {
    public var since: Date?
    public var afterEventId: String?

    public init(since: Date? = nil, afterEventId: String? = nil) {
        self.since = since
        self.afterEventId = afterEventId
    }
}

public struct AppWebhook: Codable, Hashable, Sendable {
    public var webhookId: String
    public var url: String
    public var events: [AppEventKind]
    public var createdAt: Date
    public var pausedAt: Date?
    public var disabledAt: Date?
    public var lastEventId: String
    public var attempts: Int
    public var nextAttemptAt: Date?
    public var failure: String?

    public init(
        webhookId: String, url: String, events: [AppEventKind], createdAt: Date, lastEventId: String, attempts: Int,
        pausedAt: Date? = nil, disabledAt: Date? = nil, nextAttemptAt: Date? = nil, failure: String? = nil
    ) {
        self.webhookId = webhookId
        self.url = url
        self.events = events
        self.createdAt = createdAt
        self.pausedAt = pausedAt
        self.disabledAt = disabledAt
        self.lastEventId = lastEventId
        self.attempts = attempts
        self.nextAttemptAt = nextAttemptAt
        self.failure = failure
    }
}

public struct AppWebhookChange: Codable, Hashable, Sendable {
    public var url: String?
    public var events: [AppEventKind]?
    /// `whsec_` and the Base64 of 24 to 64 bytes.
    public var secret: String?
    public var paused: Bool?

    public init(url: String? = nil, events: [AppEventKind]? = nil, secret: String? = nil, paused: Bool? = nil) {
        self.url = url
        self.events = events
        self.secret = secret
        self.paused = paused
    }
}

public struct AppWebhookList: Codable, Hashable, Sendable {
    public var items: [AppWebhook]

    public init(items: [AppWebhook]) {
        self.items = items
    }
}

public struct DeliveryPage: Codable, Hashable, Sendable {
    public var items: [WebhookDelivery]
    public var nextCursor: String?

    public init(items: [WebhookDelivery], nextCursor: String? = nil) {
        self.items = items
        self.nextCursor = nextCursor
    }
}

public struct DeviceList: Codable, Hashable, Sendable {
    public var items: [Device]

    public init(items: [Device]) {
        self.items = items
    }
}

public struct NewAppWebhook: Codable, Hashable, Sendable {
    public var url: String
    public var events: [AppEventKind]?
    /// `whsec_` and the Base64 of 24 to 64 bytes.
    public var secret: String?

    public init(url: String, events: [AppEventKind]? = nil, secret: String? = nil) {
        self.url = url
        self.events = events
        self.secret = secret
    }
}

public struct NewAppWebhookAnswer: Codable, Hashable, Sendable {
    public var webhookId: String
    public var url: String
    public var events: [AppEventKind]
    public var createdAt: Date
    public var pausedAt: Date?
    public var disabledAt: Date?
    public var lastEventId: String
    public var attempts: Int
    public var nextAttemptAt: Date?
    public var failure: String?
    public var secret: String

    public init(
        webhookId: String, url: String, events: [AppEventKind], createdAt: Date, lastEventId: String, attempts: Int,
        secret: String, pausedAt: Date? = nil, disabledAt: Date? = nil, nextAttemptAt: Date? = nil,
        failure: String? = nil
    ) {
        self.webhookId = webhookId
        self.url = url
        self.events = events
        self.createdAt = createdAt
        self.pausedAt = pausedAt
        self.disabledAt = disabledAt
        self.lastEventId = lastEventId
        self.attempts = attempts
        self.nextAttemptAt = nextAttemptAt
        self.failure = failure
        self.secret = secret
    }
}

public struct NewDevice: Codable, Hashable, Sendable {
    public var platform: Platform
    public var app: String?

    public init(platform: Platform, app: String? = nil) {
        self.platform = platform
        self.app = app
    }
}

public struct NewWebhook: Codable, Hashable, Sendable {
    public var url: String
    /// The default is all.
    public var events: [PushKind]?

    public init(url: String, events: [PushKind]? = nil) {
        self.url = url
        self.events = events
    }
}

public struct NewWebhookAnswer: Codable, Hashable, Sendable {
    public var webhookId: String
    public var url: String
    public var events: [PushKind]
    public var createdAt: Date
    public var disabledAt: JSONValue?
    public var secret: String

    public init(
        webhookId: String, url: String, events: [PushKind], createdAt: Date, secret: String,
        disabledAt: JSONValue? = nil
    ) {
        self.webhookId = webhookId
        self.url = url
        self.events = events
        self.createdAt = createdAt
        self.disabledAt = disabledAt
        self.secret = secret
    }
}

public struct PushSettingsChange: Codable, Hashable, Sendable {
    public var optOut: [PushKind]?
    public var topic: Bool?
    public var quietHours: QuietHours?

    public init(optOut: [PushKind]? = nil, topic: Bool? = nil, quietHours: QuietHours? = nil) {
        self.optOut = optOut
        self.topic = topic
        self.quietHours = quietHours
    }
}

public struct ReminderChange: Codable, Hashable, Sendable {
    public var kind: ReminderKind
    public var time: String
    /// The default is every day.
    public var weekdays: [Weekdays]?
    public var timeZone: String

    public init(kind: ReminderKind, time: String, timeZone: String, weekdays: [Weekdays]? = nil) {
        self.kind = kind
        self.time = time
        self.weekdays = weekdays
        self.timeZone = timeZone
    }
}

public struct ReminderList: Codable, Hashable, Sendable {
    public var items: [Reminder]

    public init(items: [Reminder]) {
        self.items = items
    }
}

public struct RemindersChange: Codable, Hashable, Sendable {
    public var items: [ReminderChange]

    public init(items: [ReminderChange]) {
        self.items = items
    }
}

public struct WebhookDelivery: Codable, Hashable, Sendable {
    public var deliveryId: String
    /// The `webhook-id` of the message.
    public var messageId: String
    public var event: PushKind
    public var attempts: Int
    /// The status of the last answer, if there was one.
    public var status: Int?
    public var failure: String
    public var createdAt: Date
    public var failedAt: Date
    public var payload: [String: JSONValue]

    public init(
        deliveryId: String, messageId: String, event: PushKind, attempts: Int, failure: String, createdAt: Date,
        failedAt: Date, payload: [String: JSONValue], status: Int? = nil
    ) {
        self.deliveryId = deliveryId
        self.messageId = messageId
        self.event = event
        self.attempts = attempts
        self.status = status
        self.failure = failure
        self.createdAt = createdAt
        self.failedAt = failedAt
        self.payload = payload
    }
}

public struct WebhookList: Codable, Hashable, Sendable {
    public var items: [Webhook]

    public init(items: [Webhook]) {
        self.items = items
    }
}
