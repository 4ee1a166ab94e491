import Database
import GraphAPI
import GraphServices
import Hummingbird
import Push
import SocialGraph

/// Webhooks that receive the caller's notifications.
struct WebhookRoutes: Sendable {
    let graph: GraphStore
    let letters: DeadLetterReader
    /// The guard of webhook addresses; nil if this server sends none.
    let addresses: AddressGuard?

    /// `POST /v1/me/webhooks` {url, events?} → 201 with the webhook and its secret, which is shown only once; without
    /// `events`: all
    @Sendable func add(_ request: Request, _ context: GraphRequestContext) async throws -> Response {
        try request.refuseQuery()
        let caller = try context.requireCaller()
        var body = try StrictObject(await request.bodyBytes())
        let text = try body.url("url")
        let kinds = try body.choices("events", of: PushKind.allCases) ?? Set(PushKind.allCases)
        try body.end()
        guard let addresses else {
            throw Problem(.forbidden, "This server sends no webhooks; its operator can enable them with --webhooks.")
        }
        guard !kinds.isEmpty else { throw Problem(.invalidValue, "\"events\" must not be empty.", field: "events") }
        let url = try await addresses.accepted(text, field: "url", for: caller)
        return try await context.creating {
            try await graph.webhooks.addWebhook(
                url.text, kinds: kinds, secret: WebhookSignature.newSecret(), of: caller)
        } answer: { webhook in
            .json(.created) { $0.webhook(webhook, showingSecret: true) }
        }
    }

    /// `GET /v1/me/webhooks` → {items: [{webhookId, url, events, createdAt, disabledAt}]}, all of them, the latest
    /// first
    @Sendable func webhooks(_ request: Request, _ context: GraphRequestContext) async throws -> Response {
        try request.refuseQuery()
        let webhooks = try await graph.webhooks.webhooks(of: context.requireCaller())
        return .json { json in json.items(webhooks) { $0.webhook($1) } }
    }

    /// `DELETE /v1/me/webhooks/{id}` → 204
    @Sendable func remove(_ request: Request, _ context: GraphRequestContext) async throws -> Response {
        try request.refuseQuery()
        guard let id = context.webhookID, try await graph.webhooks.removeWebhook(id, of: context.requireCaller()) else {
            throw Self.noWebhook
        }
        return .noContent
    }

    /// `GET /v1/me/webhooks/{id}/deliveries` → {items, nextCursor}: its failed deliveries, the latest first, each with
    /// its payload as it would be sent now, which is empty if its subject is hidden from the caller
    @Sendable func deliveries(_ request: Request, _ context: GraphRequestContext) async throws -> Response {
        let (limit, cursor) = try request.paging()
        let caller = try context.requireCaller()
        guard let id = context.webhookID,
            let page = try await letters.page(of: id, caller, below: cursor, limit: limit)
        else { throw Self.noWebhook }
        return .json { json in json.page(page.items, next: page.next) { $0.deadLetter($1) } }
    }

    /// `POST /v1/me/webhooks/{id}/deliveries/{deliveryId}/retry` → 204; restarts the delivery with its first attempt
    @Sendable func retry(_ request: Request, _ context: GraphRequestContext) async throws -> Response {
        try request.refuseQuery()
        let caller = try context.requireCaller()
        guard let id = context.webhookID,
            let delivery = context.parameters.get("deliveryId").flatMap({ TextRules.parseID($0) }),
            try await graph.webhooks.retryDeadLetter(delivery, of: id, caller)
        else { throw Problem(.notFound, "There is no such delivery, or its webhook is disabled.") }
        return .noContent
    }

    private static let noWebhook = Problem(.notFound, "There is no such webhook.")
}

extension AddressGuard {
    /// Parses a URL from `caller` that may be called. Throws `Problem` 422 `invalid_url`, and 503 `busy` if too many
    /// names wait to be resolved.
    package func accepted(_ text: String, field: String, for caller: UserID) async throws -> WebhookURL {
        guard let url = WebhookURL(text) else {
            let right =
                "without user information; its host must be an IP address or a name of letters, digits and hyphens"
            throw Problem(.invalidURL, "\"\(field)\" must be an http or https URL \(right).", field: field)
        }
        do {
            _ = try await address(of: url, for: .user(caller.rawValue))
        } catch let refusal as AddressGuard.Refusal {
            throw Problem(.invalidURL, "\"\(field)\" cannot be used: \(refusal).", field: field)
        }
        return url
    }
}

extension GraphRequestContext {
    /// The id in the path; nil for a text that is not an id and names no webhook.
    fileprivate var webhookID: Int64? { parameters.get("id").flatMap { TextRules.parseID($0) } }
}
