import Audit
import Database
import GraphAPI
import GraphHTTP
import GraphServices
import Hummingbird
import Moderation
import SocialGraph

/// The audit, which admins read.
struct AuditRoutes: Sendable {
    let graph: GraphStore

    /// `GET /v1/admin/audit` → {items, nextCursor}, the latest first; filtered by one of `action`, `actorId` and
    /// `subjectId`
    @Sendable func entries(_ request: Request, _ context: GraphRequestContext) async throws -> Response {
        var query = try QueryParameters(request.uri.query)
        let (limit, cursor) = (try query.limit(), try query.cursor())
        let filter = try Self.filter(&query)
        try query.end()
        guard try await graph.moderation.authority(of: context.requireCaller()).siteRole == .admin else {
            throw Problem(.forbidden, "Only admins of the site may read the audit.")
        }
        let page = try await graph.audit.entries(filter, below: cursor, limit: limit)
        return .json { json in json.page(page.items, next: page.next) { $0.auditEntry($1) } }
    }

    private static func filter(_ query: inout QueryParameters) throws -> AuditFilter? {
        let filters: [(name: String, filter: AuditFilter?)] = [
            ("action", try query.optionalChoice("action", of: AuditAction.self).map(AuditFilter.action)),
            ("actorId", try query.id("actorId").map { .actor(UserID(rawValue: $0)) }),
            ("subjectId", try query.id("subjectId").map { .subject($0) }),
        ]
        let given = filters.filter { $0.filter != nil }
        guard given.count <= 1 else {
            throw Problem(
                .invalidParameter, "Give one of \"action\", \"actorId\" and \"subjectId\".", field: given[1].name)
        }
        return given.first?.filter
    }
}

extension JSONWriter {
    fileprivate mutating func auditEntry(_ entry: AuditEntry) {
        var (user, name): (Int64?, String?) = (nil, nil)
        switch entry.act.actor {
        case .user(let id): user = id.rawValue
        case .machine(let text): name = text
        }
        beginObject()
        member("entryId", id: entry.id)
        member("createdAt", time: entry.createdAt)
        member("action", entry.act.action.rawValue)
        member("actorId", id: user)
        member("machineUser", name)
        member("subjectId", id: entry.act.subject)
        member("detail", entry.act.detail)
        endObject()
    }
}
