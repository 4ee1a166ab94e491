import Database
import GraphAPI
import GraphHTTP
import GraphServices
import Hummingbird
import Moderation
import SocialGraph

/// Rules that judge posts and comments, of the site (without `communityId`) or a community; for its moderators.
struct RuleRoutes: Sendable {
    let graph: GraphStore

    /// `POST /v1/moderation/rules` {communityId?, name, kind, action, enabled?, definition} → 201 with the rule
    @Sendable func create(_ request: Request, _ context: GraphRequestContext) async throws -> Response {
        try request.refuseQuery()
        let caller = try context.requireCaller()
        var body = try StrictObject(await request.bodyBytes())
        let new = try body.newRule()
        try body.end()
        return try await context.creating {
            try await graph.rules.createRule(new, by: caller)
        } answer: { rule in
            .json(.created, headers: [.location: "/v1/moderation/rules/\(rule.id.rawValue)"]) { $0.rule(rule) }
        }
    }

    /// `GET /v1/moderation/rules` ?communityId → {items, nextCursor}, the oldest first
    @Sendable func rules(_ request: Request, _ context: GraphRequestContext) async throws -> Response {
        var query = try QueryParameters(request.uri.query)
        let (limit, cursor, community) = (try query.limit(), try query.cursor(), try query.community())
        try query.end()
        let page = try await graph.rules.rules(
            of: community, above: cursor.map(RuleID.init(rawValue:)), limit: limit, by: context.requireCaller())
        return .json { json in json.page(page.items, next: page.next) { $0.rule($1) } }
    }

    /// `GET /v1/moderation/rules/{id}`
    @Sendable func rule(_ request: Request, _ context: GraphRequestContext) async throws -> Response {
        try request.refuseQuery()
        let rule = try await graph.rules.rule(context.ruleID(), by: context.requireCaller())
        return .json { $0.rule(rule) }
    }

    /// `PATCH /v1/moderation/rules/{id}` {name?, action?, enabled?, definition?} → the rule. A definition may come with
    /// another `kind`.
    @Sendable func change(_ request: Request, _ context: GraphRequestContext) async throws -> Response {
        try request.refuseQuery()
        let (id, caller) = (try context.ruleID(), try context.requireCaller())
        var body = try StrictObject(await request.bodyBytes())
        var change = RuleChange()
        change.name = try body.optionalRuleName()
        change.action = try body.optionalChoice("action", of: RuleAction.allCases)
        change.isEnabled = try body.optionalBool("enabled")
        let kind = try body.optionalChoice("kind", of: RuleDefinition.Kind.allCases)
        if var definition = try body.optionalObject("definition") {
            let before = try await kind == nil ? graph.rules.rule(id, by: caller).definition.kind : nil
            change.definition = try definition.ruleDefinition(kind ?? before ?? .keyword)
        } else if kind != nil {
            throw Problem(.missingField, "The field \"definition\" is required with \"kind\".", field: "definition")
        }
        try body.end()
        let rule = try await graph.rules.changeRule(id, change, by: caller)
        return .json { $0.rule(rule) }
    }

    /// `DELETE /v1/moderation/rules/{id}` → 204
    @Sendable func delete(_ request: Request, _ context: GraphRequestContext) async throws -> Response {
        try request.refuseQuery()
        try await graph.rules.deleteRule(context.ruleID(), by: context.requireCaller())
        return .noContent
    }

    /// `POST /v1/moderation/rules/dry-run` {rule, last} → {looked, matched, tooCostly, mostSteps, items}: the effect
    /// that the rule would have had on the newest `last` posts and comments
    @Sendable func dryRun(_ request: Request, _ context: GraphRequestContext) async throws -> Response {
        try request.refuseQuery()
        let caller = try context.requireCaller()
        var body = try StrictObject(await request.bodyBytes())
        guard var object = try body.optionalObject("rule") else {
            throw Problem(.missingField, "The field \"rule\" is required.", field: "rule")
        }
        let rule = try object.newRule()
        try object.end()
        let range = ModerationLimits.dryRunLength
        let last = try body.integer("last", in: Int64(range.lowerBound)...Int64(range.upperBound))
        try body.end()
        let result = try await graph.rules.dryRun(rule, last: Int(last), by: caller)
        return .json { $0.ruleDryRun(result) }
    }
}

extension StrictObject {
    fileprivate mutating func optionalRuleName() throws -> String? {
        value(of: "name") == nil ? nil : try title("name", maxLength: ModerationLimits.ruleNameLength)
    }

    fileprivate mutating func newRule() throws -> NewRule {
        let community = try optionalID("communityId").map(CommunityID.init(rawValue:))
        let name = try title("name", maxLength: ModerationLimits.ruleNameLength)
        let action = try choice("action", of: RuleAction.allCases)
        let kind = try choice("kind", of: RuleDefinition.Kind.allCases)
        let isEnabled = try optionalBool("enabled") ?? true
        guard var object = try optionalObject("definition") else {
            throw Problem(.missingField, "The field \"definition\" is required.", field: "definition")
        }
        return NewRule(
            name, try object.ruleDefinition(kind), action: action, community: community, isEnabled: isEnabled)
    }

    /// Reads and closes the definition of a rule of `kind`.
    fileprivate mutating func ruleDefinition(_ kind: RuleDefinition.Kind) throws -> RuleDefinition {
        let definition: RuleDefinition
        switch kind {
        case .keyword:
            let words = try optionalStrings(
                "words", maxCount: ModerationLimits.ruleWords, maxLength: ModerationLimits.ruleWordLength)
            definition = .keyword(
                words: try required("words", words), wholeWords: try optionalBool("wholeWords") ?? true)
        case .pattern:
            definition = .pattern(try string("pattern", maxLength: ModerationLimits.patternLength))
        case .link:
            let domains = try optionalStrings("domains", maxCount: ModerationLimits.ruleDomains, maxLength: 253)
            definition = .link(
                domains: try required("domains", domains),
                mode: try choice("mode", of: RuleDefinition.LinkMode.allCases))
        case .rate:
            definition = .rate(
                count: try integer("count", in: 1...10_000),
                seconds: try integer("seconds", in: 1...ModerationLimits.ruleSeconds))
        case .newAccount:
            definition = .newAccount(
                maxAgeSeconds: try integer("maxAgeSeconds", in: 0...ModerationLimits.ruleSeconds),
                minPosts: try optionalInteger("minPosts", in: 0...1_000))
        }
        try end()
        return definition
    }
}

extension GraphRequestContext {
    fileprivate func ruleID() throws -> RuleID {
        guard let id = parameters.get("id").flatMap({ TextRules.parseID($0) }) else {
            throw ModerationError.ruleNotFound
        }
        return RuleID(rawValue: id)
    }
}

extension QueryParameters {
    /// Reads `communityId`; nil if it is not given.
    package mutating func community() throws -> CommunityID? { try id("communityId").map(CommunityID.init(rawValue:)) }
}
