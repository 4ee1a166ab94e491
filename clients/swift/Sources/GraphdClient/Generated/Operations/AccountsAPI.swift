// Written by tools/generate-client from docs/openapi.yaml. Change these, not this file.

import Foundation

/// Sign-up, log-in and users.
public struct AccountsAPI: Sendable {
    let client: GraphdClient

    /// Create an account.
    ///
    /// Usernames and email addresses are unique regardless of letter case. Names that could be mistaken for an
    /// operator or a moderator (`admin`, `mod`, `support`, …, also with dots and underscores) are reserved. A
    /// common password, a sequence, a repetition, or little more than the username or the address is refused as
    /// `weak_password`. The answer has a token, so no log-in is needed.
    ///
    /// The body may have 8,388,608 bytes. An invalid picture refuses the sign-up. If a valid picture cannot be
    /// stored, the account is created without it, and the picture can be sent again with `PATCH /v1/me`.
    ///
    /// - Throws: `APIError` with one of these codes, or one that any request may get: `usernameTaken`,
    ///   `emailTaken`, `bodyTooLarge`, `invalidEmail`, `invalidUsername`, `reservedUsername`, `weakPassword`,
    ///   `tooLong`, `invalidValue`, `unsupportedMedia`, `insufficientStorage`.
    @discardableResult
    public func signUp(_ body: SignUp) async throws -> Session {
        try await client.value(Call(.post, ["v1", "auth", "signup"], body: .json(body), authorization: .none))
    }

    /// Log in with email address and password.
    ///
    /// A wrong password and an unknown address get the same answer after the same time. An account with an
    /// authenticator needs `code`, which is judged only after the right password.
    ///
    /// - Throws: `APIError` with one of these codes, or one that any request may get: `wrongCredentials`,
    ///   `totpRequired`, `wrongCode`, `bodyTooLarge`.
    @discardableResult
    public func logIn(_ body: LogIn) async throws -> Session {
        try await client.value(Call(.post, ["v1", "auth", "login"], body: .json(body), authorization: .none))
    }

    /// Refresh the tokens of a session.
    ///
    /// A refresh token can be used once. The answer has the next one, and the session's lifetime starts again. A
    /// second use means that the token was stolen, so it ends the session and revokes its tokens (RFC 9700, section
    /// 4.14.2). A client that lost the answer must log in again. The last 100 used tokens of each session are
    /// recognised.
    ///
    /// - Throws: `APIError` with one of these codes, or one that any request may get: `refreshTokenInvalid`,
    ///   `bodyTooLarge`.
    @discardableResult
    public func refresh(_ body: RefreshRequest) async throws -> Session {
        try await client.value(
            Call(.post, ["v1", "auth", "refresh"], repetition: .never, body: .json(body), authorization: .none))
    }

    /// Request a new password by mail.
    ///
    /// Sends a token to the address if an account has it. The answer and the time it takes are the same if none
    /// has. The token is valid for an hour and once; earlier ones stay valid. An address gets at most five such
    /// mails an hour. An account need not have confirmed its address.
    ///
    /// - Throws: `APIError` with one of these codes, or one that any request may get: `bodyTooLarge`,
    ///   `invalidEmail`, `mailNotConfigured`.
    public func requestPasswordReset(_ body: PasswordResetRequest) async throws {
        try await client.perform(
            Call(.post, ["v1", "auth", "password-reset"], body: .json(body), authorization: .none))
    }

    /// Set a new password with a token from a mail.
    ///
    /// Ends every session and token, confirms the address, and makes all other tokens of the account invalid. A
    /// password that is refused as weak does not use up the token. A token that is malformed, unknown, used or
    /// expired gets one and the same answer.
    ///
    /// - Throws: `APIError` with one of these codes, or one that any request may get: `bodyTooLarge`,
    ///   `invalidToken`, `weakPassword`, `mailNotConfigured`.
    public func resetPassword(_ body: PasswordReset) async throws {
        try await client.perform(
            Call(.post, ["v1", "auth", "password-reset", "confirm"], body: .json(body), authorization: .none))
    }

    /// Confirm an email address with a token from a mail.
    ///
    /// A sign-up and a change of address send the token, if the server sends mail. It is valid for three days.
    /// Accounts whose address is not confirmed are not restricted.
    ///
    /// - Throws: `APIError` with one of these codes, or one that any request may get: `bodyTooLarge`,
    ///   `invalidToken`, `mailNotConfigured`.
    public func confirmEmail(_ body: EmailConfirmation) async throws {
        try await client.perform(
            Call(.post, ["v1", "auth", "email", "confirm"], body: .json(body), authorization: .none))
    }

