import GraphServices
import Hummingbird
import SocialGraph

extension AccountRoutes {
    /// Makes sure that a profile change replaces the email address only for a caller who knows the password: whoever
    /// has the address can have the password reset. An address that the account has already is no change.
    ///
    /// - Throws: `Problem`: 403 `password_required` and `recent_login_required`, 401 `wrong_credentials`.
    func confirmEmail(
        in change: inout ProfileChange, password: String?, of request: Request, _ context: GraphRequestContext
    ) async throws {
        guard let email = change.email else { return }
        guard let account = try await graph.accounts.account(context.requireCaller()) else {
            throw GraphError.accountNotFound
        }
        guard email != account.email else {
            change.email = nil
            return
        }
        _ = try await passwords.confirm(
            password, of: context.requireVerifiedCaller(), from: LoginOrigin(request, context), in: graph,
            field: "currentPassword", missing: .passwordRequired)
        change.origin = LoginOrigin(request, context)
    }
}
