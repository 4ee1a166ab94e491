import Database
import GraphAPI
import GraphHTTP
import GraphServices
import Hummingbird
import Logging
import Moderation
import Push
import SocialGraph

/// Webhooks of the whole app, which admins manage.
package struct AppWebhookRoutes: Controller {
    let graph: GraphStore
    /// The guard of webhook addresses; nil if this server sends none.
    let addresses: AddressGuard?

    package init(graph: GraphStore, addresses: AddressGuard?) {
        self.graph = graph
        self.addresses = addresses
    }

    package func addRoutes(to v1: RouterGroup<GraphRequestContext>) {
        v1.post("/admin/webhooks", use: add)
        v1.get("/admin/webhooks", use: webhooks)
        v1.patch("/admin/webhooks/{id}", use: change)
        v1.delete("/admin/webhooks/{id}", use: remove)
        v1.get("/admin/webhooks/{id}/deliveries", use: deliveries)
        v1.post("/admin/webhooks/{id}/deliveries/{deliveryId}/retry", use: retry)
        v1.post("/admin/webhooks/{id}/replay", use: replay)
    }

    /// `POST /v1/admin/webhooks` {url, events?, secret?} → 201 with the webhook and its secret, which is shown only
    /// once; without `events`: all
    @Sendable func add(_ request: Request, _ context: GraphRequestContext) async throws -> Response {
        try request.refuseQuery()
        let caller = try await admin(context)
        var body = try StrictObject(await request.bodyBytes())
        let text = try body.url("url")
        let kinds = try events(in: &body) ?? Set(AppEventKind.allCases)
        let secret = try secret(in: &body) ?? WebhookSignature.newSecret()
        try body.end()
        let url = try await accepted(text, caller)
        return try await context.creating {
            let webhook = try await graph.appWebhooks.add(url, kinds: kinds, secret: secret, by: caller)
            note("an app webhook was added", webhook.id, caller, context)
            return webhook
        } answer: { webhook in
            .json(.created, headers: [.location: "/v1/admin/webhooks/\(webhook.id)"]) {
                $0.appWebhook(webhook, showingSecret: true)
            }
        }
    }

    /// `GET /v1/admin/webhooks` → {items}, all of them, the oldest first
    @Sendable func webhooks(_ request: Request, _ context: GraphRequestContext) async throws -> Response {
        try request.refuseQuery()
        _ = try await admin(context)
        let webhooks = try await graph.appWebhooks.webhooks()
        return .json { json in json.items(webhooks) { $0.appWebhook($1) } }
    }

    /// `PATCH /v1/admin/webhooks/{id}` {url?, events?, secret?, paused?} → the webhook
    @Sendable func change(_ request: Request, _ context: GraphRequestContext) async throws -> Response {
        try request.refuseQuery()
        let caller = try await admin(context)
        var body = try StrictObject(await request.bodyBytes())
        var change = AppWebhookChange()
        let url = try body.optionalURL("url")
        change.kinds = try events(in: &body)
        change.secret = try secret(in: &body)
        change.isPaused = try body.optionalBool("paused")
        try body.end()
        if let url { change.url = try await accepted(url, caller) }
        guard let webhook = try await graph.appWebhooks.change(id(context), change, by: caller) else {
            throw Self.noWebhook
        }
        note("an app webhook was changed", webhook.id, caller, context)
        return .json { $0.appWebhook(webhook) }
    }

    /// `DELETE /v1/admin/webhooks/{id}` → 204
    @Sendable func remove(_ request: Request, _ context: GraphRequestContext) async throws -> Response {
        try request.refuseQuery()
        let caller = try await admin(context)
        let id = try id(context)
        guard try await graph.appWebhooks.remove(id, by: caller) else { throw Self.noWebhook }
        note("an app webhook was removed", id, caller, context)
        return .noContent
    }

    /// `GET /v1/admin/webhooks/{id}/deliveries` → {items, nextCursor}: its failed deliveries, the latest first
    @Sendable func deliveries(_ request: Request, _ context: GraphRequestContext) async throws -> Response {
        let (limit, cursor) = try request.paging()
        _ = try await admin(context)
        guard let page = try await graph.appWebhooks.letters(of: id(context), below: cursor, limit: limit) else {
            throw Self.noWebhook
        }
        return .json { json in json.page(page.items, next: page.next) { $0.appDelivery($1) } }
    }

    /// `POST /v1/admin/webhooks/{id}/deliveries/{deliveryId}/retry` → 204; restarts the delivery with its first attempt
    @Sendable func retry(_ request: Request, _ context: GraphRequestContext) async throws -> Response {
        try request.refuseQuery()
        let caller = try await admin(context)
        guard let delivery = context.parameters.get("deliveryId").flatMap({ TextRules.parseID($0) }),
            try await graph.appWebhooks.retry(delivery, of: id(context), by: caller)
        else { throw Problem(.notFound, "There is no such failed delivery.") }
        return .noContent
    }

    /// `POST /v1/admin/webhooks/{id}/replay` {since} or {afterEventId} → the webhook; sends the events after that time,
    /// or after that event, again
    @Sendable func replay(_ request: Request, _ context: GraphRequestContext) async throws -> Response {
        try request.refuseQuery()
        let caller = try await admin(context)
        var body = try StrictObject(await request.bodyBytes())
        let since = try body.optionalTime("since")
        let event = try body.optionalID("afterEventId")
        try body.end()
        let start: Int64
        switch (since, event) {
        case (let since?, nil): start = IDSequence.first(at: since) - 1
        case (nil, let event?): start = event
        default: throw Problem(.invalidValue, "Give either \"since\" or \"afterEventId\".", field: "since")
        }
        guard let webhook = try await graph.appWebhooks.replay(id(context), after: start, by: caller) else {
            throw Self.noWebhook
        }
        note("events of an app webhook are replayed", webhook.id, caller, context)
        return .json { $0.appWebhook(webhook) }
    }

    // MARK: Parts of requests

    private func admin(_ context: GraphRequestContext) async throws -> UserID {
        let caller = try context.requireCaller()
        guard try await graph.moderation.authority(of: caller).siteRole == .admin else {
            throw Problem(.forbidden, "Only admins of the site may manage app webhooks.")
        }
        return caller
    }

    private func id(_ context: GraphRequestContext) throws -> Int64 {
        guard let id = context.parameters.get("id").flatMap({ TextRules.parseID($0) }) else { throw Self.noWebhook }
        return id
    }

    private func events(in body: inout StrictObject) throws -> Set<AppEventKind>? {
        let kinds = try body.choices("events", of: AppEventKind.allCases)
        guard kinds?.isEmpty != true else {
            throw Problem(.invalidValue, "\"events\" must not be empty.", field: "events")
        }
        return kinds
    }

    /// Reads `whsec_` and Base64, the form in which secrets are shown.
    private func secret(in body: inout StrictObject) throws -> [UInt8]? {
        guard let text = try body.optionalString("secret", maxLength: 128) else { return nil }
        guard let secret = WebhookSignature.secret(in: text), PushLimits.secretLength.contains(secret.count) else {
            let (least, most) = (PushLimits.secretLength.lowerBound, PushLimits.secretLength.upperBound)
            throw Problem(
                .invalidValue, "\"secret\" must be \"whsec_\" and the Base64 of \(least) to \(most) bytes.",
                field: "secret")
        }
        return secret
    }

    /// Returns the URL in its normal form, if it may be called.
    private func accepted(_ text: String, _ caller: UserID) async throws -> String {
        guard let addresses else {
            throw Problem(.forbidden, "This server sends no webhooks; its operator can enable them with --webhooks.")
        }
        return try await addresses.accepted(text, field: "url", for: caller).text
    }

    private func note(
        _ act: Logger.Message, _ webhook: Int64, _ caller: UserID, _ context: GraphRequestContext
    ) {
        context.namedLogger.notice(
            act, metadata: [LogKeys.webhook: "\(webhook)", LogKeys.userID: "\(caller.rawValue)"])
    }

    private static let noWebhook = Problem(.notFound, "There is no such webhook.")
}

