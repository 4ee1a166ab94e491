// Written by tools/generate-client from docs/openapi.yaml. Change these, not this file.

import Foundation

/// Push messages: devices, webhooks and reminders.
public struct PushAPI: Sendable {
    let client: GraphdClient

    /// List the caller's devices, newest first.
    public func listDevices() async throws -> DeviceList {
        try await client.value(Call(.get, ["v1", "me", "devices"]))
    }

    /// Register a device for push messages.
    ///
    /// Idempotent. A token belongs to the user who registered it last. It is removed when Firebase reports that it
    /// no longer exists.
    ///
    /// - Parameter token: The FCM registration token of an app installation, percent-encoded in paths.
    /// - Throws: `APIError` with one of these codes, or one that any request may get: `bodyTooLarge`,
    ///   `invalidValue`, `tooLong`.
    public func registerDevice(token: String, _ body: NewDevice) async throws {
        try await client.perform(Call(.put, ["v1", "me", "devices", token], body: .json(body)))
    }

    /// Unregister a device.
    ///
    /// Idempotent.
    ///
    /// - Parameter token: The FCM registration token of an app installation, percent-encoded in paths.
    /// - Throws: `APIError` with one of these codes, or one that any request may get: `invalidValue`.
    public func removeDevice(token: String) async throws {
        try await client.perform(Call(.delete, ["v1", "me", "devices", token]))
    }

    /// Get the caller's push settings.
    public func pushSettings() async throws -> PushSettings {
        try await client.value(Call(.get, ["v1", "me", "push-settings"]))
    }

    /// Set the caller's push settings.
    ///
    /// Omitted fields get their defaults: no opt-outs, no quiet hours and no topic. Quiet hours delay push messages
    /// until they end; those that accumulate are sent as one.
    ///
    /// - Throws: `APIError` with one of these codes, or one that any request may get: `bodyTooLarge`,
    ///   `invalidValue`, `tooMany`, `tooLong`.
    @discardableResult
    public func setPushSettings(_ body: PushSettingsChange) async throws -> PushSettings {
        try await client.value(Call(.put, ["v1", "me", "push-settings"], body: .json(body)))
    }

    /// List the caller's reminders.
    public func listReminders() async throws -> ReminderList {
        try await client.value(Call(.get, ["v1", "me", "reminders"]))
    }

    /// Set the caller's reminders.
    ///
    /// Replaces the former list. Each reminder is sent once, at its time of day in its time zone; one that is more
    /// than an hour late is skipped. A time that the clock skips is sent when the clock skips it, and one that
    /// occurs twice is sent the first time.
    ///
    /// - Throws: `APIError` with one of these codes, or one that any request may get: `bodyTooLarge`,
    ///   `invalidValue`, `tooMany`, `tooLong`.
    @discardableResult
    public func setReminders(_ body: RemindersChange) async throws -> ReminderList {
        try await client.value(Call(.put, ["v1", "me", "reminders"], body: .json(body)))
    }

    /// List the caller's webhooks, newest first.
    public func listWebhooks() async throws -> WebhookList {
        try await client.value(Call(.get, ["v1", "me", "webhooks"]))
    }

    /// Create a webhook for the caller's notifications.
    ///
    /// Messages are sent with `POST` as JSON, {type, timestamp, data}, and signed by Standard Webhooks 1.0:
    /// `webhook-id` (the same for each attempt), `webhook-timestamp` (seconds) and `webhook-signature` (`v1,` and
    /// the Base64 of HMAC-SHA256 over `id.timestamp.body`). Any 2xx accepts a message, and 410 disables the
    /// webhook. After any other answer the message is sent again, 10 times in about a day, and then listed under
    /// `deliveries`. Redirects are not followed. The host must have only addresses on the public internet, now and
    /// at each attempt. The secret is returned only in this answer.
    ///
    /// - Parameter idempotencyKey: A name for this act, so that a request with the same key has no second effect.
    ///   Without one, the client draws a key for the call and its repetitions.
    /// - Throws: `APIError` with one of these codes, or one that any request may get: `forbidden`, `limitReached`,
    ///   `bodyTooLarge`, `invalidUrl`, `invalidValue`, `tooMany`, `tooLong`, `idempotencyKeyReused`.
    @discardableResult
    public func addWebhook(_ body: NewWebhook, idempotencyKey: String? = nil) async throws -> NewWebhookAnswer {
        try await client.value(
            Call(.post, ["v1", "me", "webhooks"], repetition: .withKey(idempotencyKey), body: .json(body)))
    }

