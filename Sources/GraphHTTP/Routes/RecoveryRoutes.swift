import AccountSecurity
import GraphServices
import HTTPTypes
import Hummingbird
import SocialGraph

/// Forgotten passwords and the confirmation of email addresses.
struct RecoveryRoutes: Sendable {
    let recovery: AccountRecovery

    /// `POST /v1/auth/password-reset` {email} → 202, whether or not an account has the address
    @Sendable func requestPasswordReset(_ request: Request, _ context: GraphRequestContext) async throws -> Response {
        try request.refuseQuery()
        var body = try StrictObject(await request.credentials())
        let email = try body.email("email")
        try body.end()
        try await recovery.requestPasswordReset(email: email, from: LoginOrigin(request, context))
        return Response(status: .accepted)
    }

    /// `POST /v1/auth/password-reset/confirm` {token, newPassword} → 204; every session is ended
    @Sendable func resetPassword(_ request: Request, _ context: GraphRequestContext) async throws -> Response {
        try request.refuseQuery()
        var body = try StrictObject(await request.credentials())
        let token = try body.anyString("token")
        let new = try body.anyString("newPassword")
        try body.end()
        try await recovery.resetPassword(token, to: new, from: AccountClient(request, context))
        return .noContent
    }

    /// `POST /v1/auth/email/confirm` {token} → 204
    @Sendable func confirmEmail(_ request: Request, _ context: GraphRequestContext) async throws -> Response {
        try request.refuseQuery()
        var body = try StrictObject(await request.credentials())
        let token = try body.anyString("token")
        try body.end()
        try await recovery.confirmEmail(token)
        return .noContent
    }

    /// `POST /v1/auth/email/confirmation` → 202; sends another token to the caller's address, unless it is confirmed
    @Sendable func requestConfirmation(_ request: Request, _ context: GraphRequestContext) async throws -> Response {
        try request.refuseQuery()
        try await recovery.requestConfirmation(of: context.requireCaller(), from: LoginOrigin(request, context))
        return Response(status: .accepted)
    }
}
