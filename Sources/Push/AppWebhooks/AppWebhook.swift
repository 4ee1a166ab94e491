/// An endpoint of the app's own backend that receives the events of the whole app.
package struct AppWebhook: Sendable, Equatable {
    package let id: Int64
    package let url: String
    package let kinds: Set<AppEventKind>
    /// Key that signs its messages (HMAC-SHA256).
    package let secret: [UInt8]
    /// Times in milliseconds since 1970.
    package let createdAt: Int64
    package let pausedAt: Int64?
    /// Time at which the endpoint answered 410; nothing has been sent to it since.
    package let disabledAt: Int64?
    /// The last event that the endpoint has accepted, or that has become a dead letter.
    package let cursor: Int64
    /// Number of failed attempts to send the next event.
    package let attempts: Int64
    /// Time of the next attempt; 0 without a failed one.
    package let dueAt: Int64
    /// Number of changes by admins; an outcome of an attempt that began before the last one has no effect.
    package let version: Int64
    /// Status and text of the last failure since the last success.
    package let status: Int64?
    package let failure: String?

    package var isActive: Bool { pausedAt == nil && disabledAt == nil }
}

/// A change of an app webhook; nil leaves a part unchanged.
package struct AppWebhookChange: Sendable, Equatable {
    package var url: String?
    package var kinds: Set<AppEventKind>?
    package var secret: [UInt8]?
    /// False also enables an endpoint that has answered 410.
    package var isPaused: Bool?

    package init() {}
}

/// An event that an app webhook has not accepted in any attempt.
package struct AppDeadLetter: Sendable, Equatable {
    package let id: Int64
    package let event: AppEvent
    package let attempts: Int64
    /// Time of the last attempt, in milliseconds since 1970; nil while the letter is sent again.
    package let failedAt: Int64?
    /// Status of the last response; nil without one.
    package let status: Int64?
    package let failure: String
}
