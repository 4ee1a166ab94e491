import Database
import GraphServices
import HTTPTypes
import Hummingbird
import Logging
import Moderation
import Sessions
import SocialGraph

/// Verifies the bearer token of every request that passes it: signature, expiry, and that it was revoked neither with
/// its session nor by its user. A service token passes to the few routes that its scopes open.
package struct Authentication: RouterMiddleware {
    package let callers: CallerVerifier
    /// Counts refused tokens by peer address. The middleware after this one counts users only.
    package let rateLimit: RateLimit

    package init(callers: CallerVerifier, rateLimit: RateLimit) {
        self.callers = callers
        self.rateLimit = rateLimit
    }

    package func handle(
        _ request: Request, context: GraphRequestContext,
        next: (Request, GraphRequestContext) async throws -> Response
    ) async throws -> Response {
        let token = Result { try BearerToken.require(in: request.headers) }
        if let text = try? token.get(), text.utf8.starts(with: ServiceTokenText.prefix.utf8) {
            try await admit(service: text, request, context)
            return try await next(request, context)
        }
        let caller = try await identify(request, context) { try await callers.caller(token.get()) }
        if let suspension = caller?.suspension, !Self.isOwnAffair(request) { throw suspension.refusal }
        return try await next(request, context)
    }

    /// Returns the caller of a request for which a token is optional; nil if it has none.
    ///
    /// - Throws: `Problem` 401 for an invalid token, ``ModerationError/suspended(reason:endsAt:)``.
    func callerIfGiven(_ request: Request, _ context: GraphRequestContext) async throws -> UserID? {
        let caller = try await identify(request, context) { try await callers.callerIfAny(of: request.headers) }
        if let suspension = caller?.suspension { throw suspension.refusal }
        return context.caller.userID.map(UserID.init(rawValue:))
    }

    /// Admits a program of the operator's to a route that its token is for.
    ///
    /// - Throws: `Problem` 401 `token_invalid`, 403 `forbidden`.
    private func admit(service token: String, _ request: Request, _ context: GraphRequestContext) async throws {
        do {
            let service = try await callers.service(token)
            let scope = ServiceRoutes.scope(of: request.method, at: context.endpointPath)
            guard let scope, service.scopes.contains(scope) else {
                let names = service.scopeNames.joined(separator: ", ")
                throw Problem(.forbidden, "This service token is for nothing but its scopes: \(names).")
            }
            context.caller.identify(asService: service.id)
        } catch let problem as Problem {
            try rateLimit.admit(request, context)
            throw problem
        }
    }

    private func identify(
        _ request: Request, _ context: GraphRequestContext, _ verify: () async throws -> VerifiedCaller?
    ) async throws -> VerifiedCaller? {
        do {
            guard let caller = try await verify() else { return nil }
            context.caller.identify(
                as: caller.user.rawValue, session: caller.session?.rawValue, authenticatedAt: caller.authenticatedAt)
            return caller
        } catch let problem as Problem {
            try rateLimit.admit(request, context)
            throw problem
        }
    }
}

extension Authentication {
    /// Requests that a suspended user may still make: to see, export and end their own data and sessions, and to
    /// appeal.
    private static let ownAffairs: [String: Set<HTTPRequest.Method>] = [
        "/v1/me": [.get, .head, .delete], "/v1/me/export": [.get, .head], "/v1/me/strikes": [.get, .head],
        "/v1/me/moderation": [.get, .head], "/v1/appeals": [.get, .head, .post],
        "/v1/notifications": [.get, .head], "/v1/me/logins": [.get, .head], "/v1/auth/logout": [.post],
        "/v1/auth/logout-everywhere": [.post],
    ]

    private static func isOwnAffair(_ request: Request) -> Bool {
        ownAffairs[request.uri.path]?.contains(request.method) == true
    }
}

extension Suspension {
    package var refusal: ModerationError { .suspended(reason: reason, endsAt: endsAt) }
}