    /// Send the confirmation of the address again.
    ///
    /// Sends a token to the caller's address, unless it is confirmed or has had five such mails within an hour.
    ///
    /// - Throws: `APIError` with one of these codes, or one that any request may get: `mailNotConfigured`.
    public func requestEmailConfirmation() async throws {
        try await client.perform(Call(.post, ["v1", "auth", "email", "confirmation"]))
    }

    /// Log out.
    ///
    /// Revokes the tokens of the session at once. A token of `graphd token` or of an OpenID Connect issuer does not
    /// belong to a session.
    ///
    /// - Throws: `APIError` with one of these codes, or one that any request may get: `notFound`.
    public func logOut() async throws {
        try await client.perform(Call(.post, ["v1", "auth", "logout"]))
    }

    /// Log out of all sessions.
    ///
    /// Revokes all tokens at once, including those of `graphd token` and those that an OpenID Connect issuer has
    /// issued so far.
    public func logOutEverywhere() async throws {
        try await client.perform(Call(.post, ["v1", "auth", "logout-everywhere"]))
    }

    /// Get the caller's account.
    public func me() async throws -> OwnAccount {
        try await client.value(Call(.get, ["v1", "me"]))
    }

    /// Change the caller's account.
    ///
    /// Omitted fields are unchanged. All given fields change together, or none does. Changes apply from the next
    /// request on. Of tags that differ only in letter case, the first is kept. The body may have 8,388,608 bytes.
    ///
    /// A change of `email` needs `currentPassword`, or, for an account without a password, a log-in within the last
    /// five minutes.
    ///
    /// - Throws: `APIError` with one of these codes, or one that any request may get: `wrongCredentials`,
    ///   `passwordRequired`, `recentLoginRequired`, `usernameTaken`, `emailTaken`, `bodyTooLarge`, `tooLong`,
    ///   `tooMany`, `invalidValue`, `invalidUrl`, `invalidEmail`, `invalidUsername`, `reservedUsername`,
    ///   `unsupportedMedia`, `insufficientStorage`.
    @discardableResult
    public func changeMe(_ body: ProfileChange) async throws -> OwnAccount {
        try await client.value(Call(.patch, ["v1", "me"], body: .json(body)))
    }

    /// Delete the caller's account.
    ///
    /// Deletes the account at once: the account and its posts are hidden from everybody, its username and email
    /// address are free, and its tokens are revoked. Its data (posts, comments, likes, follows, files, …) is
    /// removed afterwards, even across restarts of the server; comments with replies stay as deleted comments.
    /// Communities that it owned pass to the longest-serving moderator, otherwise to the longest-standing member.
    /// An account of an OpenID Connect issuer is not created again for the same identity for 30 days.
    ///
    /// An account without a password needs no body, but a log-in within the last five minutes.
    ///
    /// - Throws: `APIError` with one of these codes, or one that any request may get: `wrongCredentials`,
    ///   `recentLoginRequired`, `bodyTooLarge`.
    public func deleteMe(_ body: Deletion? = nil) async throws {
        try await client.perform(Call(.delete, ["v1", "me"], body: .optional(body)))
    }

    /// Export all data about the caller.
    ///
    /// One JSON object, streamed as it is read; every list is complete. If something fails on the way, the
    /// connection is closed before the end of the object.
    public func exportMe() async throws -> AccountExport {
        try await client.value(Call(.get, ["v1", "me", "export"]))
    }

    /// Change the caller's password.
    ///
    /// Ends every session and token, like a log-out of all sessions, and opens a new session. An account without a
    /// password (imported, or of an OpenID Connect issuer) sets its first one without `currentPassword`, within
    /// five minutes of a log-in.
    ///
    /// - Throws: `APIError` with one of these codes, or one that any request may get: `wrongCredentials`,
    ///   `recentLoginRequired`, `bodyTooLarge`, `weakPassword`.
    @discardableResult
    public func changePassword(_ body: PasswordChange) async throws -> Session {
        try await client.value(Call(.put, ["v1", "me", "password"], body: .json(body)))
    }

    /// Get the state of the caller's authenticator.
    public func authenticator() async throws -> AuthenticatorState {
        try await client.value(Call(.get, ["v1", "me", "totp"]))
    }

    /// Begin to set up an authenticator.
    ///
    /// Creates a secret for an authenticator (TOTP, RFC 6238). Log-ins stay as they are until it is confirmed,
    /// within an hour. An account without a password needs a log-in within the last five minutes instead.
    ///
    /// - Throws: `APIError` with one of these codes, or one that any request may get: `wrongCredentials`,
    ///   `recentLoginRequired`, `totpEnabled`, `bodyTooLarge`.
    @discardableResult
    public func beginAuthenticator(_ body: PasswordProof) async throws -> AuthenticatorSecret {
        try await client.value(Call(.post, ["v1", "me", "totp"], body: .json(body)))
    }

