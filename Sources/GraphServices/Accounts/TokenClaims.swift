import JWTKit

/// The claims of a token.
struct TokenClaims: JWTPayload {
    static let party = "graphd"

    /// The user's id in decimal.
    let sub: SubjectClaim
    let iat: IssuedAtClaim
    let exp: ExpirationClaim
    let jti: IDClaim
    /// The user's token epoch at issue. Raising a user's epoch revokes all tokens issued before.
    let epoch: Int
    /// The id of the session in decimal. A token without one, such as an operator's, belongs to no session.
    var sid: String?
    let iss: IssuerClaim
    let aud: TokenAudience

    /// Leaves out the expiry on purpose: `TokenIssuer` checks it on every use, also for a token that it has verified
    /// before.
    func verify(using algorithm: some JWTAlgorithm) throws {
        guard iss.value == Self.party else {
            throw JWTError.claimVerificationFailure(failedClaim: iss, reason: "not issued by \(Self.party)")
        }
        guard aud.value.contains(Self.party) else {
            throw JWTError.claimVerificationFailure(failedClaim: iss, reason: "not intended for \(Self.party)")
        }
    }
}