    /// Delete a webhook and its queued messages.
    ///
    /// - Parameter webhookId: The webhook's id.
    /// - Throws: `APIError` with one of these codes, or one that any request may get: `notFound`.
    public func removeWebhook(webhookId: String) async throws {
        try await client.perform(Call(.delete, ["v1", "me", "webhooks", webhookId]))
    }

    /// List dead letters of a webhook, newest first.
    ///
    /// The last 100 messages that failed after all attempts, kept for 7 days, unless the operator sets another
    /// time.
    ///
    /// - Parameters:
    ///   - webhookId: The webhook's id.
    ///   - limit: The maximum number of items.
    ///   - cursor: The `nextCursor` of the page before. Omit it for the first page.
    /// - Throws: `APIError` with one of these codes, or one that any request may get: `invalidLimit`,
    ///   `invalidCursor`, `notFound`.
    public func listDeliveries(webhookId: String, limit: Int? = nil, cursor: String? = nil) async throws -> DeliveryPage
    {
        try await client.value(
            Call(
                .get, ["v1", "me", "webhooks", webhookId, "deliveries"],
                query: [.init("limit", limit?.queryText), .init("cursor", cursor?.queryText)]))
    }

    /// Every item of `listDeliveries`, read page by page as a loop asks for them.
    public func allDeliveries(webhookId: String, pageSize: Int? = nil) -> PagedSequence<WebhookDelivery> {
        PagedSequence {
            let page = try await self.listDeliveries(webhookId: webhookId, limit: pageSize, cursor: $0)
            return Page(items: page.items, nextCursor: page.nextCursor)
        }
    }

    /// Send a dead letter again.
    ///
    /// - Parameters:
    ///   - webhookId: The webhook's id.
    ///   - deliveryId: The delivery's id.
    /// - Throws: `APIError` with one of these codes, or one that any request may get: `notFound`.
    public func retryDelivery(webhookId: String, deliveryId: String) async throws {
        try await client.perform(Call(.post, ["v1", "me", "webhooks", webhookId, "deliveries", deliveryId, "retry"]))
    }

    /// List the webhooks of the app, oldest first.
    ///
    /// For admins of the site. `lastEventId` is the position of a webhook among the events; `attempts` counts the
    /// failed attempts to send the next one.
    ///
    /// - Throws: `APIError` with one of these codes, or one that any request may get: `forbidden`.
    public func listAppWebhooks() async throws -> AppWebhookList {
        try await client.value(Call(.get, ["v1", "admin", "webhooks"]))
    }

    /// Create a webhook for the events of the whole app.
    ///
    /// For admins of the site. The webhook receives every new post, user, report and upload from now on, and the
    /// end of each examination of a video (`media.ready`), or only the kinds in `events`, in the order of
    /// `eventId`. More kinds will follow; ignore unknown ones. Messages are sent with `POST` as JSON, {type,
    /// eventId, timestamp, data}, and signed like those of users' webhooks; `webhook-id` is the same for each
    /// attempt and replay. `data` has the id of the subject and its public fields as they are when the message is
    /// sent, or null if it is gone or hidden. Followers-only posts are included; email addresses are not. A message
    /// that fails 10 times in about a day is listed under `deliveries`, and the next one follows. Events are kept
    /// for 7 days, unless the operator sets another time. A `secret` is `whsec_` and the Base64 of 24 to 64 bytes;
    /// the answer alone shows it.
    ///
    /// - Parameter idempotencyKey: A name for this act, so that a request with the same key has no second effect.
    ///   Without one, the client draws a key for the call and its repetitions.
    /// - Throws: `APIError` with one of these codes, or one that any request may get: `forbidden`, `limitReached`,
    ///   `bodyTooLarge`, `invalidUrl`, `invalidValue`, `tooMany`, `tooLong`.
    @discardableResult
    public func addAppWebhook(_ body: NewAppWebhook, idempotencyKey: String? = nil) async throws -> NewAppWebhookAnswer
    {
        try await client.value(
            Call(.post, ["v1", "admin", "webhooks"], repetition: .withKey(idempotencyKey), body: .json(body)))
    }

