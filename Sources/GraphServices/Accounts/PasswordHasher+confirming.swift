import Database
import Sessions
import SocialGraph

extension PasswordHasher {
    /// Checks that the caller is the user whom the token names, before a change that must not be open to the holder of
    /// a stolen token. The proof is the password or, for an account without one, a log-in within the last five minutes.
    ///
    /// - Parameters:
    ///   - field: the field that `password` was taken from.
    ///   - missing: the code for a password that was not given.
    /// - Throws: `Problem`: `missing`, 401 `wrong_credentials`, 403 `recent_login_required`, 429 `rate_limited`;
    ///   `GraphError.accountNotFound`.
    package func confirm(
        _ password: String?, of proven: VerifiedCaller, from origin: LoginOrigin, in graph: GraphStore, field: String,
        missing: ProblemCode = .missingField
    ) async throws -> Credentials {
        let caller = proven.user
        guard let credentials = try await graph.accounts.credentials(of: caller) else {
            throw GraphError.accountNotFound
        }
        guard let hash = credentials.passwordHash else {
            guard try await Self.hasJustLoggedIn(proven, graph) else {
                let minutes = RequestLimits.recentLogIn / Milliseconds.minute
                throw Problem(
                    .recentLoginRequired,
                    "This account has no password, and its last log-in was more than \(minutes) minutes ago. "
                        + "Log in again."
                )
            }
            return credentials
        }
        guard let password else {
            throw Problem(missing, "The field \"\(field)\" is required.", field: field)
        }
        let isRight = try await judgeGuess(AccountKey(caller.rawValue), from: .local) {
            try await verify(password, against: hash, for: WorkCaller(.user(caller.rawValue)))
        }
        guard isRight else {
            journal?.noteWrongPassword(of: caller, from: origin)
            throw Problem(.wrongCredentials, "The password is wrong.")
        }
        return credentials
    }

    private static func hasJustLoggedIn(_ caller: VerifiedCaller, _ graph: GraphStore) async throws -> Bool {
        var time = caller.authenticatedAt
        if let session = caller.session {
            // A session's tokens are renewed without a log-in.
            time = try await graph.sessions.sessions(of: caller.user).first { $0.id == session }?.createdAt
        }
        return time.map { SystemClock.milliseconds() - $0 <= RequestLimits.recentLogIn } ?? false
    }
}
