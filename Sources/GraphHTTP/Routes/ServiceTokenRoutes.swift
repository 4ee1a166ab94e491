import Audit
import GraphAPI
import GraphServices
import Hummingbird
import Moderation
import Sessions
import SocialGraph

/// Tokens of the operator's programs, which admins manage.
struct ServiceTokenRoutes: Sendable {
    let graph: GraphStore

    /// `POST /v1/admin/service-tokens` {name, scopes} → 201 with the token and its text, which is shown only once
    @Sendable func add(_ request: Request, _ context: GraphRequestContext) async throws -> Response {
        try request.refuseQuery()
        let caller = try await admin(context)
        var body = try StrictObject(await request.bodyBytes())
        let name = try body.title("name", maxLength: SessionLimits.serviceTokenNameLength)
        let chosen = try body.choices("scopes", of: ServiceScope.allCases)
        let scopes = try body.required("scopes", chosen)
        try body.end()
        guard !scopes.isEmpty else {
            throw Problem(.invalidValue, "\"scopes\" must not be empty.", field: "scopes")
        }
        do {
            let (token, text) = try await graph.serviceTokens.add(named: name, scopes: scopes, by: .user(caller))
            return .json(.created, headers: [.location: "/v1/admin/service-tokens/\(token.id)"]) {
                $0.serviceToken(token, text)
            }
        } catch ServiceTokenRefusal.nameTaken {
            throw Problem(.conflict, "There is a service token of this name.", field: "name")
        }
    }

    /// `GET /v1/admin/service-tokens` → {items}, all of them, the oldest first
    @Sendable func tokens(_ request: Request, _ context: GraphRequestContext) async throws -> Response {
        try request.refuseQuery()
        _ = try await admin(context)
        let tokens = try await graph.serviceTokens.tokens()
        return .json { json in json.items(tokens) { $0.serviceToken($1) } }
    }

    /// `DELETE /v1/admin/service-tokens/{id}` → 204; the token is refused from then on
    @Sendable func revoke(_ request: Request, _ context: GraphRequestContext) async throws -> Response {
        try request.refuseQuery()
        let caller = try await admin(context)
        guard let id = context.parameters.get("id").flatMap({ TextRules.parseID($0) }),
            try await graph.serviceTokens.revoke(id, by: .user(caller))
        else { throw Problem(.notFound, "There is no such service token.") }
        return .noContent
    }

    private func admin(_ context: GraphRequestContext) async throws -> UserID {
        let caller = try context.requireCaller()
        guard try await graph.moderation.authority(of: caller).siteRole == .admin else {
            throw Problem(.forbidden, "Only admins of the site may manage service tokens.")
        }
        return caller
    }
}

extension JSONWriter {
    fileprivate mutating func serviceToken(_ token: ServiceToken, _ text: ServiceTokenText? = nil) {
        beginObject()
        member("tokenId", id: token.id)
        member("name", token.name)
        member("scopes", token.scopeNames)
        member("createdAt", time: token.createdAt)
        if let text { member("token", text.text) }
        endObject()
    }
}
