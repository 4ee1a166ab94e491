import Foundation
import JWTKit
import Sessions
import Synchronization

/// The user and session of a valid token.
package struct VerifiedToken: Sendable, Equatable {
    package let userID: Int64
    /// Milliseconds since 1970.
    let issuedAt: Int64
    package let expiresAt: Int64
    /// The token epoch at issue. The token is revoked if it is lower than the user's present epoch.
    let epoch: Int
    /// The session with which the token ends; nil if it belongs to none.
    package var session: Int64?
}

/// Issues and verifies the bearer tokens: JWT with HS256 only. The header names the key (`kid`). Older tokens without a
/// `kid` are tried with every key that still verifies.
///
/// A verified token is remembered, so that a read does not pay for HMAC and JSON. Its expiry is checked on every use,
/// and a change of the keys clears the memory.
package final class TokenIssuer: Sendable {
    private struct Remembered: Sendable {
        let token: VerifiedToken
        /// Generation of the keys that verified the token.
        let generation: Int
    }

    private static let algorithm = "HS256"

    private let keys: TokenKeys
    private let parser = DefaultJWTParser()
    private let verified: Mutex<TwoGenerationMap<String, Remembered>>
    private let now: @Sendable () -> Int64

    /// - Parameters:
    ///   - remembering: tokens remembered; at most twice as many.
    ///   - now: the wall clock, in milliseconds since 1970.
    package init(
        keys: TokenKeys,
        remembering capacity: Int = 16_384,
        now: @escaping @Sendable () -> Int64 = { Int64(Date().timeIntervalSince1970 * 1000) }
    ) {
        self.keys = keys
        verified = Mutex(TwoGenerationMap(capacity: capacity))
        self.now = now
    }

    /// Reads the keys again, in case another process has rotated them.
    ///
    /// - Throws: `TokenKey.Unusable`; the keys stay unchanged then.
    func reloadKeys() async throws { try await keys.reload() }

    /// Issues a token.
    ///
    /// - Parameters:
    ///   - epoch: the user's present token epoch.
    ///   - session: the session with which the token ends.
    ///   - lifetime: rounded down to whole seconds, the precision of a token.
    /// - Returns: the token, and its expiry in milliseconds since 1970.
    package func issue(
        userID: Int64, epoch: Int = 0, session: Int64? = nil, lifetime: Duration
    ) async throws -> (token: String, expiresAtMilliseconds: Int64) {
        let time = now()
        let issued = time / 1000
        let expires = issued + lifetime.components.seconds
        let claims = TokenClaims(
            sub: SubjectClaim(value: String(userID)),
            iat: IssuedAtClaim(value: Date(timeIntervalSince1970: Double(issued))),
            exp: ExpirationClaim(value: Date(timeIntervalSince1970: Double(expires))),
            jti: IDClaim(value: UUID().uuidString.lowercased()),
            epoch: epoch,
            sid: session.map { String($0) },
            iss: IssuerClaim(value: TokenClaims.party),
            aud: TokenAudience(value: TokenClaims.party)
        )
        let current = await keys.current(now: time)
        try await keys.prepare(lifetime: lifetime.components.seconds * 1000, current)
        let kid = JWKIdentifier(string: current.ring.signing.id)
        return (try await current.signing.sign(claims, kid: kid), expires * 1000)
    }

    /// - Throws: `Problem` 401 `token_invalid` or `token_expired`.
    package func verify(_ token: String) async throws -> VerifiedToken {
        // Only ASCII may reach the map, because strings compare by canonical equivalence.
        guard token.utf8.count <= RequestLimits.tokenBytes, token.utf8.allSatisfy({ $0 < 0x80 }) else {
            throw Self.invalid(nil)
        }
        let current = await keys.current(now: now())
        if let known = verified.withLock({ $0[token] }), known.generation == current.generation {
            return try unexpired(known.token)
        }
        let fresh = try unexpired(try await verifySignature(token, current))
        verified.withLock { $0[token] = Remembered(token: fresh, generation: current.generation) }
        return fresh
    }

    /// The user of a token that was verified before and is remembered, so that work may begin early that is of no use
    /// if the token does not hold any more; nil: it is not known.
    package func rememberedUser(of token: String) -> Int64? {
        guard token.utf8.count <= RequestLimits.tokenBytes, token.utf8.allSatisfy({ $0 < 0x80 }) else { return nil }
        return verified.withLock { $0[token] }?.token.userID
    }

    private func verifySignature(_ token: String, _ keys: TokenKeys.Snapshot) async throws -> VerifiedToken {
        let claims: TokenClaims
        do {
            let header = try parser.parse(Array(token.utf8), as: TokenClaims.self).header
            guard header.alg == Self.algorithm, header.crit == nil else {
                throw JWTError.generic(identifier: "alg", reason: "only \(Self.algorithm) is accepted")
            }
            var candidates = keys.candidates(header.kid, now: now())
            if candidates.isEmpty {
                // Another process may have just rotated the keys.
                candidates = try await self.keys.reload(onlyIfChanged: true).candidates(header.kid, now: now())
            }
            claims = try await Self.claims(of: token, candidates)
        } catch {
            throw Self.invalid(error)
        }
        let session = claims.sid.flatMap { TextRules.parseID($0) }
        guard let userID = TextRules.parseID(claims.sub.value), (session == nil) == (claims.sid == nil),
            let expires = Self.milliseconds(claims.exp.value), let issued = Self.milliseconds(claims.iat.value)
        else { throw Self.invalid(nil) }
        return VerifiedToken(
            userID: userID, issuedAt: issued, expiresAt: expires, epoch: claims.epoch, session: session)
    }

    /// Returns the claims of a token that one of `keys` has signed.
    private static func claims(of token: String, _ keys: [JWTKeyCollection]) async throws -> TokenClaims {
        var failure: any Error = JWTError.generic(identifier: "kid", reason: "no such key")
        for key in keys {
            do {
                return try await key.verify(token, as: TokenClaims.self)
            } catch {
                failure = error
            }
        }
        throw failure
    }

    /// Milliseconds since 1970; nil for a time outside the range of a clock.
    private static func milliseconds(_ time: Date) -> Int64? {
        guard let seconds = Int64(exactly: time.timeIntervalSince1970.rounded()) else { return nil }
        let (milliseconds, overflows) = seconds.multipliedReportingOverflow(by: 1000)
        return overflows || milliseconds < 0 ? nil : milliseconds
    }

    private func unexpired(_ token: VerifiedToken) throws -> VerifiedToken {
        guard now() < token.expiresAt else {
            throw Problem(.tokenExpired, "The bearer token has expired; log in again.")
        }
        return token
    }

    private static func invalid(_ cause: (any Error)?) -> Problem {
        Problem(.tokenInvalid, "The bearer token was not issued by this server.", underlying: cause)
    }
}
