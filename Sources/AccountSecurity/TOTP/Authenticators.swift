import GraphServices
import Sessions
import SocialGraph

/// Second factors of log-ins: set up, confirmed and removed by the owner of an account.
///
/// Once an account has one, each of its sessions has proven a code: the sessions before it end, and a log-in needs one.
package struct Authenticators: Sendable {
    let graph: GraphStore
    let passwords: PasswordHasher
    /// Names the site in the list of an authenticator.
    let issuer: String

    package init(graph: GraphStore, passwords: PasswordHasher, issuer: String) {
        (self.graph, self.passwords, self.issuer) = (graph, passwords, issuer)
    }

    /// A secret that is not confirmed yet, and the address that contains it.
    package struct Enrolment: Sendable {
        package let secret: String
        package let url: String
    }

    package func state(of user: UserID) async throws -> TOTPState { try await graph.totp.state(of: user) }

    /// Creates a secret for the caller's authenticator.
    ///
    /// - Throws: `Problem` 409 `totp_enabled`; as ``PasswordHasher/confirm(_:of:from:in:field:missing:)``.
    package func begin(
        for caller: VerifiedCaller, password: String?, from origin: LoginOrigin
    ) async throws -> Enrolment {
        _ = try await passwords.confirm(password, of: caller, from: origin, in: graph, field: "password")
        guard let account = try await graph.accounts.account(caller.user) else { throw GraphError.accountNotFound }
        guard let secret = try await graph.totp.begin(of: caller.user) else { throw Self.isEnabled }
        return Enrolment(secret: secret.base32, url: secret.url(issuer: issuer, account: account.username))
    }

    /// Gives the account its second factor, for a caller whose authenticator shows the right code. Every other session
    /// ends.
    ///
    /// - Throws: `Problem` 401 `wrong_code`, 409 `totp_enabled`, 409 `totp_not_enabled`, 429 `rate_limited`.
    package func confirm(
        _ code: String, of caller: VerifiedCaller, from origin: LoginOrigin
    ) async throws -> [RecoveryCode] {
        var codes: [RecoveryCode] = []
        try await passwords.proveSecondFactor(code, of: caller.user) { proof in
            guard case .code(let code) = proof else { return false }
            switch try await graph.totp.confirm(code, of: caller.user, keeping: caller.session, from: origin) {
            case .enabled(let new): codes = new
            case .wrongCode: return false
            case .notBegun: throw Problem(.totpNotEnabled, "Begin with POST /v1/me/totp, which gives a secret.")
            case .alreadyEnabled: throw Self.isEnabled
            }
            return true
        }
        return codes
    }

    /// Replaces the recovery codes.
    ///
    /// - Throws: as ``remove(of:password:code:from:)``.
    package func replaceRecoveryCodes(
        of caller: VerifiedCaller, password: String?, code: String, from origin: LoginOrigin
    ) async throws -> [RecoveryCode] {
        var codes: [RecoveryCode] = []
        try await prove(code, caller, password, origin) { proof in
            guard let new = try await graph.totp.replaceRecoveryCodes(of: caller.user, by: proof, from: origin) else {
                return false
            }
            codes = new
            return true
        }
        return codes
    }

    /// Removes the second factor.
    ///
    /// - Throws: `Problem` 401 `wrong_code`, 409 `totp_not_enabled`, 429 `rate_limited`; as
    ///   ``PasswordHasher/confirm(_:of:from:in:field:missing:)``.
    package func remove(
        of caller: VerifiedCaller, password: String?, code: String, from origin: LoginOrigin
    ) async throws {
        try await prove(code, caller, password, origin) {
            try await graph.totp.remove(of: caller.user, by: $0, from: origin)
        }
    }

    private func prove(
        _ code: String, _ caller: VerifiedCaller, _ password: String?, _ origin: LoginOrigin,
        _ judge: (TOTPProof) async throws -> Bool
    ) async throws {
        _ = try await passwords.confirm(password, of: caller, from: origin, in: graph, field: "password")
        guard try await graph.totp.isEnabled(of: caller.user) else {
            throw Problem(.totpNotEnabled, "The account has no authenticator.")
        }
        try await passwords.proveSecondFactor(code, of: caller.user, judge)
    }

    private static let isEnabled = Problem(
        .totpEnabled, "The account has an authenticator. Remove it before you set up another.")
}
