import GraphServices
import Hummingbird
import SocialGraph

/// Leaving for good.
struct DeletionRoutes: Sendable {
    let graph: GraphStore
    let passwords: PasswordHasher

    /// `DELETE /v1/me` {password?} → 204. With that the account is gone for everybody, its name and address are free,
    /// and its tokens dead; what it has left is removed afterwards. An account without a password
    /// needs a recent log-in instead.
    @Sendable func delete(_ request: Request, _ context: GraphRequestContext) async throws -> Response {
        try request.refuseQuery()
        let caller = try context.requireCaller()
        var body = try await request.optionalObject()
        let password = try body?.optionalAnyString("password")
        try body?.end()
        let credentials = try await passwords.confirm(
            password, of: context.requireVerifiedCaller(), from: LoginOrigin(request, context), in: graph,
            field: "password")
        guard try await graph.erasures.deleteAccount(caller, epoch: credentials.tokenEpoch) else {
            throw Problem.wrongCredentials
        }
        return .noContent
    }
}
