import Database
import GraphAPI
import GraphServices
import Hummingbird
import Sessions
import SocialGraph

/// Log-out, sessions, and changes of the password.
struct SessionRoutes: Sendable {
    let graph: GraphStore
    let accounts: AccountService

    /// `POST /v1/auth/logout` → 204; ends the token and its session
    @Sendable func logOut(_ request: Request, _ context: GraphRequestContext) async throws -> Response {
        try request.refuseQuery()
        try await accounts.logOut(context.requireVerifiedCaller())
        return .noContent
    }

    /// `POST /v1/auth/logout-everywhere` → 204; ends every token of the caller
    @Sendable func logOutEverywhere(_ request: Request, _ context: GraphRequestContext) async throws -> Response {
        try request.refuseQuery()
        try await graph.sessions.endAllSessions(of: context.requireCaller())
        return .noContent
    }

    /// `PUT /v1/me/password` {currentPassword?, newPassword} → a new session; every other one is ended. An account
    /// without a password sets its first one after a recent log-in, without `currentPassword`.
    @Sendable func changePassword(_ request: Request, _ context: GraphRequestContext) async throws -> Response {
        try request.refuseQuery()
        let caller = try context.requireVerifiedCaller()
        var body = try StrictObject(await request.bodyBytes())
        let current = try body.optionalAnyString("currentPassword")
        let new = try body.anyString("newPassword")
        try body.end()
        let session = try await accounts.changePassword(
            from: current, to: new, of: caller, from: LoginOrigin(request, context))
        return .json { $0.session(session) }
    }

    /// `GET /v1/me/sessions` → {items: [{sessionId, createdAt, usedAt, expiresAt, current}]}, the latest first
    @Sendable func list(_ request: Request, _ context: GraphRequestContext) async throws -> Response {
        try request.refuseQuery()
        let sessions = try await graph.sessions.sessions(of: context.requireCaller())
        return .json { $0.sessions(sessions, current: context.caller.session) }
    }

    /// `DELETE /v1/me/sessions/{id}` → 204
    @Sendable func end(_ request: Request, _ context: GraphRequestContext) async throws -> Response {
        try request.refuseQuery()
        let caller = try context.requireCaller()
        guard try await graph.sessions.endSession(context.sessionID(), of: caller) else {
            throw Problem(.notFound, "There is no such session.")
        }
        return .noContent
    }
}
