// Written by tools/generate-client from docs/openapi.yaml. Change these, not this file.

import Foundation

/// Health and metrics, for operators and load balancers.
public struct OperationsAPI: Sendable {
    let client: GraphdClient

    /// Check that the process is alive.
    public func health() async throws -> Health {
        try await client.value(Call(.get, ["healthz"], authorization: .none))
    }

    /// Check that the server is ready.
    ///
    /// Requests are served even while Redis is down, from SQLite. Callers on this machine, whose request has
    /// neither `Forwarded` nor `X-Forwarded-For`, and those of `--admin-address` get the state of the parts,
    /// including problems of the disk, the database and the clock; all others get only the status.
    public func readiness() async throws -> Readiness {
        try await client.value(Call(.get, ["readyz"], authorization: .none))
    }

    /// Get metrics in the Prometheus text format 0.0.4.
    ///
    /// Only for callers on this machine, whose request has neither `Forwarded` nor `X-Forwarded-For`, and on
    /// `--admin-address`; 404 for all others.
    ///
    /// - Throws: `APIError` with one of these codes, or one that any request may get: `notFound`.
    public func metrics() async throws -> String {
        try await client.text(Call(.get, ["metrics"], authorization: .none))
    }

    /// Get this description of the API.
    public func openapi() async throws -> String {
        try await client.text(Call(.get, ["openapi.yaml"], authorization: .none))
    }

    /// List acts of admins and operators, newest first.
    ///
    /// For admins of the site. The acts that the modlog does not have: passwords replaced, authenticators removed,
    /// tokens issued and roles set on the machine, keys, imports, rebuilds, read-only mode, restores, and rules,
    /// classifiers, descriptions, erased notes and app webhooks changed by users with a role of the site. An act
    /// has an `actorId`, a user, or a `machineUser`, who ran a command. `subjectId` is the user, webhook, rule,
    /// classifier, community or entry of the modlog; `detail` is for people to read. Entries hold no secret, and
    /// are never changed or removed. More actions will follow; ignore unknown ones.
    ///
    /// - Parameters:
    ///   - action: Only entries with this action. At most one of the three filters can be given.
    ///   - actorId: Only entries by this user.
    ///   - subjectId: Only entries about this user, webhook, rule, classifier, community or entry.
    ///   - limit: The maximum number of items.
    ///   - cursor: The `nextCursor` of the page before. Omit it for the first page.
    /// - Throws: `APIError` with one of these codes, or one that any request may get: `invalidLimit`,
    ///   `invalidCursor`, `forbidden`.
    public func listAudit(
        action: AuditAction? = nil, actorId: String? = nil, subjectId: String? = nil, limit: Int? = nil,
        cursor: String? = nil
    ) async throws -> AuditPage {
        try await client.value(
            Call(
                .get, ["v1", "admin", "audit"],
                query: [
                    .init("action", action?.queryText), .init("actorId", actorId?.queryText),
                    .init("subjectId", subjectId?.queryText), .init("limit", limit?.queryText),
                    .init("cursor", cursor?.queryText),
                ]))
    }

    /// Every item of `listAudit`, read page by page as a loop asks for them.
    public func allAudit(
        action: AuditAction? = nil, actorId: String? = nil, subjectId: String? = nil, pageSize: Int? = nil
    ) -> PagedSequence<AuditEntry> {
        PagedSequence {
            let page = try await self.listAudit(
                action: action, actorId: actorId, subjectId: subjectId, limit: pageSize, cursor: $0)
            return Page(items: page.items, nextCursor: page.nextCursor)
        }
    }

    /// List the service tokens, oldest first.
    ///
    /// For admins of the site. The tokens of programs of the operator's, such as transcoders, without their texts,
    /// which are not stored.
    ///
    /// - Throws: `APIError` with one of these codes, or one that any request may get: `forbidden`.
    public func listServiceTokens() async throws -> ServiceTokens {
        try await client.value(Call(.get, ["v1", "admin", "service-tokens"]))
    }

    /// Create a token for a program of the operator's.
    ///
    /// For admins of the site. A service token is no user's: it is a bearer token for the acts of its scopes and
    /// for nothing else. `media:renditions` adds and removes renditions of files, `transcripts:write` replaces
    /// transcripts. Only its digest is stored, so the answer alone shows it. It has no end but its revocation. The
    /// audit has the act.
    ///
    /// - Throws: `APIError` with one of these codes, or one that any request may get: `forbidden`, `conflict`,
    ///   `limitReached`, `bodyTooLarge`, `invalidValue`, `tooLong`, `tooMany`.
    @discardableResult
    public func addServiceToken(_ body: NewServiceToken) async throws -> NewServiceTokenAnswer {
        try await client.value(Call(.post, ["v1", "admin", "service-tokens"], body: .json(body)))
    }

    /// Revoke a service token.
    ///
    /// For admins of the site. The token is refused from then on, with 401 `token_invalid`. The audit has the act.
    ///
    /// - Throws: `APIError` with one of these codes, or one that any request may get: `forbidden`, `notFound`.
    public func revokeServiceToken(id: String) async throws {
        try await client.perform(Call(.delete, ["v1", "admin", "service-tokens", id]))
    }
}
