import JWTKit
import Sessions
import StrictJSON
import Synchronization

/// Verifies tokens of the OpenID Connect issuer, and finds their users.
///
/// A verified token is remembered with the key set that verified it, so that a read does not pay for a signature. Its
/// times are checked on every use.
package final class OIDCTokens: Sendable {
    /// A token whose signature holds.
    struct Verified: Sendable {
        let claims: OIDCClaims
        fileprivate let generation: Int
    }

    /// Largest accepted lead of the issuer's clock over this server's, in seconds.
    private static let clockSkew = 60.0

    package let issuer: OIDCProvider
    private let source: KeySource
    private let verified: Mutex<TwoGenerationMap<String, Verified>>
    private let now: @Sendable () -> Int64

    /// - Parameter now: milliseconds since 1970.
    package init(issuer: OIDCProvider, source: KeySource, now: @escaping @Sendable () -> Int64) {
        self.issuer = issuer
        self.source = source
        self.now = now
        verified = Mutex(TwoGenerationMap(capacity: 16_384))
    }

    /// Returns true if the token claims, unverified, to be from this issuer.
    func isOurs(_ token: String) -> Bool {
        guard token.utf8.count <= RequestLimits.outsideTokenBytes, token.utf8.allSatisfy({ $0 < 0x80 }) else {
            return false
        }
        if verified.withLock({ $0[token] != nil }) { return true }
        let parts = token.split(separator: ".", omittingEmptySubsequences: false)
        return parts.count == 3 && Self.member("iss", ofPart: parts[1]) == issuer.issuer
    }

    /// - Throws: `Problem`: 401 `token_invalid`, `token_expired`; 503 `unavailable` while no key is known.
    package func verify(_ token: String) async throws -> OIDCClaims {
        let parts = token.split(separator: ".", omittingEmptySubsequences: false)
        guard parts.count == 3, Base64URL.decode(String(parts[2])) != nil, let header = Self.object(ofPart: parts[0]),
            !header.contains(where: { $0.name == "crit" }), case .string(let algorithm)? = header.value(of: "alg"),
            let found = try await source.key(Self.text(header.value(of: "kid"))), found.key.algorithm == algorithm
        else { throw Self.invalid }
        if let known = verified.withLock({ $0[token] }), known.generation == found.generation {
            return try current(known.claims)
        }
        let claims: OIDCClaims
        do {
            claims = try await found.key.verify(token)
        } catch {
            throw Problem(.tokenInvalid, Self.detail, underlying: error)
        }
        let accepted = try current(try intended(claims))
        verified.withLock { $0[token] = Verified(claims: accepted, generation: found.generation) }
        return accepted
    }

    /// Checks that the token is from this issuer, for this server, and about a user.
    private func intended(_ claims: OIDCClaims) throws -> OIDCClaims {
        guard claims.iss == issuer.issuer, claims.aud.value.contains(issuer.audience),
            RequestLimits.subjectLength.contains(claims.sub.unicodeScalars.count)
        else { throw Self.invalid }
        return claims
    }

    private func current(_ claims: OIDCClaims) throws -> OIDCClaims {
        let seconds = Double(now()) / 1_000
        guard seconds < claims.exp else {
            throw Problem(.tokenExpired, "The bearer token has expired; log in again.")
        }
        let starts = [claims.nbf, claims.iat, claims.authTime].compactMap(\.self)
        guard starts.allSatisfy({ $0 <= seconds + Self.clockSkew }) else { throw Self.invalid }
        return claims
    }

    private static let detail = "The bearer token was not issued by the issuer that this server trusts."
    private static let invalid = Problem(.tokenInvalid, detail)

    private static func object(ofPart part: Substring) -> [JSONMember]? {
        guard let bytes = Base64URL.decode(String(part)), case .object(let members)? = try? JSONReader.read(bytes)
        else { return nil }
        return members
    }

    private static func member(_ name: String, ofPart part: Substring) -> String? {
        object(ofPart: part).flatMap { text($0.value(of: name)) }
    }

    private static func text(_ value: JSONValue?) -> String? {
        guard case .string(let text)? = value else { return nil }
        return text
    }
}

extension [JSONMember] {
    fileprivate func value(of name: String) -> JSONValue? { first { $0.name == name }?.value }
}