    /// Change, pause or resume an app webhook.
    ///
    /// For admins of the site. While `paused` is true nothing is sent, and events wait as long as they are kept.
    /// False resumes, also after the endpoint has answered 410. Every change ends the pause after a failed attempt.
    ///
    /// - Parameter webhookId: The webhook's id.
    /// - Throws: `APIError` with one of these codes, or one that any request may get: `forbidden`, `notFound`,
    ///   `bodyTooLarge`, `invalidUrl`, `invalidValue`, `tooMany`, `tooLong`.
    @discardableResult
    public func changeAppWebhook(webhookId: String, _ body: AppWebhookChange) async throws -> AppWebhook {
        try await client.value(Call(.patch, ["v1", "admin", "webhooks", webhookId], body: .json(body)))
    }

    /// Delete an app webhook and its failed deliveries.
    ///
    /// For admins of the site.
    ///
    /// - Parameter webhookId: The webhook's id.
    /// - Throws: `APIError` with one of these codes, or one that any request may get: `forbidden`, `notFound`.
    public func removeAppWebhook(webhookId: String) async throws {
        try await client.perform(Call(.delete, ["v1", "admin", "webhooks", webhookId]))
    }

    /// List failed deliveries of an app webhook, newest first.
    ///
    /// For admins of the site. The last 100 events that failed after all attempts, kept for 7 days, unless the
    /// operator sets another time. `failedAt` is null while one is sent again.
    ///
    /// - Parameters:
    ///   - webhookId: The webhook's id.
    ///   - limit: The maximum number of items.
    ///   - cursor: The `nextCursor` of the page before. Omit it for the first page.
    /// - Throws: `APIError` with one of these codes, or one that any request may get: `invalidLimit`,
    ///   `invalidCursor`, `forbidden`, `notFound`.
    public func listAppDeliveries(webhookId: String, limit: Int? = nil, cursor: String? = nil) async throws
        -> AppDeliveryPage
    {
        try await client.value(
            Call(
                .get, ["v1", "admin", "webhooks", webhookId, "deliveries"],
                query: [.init("limit", limit?.queryText), .init("cursor", cursor?.queryText)]))
    }

    /// Every item of `listAppDeliveries`, read page by page as a loop asks for them.
    public func allAppDeliveries(webhookId: String, pageSize: Int? = nil) -> PagedSequence<AppDelivery> {
        PagedSequence {
            let page = try await self.listAppDeliveries(webhookId: webhookId, limit: pageSize, cursor: $0)
            return Page(items: page.items, nextCursor: page.nextCursor)
        }
    }

    /// Send a failed delivery again.
    ///
    /// For admins of the site.
    ///
    /// - Parameters:
    ///   - webhookId: The webhook's id.
    ///   - deliveryId: The delivery's id.
    /// - Throws: `APIError` with one of these codes, or one that any request may get: `forbidden`, `notFound`.
    public func retryAppDelivery(webhookId: String, deliveryId: String) async throws {
        try await client.perform(
            Call(.post, ["v1", "admin", "webhooks", webhookId, "deliveries", deliveryId, "retry"]))
    }

    /// Send past events to an app webhook again.
    ///
    /// For admins of the site. Sends the events since a time, or after an event, again, in order and with the same
    /// `webhook-id`; new events follow them. Give one of the two. Reaches back as far as events are kept: 7 days,
    /// unless the operator sets another time.
    ///
    /// - Parameter webhookId: The webhook's id.
    /// - Throws: `APIError` with one of these codes, or one that any request may get: `forbidden`, `notFound`,
    ///   `bodyTooLarge`, `invalidValue`.
    @discardableResult
    public func replayAppEvents(webhookId: String, _ body: AppReplay) async throws -> AppWebhook {
        try await client.value(Call(.post, ["v1", "admin", "webhooks", webhookId, "replay"], body: .json(body)))
    }
}
