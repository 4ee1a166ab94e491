import Database
import GraphServices
import Sessions
import SocialGraph

/// Forgotten passwords and the confirmation of email addresses, by tokens that are sent by mail.
package struct AccountRecovery: Sendable {
    let graph: GraphStore
    let passwords: PasswordHasher
    /// False if the server sends no mail.
    let isSending: Bool

    package init(graph: GraphStore, passwords: PasswordHasher, isSending: Bool) {
        (self.graph, self.passwords, self.isSending) = (graph, passwords, isSending)
    }

    /// Sends a token to an address if it is that of an account. Neither the result nor the time taken tells.
    ///
    /// - Throws: `Problem` 503 `mail_not_configured`.
    package func requestPasswordReset(email: String, from origin: LoginOrigin) async throws {
        try requireMail()
        try await graph.accountTokens.requestPasswordReset(email: email, from: origin)
    }

    /// Sets a new password, which ends every session. A password that is too weak does not spend the token.
    ///
    /// - Throws: `Problem` 422 `invalid_token`, 422 `weak_password`, 503 `mail_not_configured`, 503 `busy`.
    package func resetPassword(_ token: String, to new: String, from client: AccountClient) async throws {
        try requireMail()
        guard let token = AccountToken(presented: token),
            let account = try await graph.accountTokens.account(resetBy: token, at: SystemClock.milliseconds())
        else { throw Self.invalidToken }
        let hash = try await passwords.hash(
            new, of: [account.username, account.email].compactMap(\.self), for: client.caller, field: "newPassword")
        guard try await graph.accountTokens.resetPassword(token, to: hash, from: client.origin) else {
            throw Self.invalidToken
        }
    }

    /// Confirms the address to which a token was sent.
    ///
    /// - Throws: `Problem` 422 `invalid_token`, 503 `mail_not_configured`.
    package func confirmEmail(_ token: String) async throws {
        try requireMail()
        guard let token = AccountToken(presented: token), try await graph.accountTokens.confirmEmail(token) else {
            throw Self.invalidToken
        }
    }

    /// Sends another token to the address of `user`, unless it is confirmed.
    ///
    /// - Throws: `Problem` 503 `mail_not_configured`.
    package func requestConfirmation(of user: UserID, from origin: LoginOrigin) async throws {
        try requireMail()
        try await graph.accountTokens.requestConfirmation(of: user, from: origin)
    }

    private func requireMail() throws {
        guard isSending else {
            throw Problem(
                .mailNotConfigured, "This server sends no mail; its operator can set a destination with --mail.")
        }
    }

    /// The same for a token that is malformed, unknown, spent or expired.
    private static let invalidToken = Problem(
        .invalidToken, "The token is not valid, has expired or was used before. Ask for a new one.", field: "token")
}