    /// Remove the caller's authenticator.
    ///
    /// Log-ins need no code any more. A recovery code proves the same as a code of the authenticator.
    ///
    /// - Throws: `APIError` with one of these codes, or one that any request may get: `wrongCredentials`,
    ///   `wrongCode`, `recentLoginRequired`, `totpNotEnabled`, `bodyTooLarge`.
    public func removeAuthenticator(_ body: PasswordAndCodeProof) async throws {
        try await client.perform(Call(.delete, ["v1", "me", "totp"], body: .json(body)))
    }

    /// Confirm the authenticator by a code.
    ///
    /// From now on log-ins need a code. Ends every session of the caller but this one. A code is good once, in its
    /// 30 seconds and the 30 before and after.
    ///
    /// - Throws: `APIError` with one of these codes, or one that any request may get: `wrongCode`, `totpEnabled`,
    ///   `totpNotEnabled`, `bodyTooLarge`.
    @discardableResult
    public func confirmAuthenticator(_ body: CodeProof) async throws -> RecoveryCodes {
        try await client.value(Call(.post, ["v1", "me", "totp", "confirm"], body: .json(body)))
    }

    /// Replace the recovery codes.
    ///
    /// The former recovery codes are void.
    ///
    /// - Throws: `APIError` with one of these codes, or one that any request may get: `wrongCredentials`,
    ///   `wrongCode`, `recentLoginRequired`, `totpNotEnabled`, `bodyTooLarge`.
    @discardableResult
    public func replaceRecoveryCodes(_ body: PasswordAndCodeProof) async throws -> RecoveryCodes {
        try await client.value(Call(.post, ["v1", "me", "totp", "recovery-codes"], body: .json(body)))
    }

    /// List the caller's sessions, newest first.
    public func listSessions() async throws -> SessionList {
        try await client.value(Call(.get, ["v1", "me", "sessions"]))
    }

    /// List log-ins and security events of the caller's account, newest first.
    ///
    /// Log-ins, wrong passwords, reused refresh tokens, and changes of password and email address. Wrong passwords
    /// from one address within an hour are one entry with a count, and may appear a second late. The last 200
    /// events, and the last 50 of wrong passwords, are kept for 90 days, unless the operator sets another time.
    /// Suspended users may read them.
    ///
    /// - Parameters:
    ///   - limit: The maximum number of items.
    ///   - cursor: The `nextCursor` of the page before. Omit it for the first page.
    /// - Throws: `APIError` with one of these codes, or one that any request may get: `invalidLimit`,
    ///   `invalidCursor`.
    public func listLogins(limit: Int? = nil, cursor: String? = nil) async throws -> LoginPage {
        try await client.value(
            Call(
                .get, ["v1", "me", "logins"],
                query: [.init("limit", limit?.queryText), .init("cursor", cursor?.queryText)]))
    }

    /// Every item of `listLogins`, read page by page as a loop asks for them.
    public func allLogins(pageSize: Int? = nil) -> PagedSequence<LoginEvent> {
        PagedSequence {
            let page = try await self.listLogins(limit: pageSize, cursor: $0)
            return Page(items: page.items, nextCursor: page.nextCursor)
        }
    }

    /// End a session of the caller.
    ///
    /// Its tokens are revoked at once.
    ///
    /// - Parameter id: The id of the session.
    /// - Throws: `APIError` with one of these codes, or one that any request may get: `notFound`.
    public func endSession(id: String) async throws {
        try await client.perform(Call(.delete, ["v1", "me", "sessions", id]))
    }

    /// Get a user by id.
    ///
    /// A user who has blocked the caller is answered with 404, here, everywhere else under `/v1/users/{id}`, and in
    /// `/v1/users/by-username/{username}` and `/v1/timelines/users/{id}`. Lists of users leave out those who have a
    /// block with the caller, and silenced users whom the caller does not follow.
    ///
    /// - Parameter userId: The user's id.
    /// - Throws: `APIError` with one of these codes, or one that any request may get: `userNotFound`.
    public func user(userId: String) async throws -> Account {
        try await client.value(Call(.get, ["v1", "users", userId]))
    }

    /// Get a user by username.
    ///
    /// Letter case is ignored.
    ///
    /// - Throws: `APIError` with one of these codes, or one that any request may get: `userNotFound`.
    public func userByUsername(username: String) async throws -> Account {
        try await client.value(Call(.get, ["v1", "users", "by-username", username]))
    }
}
