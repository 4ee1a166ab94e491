import GraphServices
import Hummingbird
import SocialGraph

/// Deletion of the caller's account.
struct DeletionRoutes: Sendable {
    let accounts: AccountService

    /// `DELETE /v1/me` {password?} → 204. From then on the account is gone for everybody, its name and address are
    /// free, and its tokens are dead. Its data is removed afterwards. An account without a password needs a recent
    /// log-in instead.
    @Sendable func delete(_ request: Request, _ context: GraphRequestContext) async throws -> Response {
        try request.refuseQuery()
        let caller = try context.requireVerifiedCaller()
        var body = try await request.optionalObject()
        let password = try body?.optionalAnyString("password")
        try body?.end()
        try await accounts.delete(caller, password: password, from: LoginOrigin(request, context))
        return .noContent
    }
}
