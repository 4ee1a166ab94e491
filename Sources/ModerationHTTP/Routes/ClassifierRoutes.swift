import Database
import GraphAPI
import GraphHTTP
import GraphServices
import Hummingbird
import Moderation
import SocialGraph

/// External programs that judge posts and comments; managed by the site's moderators, and a community's owner.
struct ClassifierRoutes: Sendable {
    let graph: GraphStore
    /// The guard of classifier addresses; nil if this server calls none.
    let addresses: AddressGuard?
    let breakers: ClassifierBreakers

    /// `POST /v1/moderation/classifiers` {communityId?, name, url, timeoutMs, fallback, enabled?} → 201 with the
    /// classifier and its secret, which is shown only once
    @Sendable func create(_ request: Request, _ context: GraphRequestContext) async throws -> Response {
        try request.refuseQuery()
        let caller = try context.requireCaller()
        var body = try StrictObject(await request.bodyBytes())
        let community = try body.optionalID("communityId").map(CommunityID.init(rawValue:))
        let name = try body.title("name", maxLength: ModerationLimits.ruleNameLength)
        let url = try body.url("url")
        let timeout = try body.integer("timeoutMs", in: ModerationLimits.classifierTimeout)
        let fallback = try body.choice("fallback", of: ClassifierVerdict.allCases)
        let isEnabled = try body.optionalBool("enabled") ?? true
        try body.end()
        let new = NewClassifier(
            name, url: try await judged(url, caller), secret: WebhookSignature.newSecret(), timeout: timeout,
            fallback: fallback, community: community, isEnabled: isEnabled)
        return try await context.creating {
            try await graph.classifiers.createClassifier(new, by: caller)
        } answer: { classifier in
            let location = "/v1/moderation/classifiers/\(classifier.id.rawValue)"
            return .json(.created, headers: [.location: location]) {
                $0.classifier(classifier, ClassifierBreaker(), showingSecret: true)
            }
        }
    }

    /// `GET /v1/moderation/classifiers` ?communityId → {items, nextCursor}, the oldest first
    @Sendable func classifiers(_ request: Request, _ context: GraphRequestContext) async throws -> Response {
        var query = try QueryParameters(request.uri.query)
        let (limit, cursor, community) = (try query.limit(), try query.cursor(), try query.community())
        try query.end()
        let page = try await graph.classifiers.classifiers(
            of: community, above: cursor.map(ClassifierID.init(rawValue:)), limit: limit, by: context.requireCaller())
        return .json { json in json.page(page.items, next: page.next) { $0.classifier($1, breakers[$1.id]) } }
    }

    /// `PATCH /v1/moderation/classifiers/{id}` {name?, url?, timeoutMs?, fallback?, enabled?} → the classifier
    @Sendable func change(_ request: Request, _ context: GraphRequestContext) async throws -> Response {
        try request.refuseQuery()
        let (id, caller) = (try context.classifierID(), try context.requireCaller())
        var body = try StrictObject(await request.bodyBytes())
        var change = ClassifierChange()
        if body.value(of: "name") != nil {
            change.name = try body.title("name", maxLength: ModerationLimits.ruleNameLength)
        }
        let url = try body.optionalURL("url")
        change.timeout = try body.optionalInteger("timeoutMs", in: ModerationLimits.classifierTimeout)
        change.fallback = try body.optionalChoice("fallback", of: ClassifierVerdict.allCases)
        change.isEnabled = try body.optionalBool("enabled")
        try body.end()
        if let url { change.url = try await judged(url, caller) }
        let classifier = try await graph.classifiers.changeClassifier(id, change, by: caller)
        // The change may have fixed the cause of its failures.
        breakers.forget(id)
        return .json { $0.classifier(classifier, ClassifierBreaker()) }
    }

    /// `DELETE /v1/moderation/classifiers/{id}` → 204; the fallback applies to its waiting questions
    @Sendable func delete(_ request: Request, _ context: GraphRequestContext) async throws -> Response {
        try request.refuseQuery()
        try await graph.classifiers.deleteClassifier(context.classifierID(), by: context.requireCaller())
        breakers.forget(try context.classifierID())
        return .noContent
    }

    /// Returns the URL in its normal form, if it may be called.
    private func judged(_ text: String, _ caller: UserID) async throws -> String {
        guard let addresses else {
            throw Problem(.forbidden, "This server calls no classifiers; its operator can enable them with --webhooks.")
        }
        return try await addresses.accepted(text, field: "url", for: caller).text
    }
}

extension GraphRequestContext {
    fileprivate func classifierID() throws -> ClassifierID {
        guard let id = parameters.get("id").flatMap({ TextRules.parseID($0) }) else {
            throw ModerationError.classifierNotFound
        }
        return ClassifierID(rawValue: id)
    }
}
