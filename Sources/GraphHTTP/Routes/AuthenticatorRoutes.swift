import AccountSecurity
import GraphAPI
import GraphServices
import Hummingbird
import Moderation
import Sessions
import SocialGraph

/// The caller's authenticator, whose codes are the second factor of log-ins.
struct AuthenticatorRoutes: Sendable {
    let graph: GraphStore
    let authenticators: Authenticators

    /// `GET /v1/me/totp` → {enabled, required, recoveryCodesLeft}
    @Sendable func state(_ request: Request, _ context: GraphRequestContext) async throws -> Response {
        try request.refuseQuery()
        let caller = try context.requireCaller()
        let state = try await authenticators.state(of: caller)
        let isRequired = try await graph.moderation.requiresSecondFactor(of: caller)
        return .json { json in
            json.beginObject()
            json.member("enabled", state.isEnabled)
            json.member("required", isRequired)
            json.member("recoveryCodesLeft", state.recoveryCodesLeft)
            json.endObject()
        }
    }

    /// `POST /v1/me/totp` {password?} → 201 {secret, url}. It has no effect on log-ins until it is confirmed. An
    /// account without a password needs a recent log-in instead, here and below.
    @Sendable func begin(_ request: Request, _ context: GraphRequestContext) async throws -> Response {
        try request.refuseQuery()
        let caller = try context.requireVerifiedCaller()
        var body = try await request.optionalObject()
        let password = try body?.optionalAnyString("password")
        try body?.end()
        let enrolment = try await authenticators.begin(
            for: caller, password: password, from: LoginOrigin(request, context))
        return .json(.created) { json in
            json.beginObject()
            json.member("secret", enrolment.secret)
            json.member("url", enrolment.url)
            json.endObject()
        }
    }

    /// `POST /v1/me/totp/confirm` {code} → {recoveryCodes}; every other session is ended
    @Sendable func confirm(_ request: Request, _ context: GraphRequestContext) async throws -> Response {
        try request.refuseQuery()
        let caller = try context.requireVerifiedCaller()
        var body = try StrictObject(await request.credentials())
        let code = try body.anyString("code")
        try body.end()
        return .recoveryCodes(
            try await authenticators.confirm(code, of: caller, from: LoginOrigin(request, context)))
    }

    /// `POST /v1/me/totp/recovery-codes` {password?, code} → {recoveryCodes}; the former ones are void
    @Sendable func replaceRecoveryCodes(_ request: Request, _ context: GraphRequestContext) async throws -> Response {
        let (caller, password, code) = try await proof(request, context)
        return .recoveryCodes(
            try await authenticators.replaceRecoveryCodes(
                of: caller, password: password, code: code, from: LoginOrigin(request, context)))
    }

    /// `DELETE /v1/me/totp` {password?, code} → 204
    @Sendable func remove(_ request: Request, _ context: GraphRequestContext) async throws -> Response {
        let (caller, password, code) = try await proof(request, context)
        try await authenticators.remove(
            of: caller, password: password, code: code, from: LoginOrigin(request, context))
        return .noContent
    }

    private func proof(
        _ request: Request, _ context: GraphRequestContext
    ) async throws -> (caller: VerifiedCaller, password: String?, code: String) {
        try request.refuseQuery()
        let caller = try context.requireVerifiedCaller()
        var body = try StrictObject(await request.credentials())
        let password = try body.optionalAnyString("password")
        let code = try body.anyString("code")
        try body.end()
        return (caller, password, code)
    }
}

extension Response {
    fileprivate static func recoveryCodes(_ codes: [RecoveryCode]) -> Response {
        .json { json in
            json.beginObject()
            json.member("recoveryCodes", codes.map(\.text))
            json.endObject()
        }
    }
}
