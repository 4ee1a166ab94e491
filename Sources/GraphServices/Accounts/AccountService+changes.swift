import Database
import Sessions
import SocialGraph

extension AccountService {
    /// Checks that a profile change replaces the email address only for a caller who knows the password. The holder of
    /// the address could have the password reset. An address that the account already has is no change.
    ///
    /// - Throws: `Problem`: `password_required`, `recent_login_required`, `wrong_credentials`.
    package func confirmEmail(
        in change: inout ProfileChange, password: String?, of caller: VerifiedCaller, from origin: LoginOrigin
    ) async throws {
        guard let email = change.email else { return }
        guard let account = try await graph.accounts.account(caller.user) else { throw GraphError.accountNotFound }
        guard email != account.email else {
            change.email = nil
            return
        }
        _ = try await passwords.confirm(
            password, of: caller, from: origin, in: graph, field: "currentPassword", missing: .passwordRequired)
        change.origin = origin
    }

    /// Changes a profile whose new email address, if any, is confirmed. A new picture is stored as a file first.
    ///
    /// - Throws: as the graph and ``ProfilePictures`` do.
    package func changeProfile(of user: UserID, _ change: ProfileChange, picture: [UInt8]? = nil) async throws {
        var change = change
        if let picture {
            try pictures.check(picture)
            // Stored as late as possible: a name that is taken would leave the file behind, to be collected.
            change.picture = try await store(picture, of: user)
        }
        if change.isAny { try await graph.accounts.changeProfile(of: user, change) }
    }

    /// Sets a new password, which ends every session, and opens one.
    ///
    /// - Parameter current: nil where the account has none, after a recent log-in.
    package func changePassword(
        from current: String?, to new: String, of caller: VerifiedCaller, from origin: LoginOrigin
    ) async throws -> IssuedSession {
        let credentials = try await passwords.confirm(
            current, of: caller, from: origin, in: graph, field: "currentPassword")
        let account = try await graph.accounts.account(caller.user)
        let names = [account?.username, account?.email].compactMap(\.self)
        let hash = try await passwords.hash(
            new, of: names, for: WorkCaller(.user(caller.user.rawValue)), field: "newPassword")
        return try await sessions.reopen(
            for: caller.user, password: hash, epoch: credentials.tokenEpoch, from: origin)
    }

    /// Deletes the account for everybody.
    ///
    /// - Parameter password: nil where the account has none, after a recent log-in.
    package func delete(_ caller: VerifiedCaller, password: String?, from origin: LoginOrigin) async throws {
        let credentials = try await passwords.confirm(password, of: caller, from: origin, in: graph, field: "password")
        guard try await graph.erasures.deleteAccount(caller.user, epoch: credentials.tokenEpoch) else {
            throw Problem.wrongCredentials
        }
    }
}

extension AccountService {
    /// Renews a session; the refresh token is spent.
    package func renew(_ refreshToken: String, from origin: LoginOrigin) async throws -> IssuedSession {
        try await sessions.renew(refreshToken, from: origin)
    }

    /// Ends the session of the caller's token.
    ///
    /// - Throws: `Problem` `not_found` where the token belongs to none.
    package func logOut(_ caller: VerifiedCaller) async throws {
        guard let session = caller.session else {
            throw Problem(.notFound, "This token belongs to no session. To revoke it, log out of all sessions.")
        }
        try await graph.sessions.endSession(session, of: caller.user)
    }
}

extension ProfileChange {
    /// True if the change has any field.
    fileprivate var isAny: Bool {
        username != nil || displayName != nil || bio != nil || picture != nil || email != nil || isBusiness != nil
            || isPrivate != nil
            || preferences != nil || algorithms != nil || topicsInHome != nil || communitiesInHome != nil
            || autoAcceptance != nil
    }
}