extension JSONWriter {
    fileprivate mutating func appWebhook(_ webhook: AppWebhook, showingSecret: Bool = false) {
        beginObject()
        member("webhookId", id: webhook.id)
        member("url", webhook.url)
        member("events", listing: AppEventKind.allCases.filter(webhook.kinds.contains)) { $0.string($1.rawValue) }
        member("createdAt", time: webhook.createdAt)
        member("pausedAt", time: webhook.pausedAt)
        member("disabledAt", time: webhook.disabledAt)
        member("lastEventId", id: webhook.cursor)
        member("attempts", webhook.attempts)
        member("nextAttemptAt", time: webhook.attempts > 0 ? webhook.dueAt : nil)
        member("failure", webhook.failure)
        if showingSecret { member("secret", WebhookSignature.text(of: webhook.secret)) }
        endObject()
    }

    fileprivate mutating func appDelivery(_ letter: AppDeadLetter) {
        beginObject()
        member("deliveryId", id: letter.id)
        member("messageId", AppEventPayload.messageID(letter.event.id))
        member("event", letter.event.kind.rawValue)
        member("subjectId", id: letter.event.subject)
        member("attempts", letter.attempts)
        key("status")
        if let status = letter.status { integer(status) } else { null() }
        member("failure", letter.failure)
        member("createdAt", time: letter.event.createdAt)
        member("failedAt", time: letter.failedAt)
        endObject()
    }
}
