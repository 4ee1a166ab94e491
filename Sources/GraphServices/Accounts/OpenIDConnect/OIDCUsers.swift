import Foundation
import Sessions
import SocialGraph
import Synchronization

/// Maps the users of the OpenID Connect issuer to accounts. An account is created when its owner is first seen.
package final class OIDCUsers: Sendable {
    private let graph: GraphStore
    private let tokens: OIDCTokens
    private let revocations: TokenRevocations
    private let readOnly: ReadOnlyMode
    private let known = Mutex(TwoGenerationMap<String, UserID>(capacity: 65_536))

    package init(
        graph: GraphStore, tokens: OIDCTokens, revocations: TokenRevocations, readOnly: ReadOnlyMode = ReadOnlyMode()
    ) {
        self.graph = graph
        self.tokens = tokens
        self.revocations = revocations
        self.readOnly = readOnly
    }

    /// Returns the caller of a token; nil if the token is not from the OpenID Connect issuer.
    ///
    /// - Throws: `Problem`: 401, also for a user who has been deleted or has logged out everywhere since; 503, also for
    ///   a user without an account in read-only mode.
    package func caller(_ token: String) async throws -> VerifiedCaller? {
        guard tokens.isOurs(token) else { return nil }
        let claims = try await tokens.verify(token)
        let (user, revocation) = try await user(of: claims)
        let provedAt = (claims.authTime ?? claims.iat ?? 0) * 1_000
        guard let revocation, provedAt >= Double(revocation.loggedOutAt) else { throw CallerVerifier.revoked }
        return VerifiedCaller(
            user: user, session: nil, authenticatedAt: Int64(exactly: provedAt.rounded()),
            suspension: revocation.suspension)
    }

    private func user(of claims: OIDCClaims) async throws -> (UserID, TokenRevocationState?) {
        if let user = known.withLock({ $0[claims.sub] }), let revocation = try await revocations.state(of: user) {
            return (user, revocation)
        }
        // The user was never seen, or is deleted. The identity of a deleted account becomes free again some time later.
        let user: UserID
        if let found = try await graph.accounts.user(issuer: claims.iss, subject: claims.sub) {
            user = found
        } else if let reason = readOnly.reason {
            throw Problem.readOnly(reason)
        } else {
            user = try await graph.accounts.findOrCreateUser(ExternalIdentity(claims))
        }
        known.withLock { $0[claims.sub] = user }
        return (user, try await revocations.state(of: user))
    }
}

extension ExternalIdentity {
    /// Creates a user from the claims of a first token. The username comes from the first name that yields a valid one.
    package init(_ claims: OIDCClaims) {
        let isVerified = claims.emailVerified?.value == true
        let email = isVerified ? claims.email.flatMap { try? TextRules.email($0, field: "email") } : nil
        let names = [claims.preferredUsername, claims.name, claims.email].compactMap(\.self)
        let scalars = (claims.name ?? "").unicodeScalars.filter { $0.properties.generalCategory != .control }
        var displayName = String.UnicodeScalarView()
        displayName.append(contentsOf: scalars.prefix(SocialGraphLimits.displayNameLength))
        self.init(
            issuer: claims.iss, subject: claims.sub,
            username: names.lazy.compactMap(Self.username(of:)).first ?? "user",
            email: email, displayName: String(displayName),
            pictureURL: claims.picture.flatMap { try? TextRules.url($0, field: "picture") })
    }

    /// Returns the valid username nearest to `name`; nil if none of its characters is allowed in one. From an address,
    /// it takes the part before the `@`.
    package static func username(of name: String) -> String? {
        let local = name.prefix { $0 != "@" }
        let plain = local.folding(options: [.diacriticInsensitive, .widthInsensitive], locale: nil)
        let spaced = plain.unicodeScalars.map { $0.properties.isWhitespace || $0 == "-" ? "." : $0 }
        let allowed = spaced.filter { scalar in
            scalar.isASCII && (scalar.properties.isAlphabetic || scalar.properties.numericType != nil)
                || scalar == "_" || scalar == "."
        }
        let start = allowed.drop { $0 == "_" || $0 == "." }
        var username = String.UnicodeScalarView()
        username.append(contentsOf: start.prefix(SocialGraphLimits.usernameLength))
        return username.isEmpty ? nil : String(username)
    }
}
