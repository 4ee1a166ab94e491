import Foundation
import JWTKit
import Synchronization

/// Whom a valid token speaks for.
struct VerifiedToken: Sendable, Equatable {
    let userID: Int64
    /// Milliseconds since 1970.
    let expiresAt: Int64
    /// To be compared with the user's present epoch: a lower one was revoked.
    let epoch: Int
    /// The session that the token dies with; nil: it belongs to none.
    var session: Int64?
}

/// Issues and verifies the bearer tokens: JWT, HS256, nothing else.
///
/// A token once verified is remembered, so that a read does not pay for HMAC and JSON; its expiry is checked on every
/// use all the same.
final class TokenIssuer: Sendable {
    private static let algorithm = "HS256"

    private let keys: JWTKeyCollection
    private let parser = DefaultJWTParser()
    private let verified: Mutex<TwoGenerationMap<String, VerifiedToken>>
    private let now: @Sendable () -> Int64

    /// - Parameters:
    ///   - remembering: tokens remembered; at most twice as many.
    ///   - now: the wall clock, in milliseconds since 1970.
    init(
        key: TokenKey,
        remembering capacity: Int = 16_384,
        now: @escaping @Sendable () -> Int64 = { Int64(Date().timeIntervalSince1970 * 1000) }
    ) async {
        keys = await JWTKeyCollection().add(hmac: HMACKey(from: key.bytes), digestAlgorithm: .sha256)
        verified = Mutex(TwoGenerationMap(capacity: capacity))
        self.now = now
    }

    /// - Parameters:
    ///   - epoch: the user's present token epoch.
    ///   - session: what the token is to die with.
    ///   - lifetime: rounded down to whole seconds, which is what a token can say.
    /// - Returns: the token, and when it expires in milliseconds since 1970.
    func issue(
        userID: Int64, epoch: Int = 0, session: Int64? = nil, lifetime: Duration
    ) async throws -> (token: String, expiresAtMilliseconds: Int64) {
        let issued = now() / 1000
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
        return (try await keys.sign(claims), expires * 1000)
    }

    /// - Throws: `Problem` 401 `token_invalid` or `token_expired`.
    func verify(_ token: String) async throws -> VerifiedToken {
        // Only ASCII may reach the map: strings compare by canonical equivalence.
        guard token.utf8.count <= RequestLimits.tokenBytes, token.utf8.allSatisfy({ $0 < 0x80 }) else {
            throw Self.invalid(nil)
        }
        if let known = verified.withLock({ $0[token] }) {
            return try unexpired(known)
        }
        let fresh = try await verifySignature(token)
        let current = try unexpired(fresh)
        verified.withLock { $0[token] = current }
        return current
    }

    private func verifySignature(_ token: String) async throws -> VerifiedToken {
        let claims: TokenClaims
        do {
            let header = try parser.parse(Array(token.utf8), as: TokenClaims.self).header
            guard header.alg == Self.algorithm, header.crit == nil else {
                throw JWTError.generic(identifier: "alg", reason: "only \(Self.algorithm) is accepted")
            }
            claims = try await keys.verify(token, as: TokenClaims.self)
        } catch {
            throw Self.invalid(error)
        }
        let session = claims.sid.flatMap { TextRules.parseID($0) }
        guard let userID = TextRules.parseID(claims.sub.value), (session == nil) == (claims.sid == nil) else {
            throw Self.invalid(nil)
        }
        let expires = Int64(claims.exp.value.timeIntervalSince1970.rounded()) * 1000
        return VerifiedToken(userID: userID, expiresAt: expires, epoch: claims.epoch, session: session)
    }

    private func unexpired(_ token: VerifiedToken) throws -> VerifiedToken {
        guard now() < token.expiresAt else {
            throw BearerToken.problem(.tokenExpired, "The bearer token has expired; log in again.")
        }
        return token
    }

    private static func invalid(_ cause: (any Error)?) -> Problem {
        BearerToken.problem(.tokenInvalid, "The bearer token is not one that this server issued.", underlying: cause)
    }
}
