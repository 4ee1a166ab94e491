import Database
import GraphAPI
import GraphServices
import Hummingbird
import SocialGraph

/// Renewing and ending sessions, and the password that opens them.
struct SessionRoutes: Sendable {
    let graph: GraphStore
    let passwords: PasswordHasher
    let sessions: SessionIssuer

    /// `POST /v1/auth/refresh` {refreshToken} → the session with new tokens; the old refresh token is spent
    @Sendable func refresh(_ request: Request, _ context: GraphRequestContext) async throws -> Response {
        try request.refuseQuery()
        var body = try StrictObject(await request.credentials())
        let token = try body.anyString("refreshToken")
        try body.end()
        let session = try await sessions.renew(token, from: LoginOrigin(request, context))
        return .json { $0.session(session) }
    }

    /// `POST /v1/auth/logout` → 204; the token and its session are dead with that
    @Sendable func logOut(_ request: Request, _ context: GraphRequestContext) async throws -> Response {
        try request.refuseQuery()
        let caller = try context.requireCaller()
        guard let session = context.caller.session else {
            throw Problem(.notFound, "This token belongs to no session. Log out everywhere to end it.")
        }
        try await graph.sessions.endSession(SessionID(rawValue: session), of: caller)
        return .noContent
    }

    /// `POST /v1/auth/logout-everywhere` → 204; every token of the caller is dead with that
    @Sendable func logOutEverywhere(_ request: Request, _ context: GraphRequestContext) async throws -> Response {
        try request.refuseQuery()
        try await graph.sessions.endAllSessions(of: context.requireCaller())
        return .noContent
    }

    /// `PUT /v1/me/password` {currentPassword?, newPassword} → a new session; every other one is ended. An account
    /// without a password sets its first one after a recent log-in, without `currentPassword`.
    @Sendable func changePassword(_ request: Request, _ context: GraphRequestContext) async throws -> Response {
        try request.refuseQuery()
        let caller = try context.requireCaller()
        var body = try StrictObject(await request.bodyBytes())
        let current = try body.optionalAnyString("currentPassword")
        let new = try body.anyString("newPassword")
        try body.end()
        let credentials = try await passwords.confirm(
            current, of: context.requireVerifiedCaller(), from: LoginOrigin(request, context), in: graph,
            field: "currentPassword")
        let account = try await graph.accounts.account(caller)
        let names = [account?.username, account?.email].compactMap(\.self)
        let hash = try await passwords.hash(
            new, of: names, for: WorkCaller(.user(caller.rawValue)), field: "newPassword")
        let session = try await sessions.reopen(
            for: caller, password: hash, epoch: credentials.tokenEpoch, from: LoginOrigin(request, context))
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
