import GraphServices
import Hummingbird
import SocialGraph

/// Sign-up, log-in and renewal of sessions: routes without a bearer token.
struct LogInRoutes: Sendable {
    let accounts: AccountService

    /// `POST /v1/auth/signup` {email, password, username, displayName?, profilePicData?} → 201 the new session
    @Sendable func signUp(_ request: Request, _ context: GraphRequestContext) async throws -> Response {
        try request.refuseQuery()
        return try await request.withSignUpBody(context, accounts.budgets) { bytes in
            var body = try StrictObject(bytes)
            let signUp = try SignUp(&body)
            try body.end()
            let session = try await accounts.signUp(signUp, from: AccountClient(request, context))
            return .json(.created) { $0.session(session) }
        }
    }

    /// `POST /v1/auth/login` {email, password, code?} → the new session
    @Sendable func logIn(_ request: Request, _ context: GraphRequestContext) async throws -> Response {
        try request.refuseQuery()
        var body = try StrictObject(await request.credentials())
        let email = try body.anyString("email")
        let password = try body.anyString("password")
        let code = try body.optionalAnyString("code")
        try body.end()
        let session = try await accounts.logIn(
            email: email, password: password, code: code, from: AccountClient(request, context))
        return .json { $0.session(session) }
    }

    /// `POST /v1/auth/refresh` {refreshToken} → the session with new tokens; the old refresh token is spent
    @Sendable func refresh(_ request: Request, _ context: GraphRequestContext) async throws -> Response {
        try request.refuseQuery()
        var body = try StrictObject(await request.credentials())
        let token = try body.anyString("refreshToken")
        try body.end()
        let session = try await accounts.renew(token, from: LoginOrigin(request, context))
        return .json { $0.session(session) }
    }
}
