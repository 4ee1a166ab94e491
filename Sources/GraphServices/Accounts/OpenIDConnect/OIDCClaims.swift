import JWTKit

/// The claims of an OpenID Connect token that are used here. Their validity is checked on every use, see
/// ``OIDCTokens``. Times are seconds since 1970.
package struct OIDCClaims: JWTPayload, Sendable {
    let iss: String
    let sub: String
    let aud: TokenAudience
    let exp: Double
    let iat: Double?
    let nbf: Double?
    /// The time at which the user logged in; the token may be younger.
    let authTime: Double?
    package let email: String?
    let emailVerified: TokenFlag?
    let preferredUsername: String?
    package let name: String?
    package let picture: String?

    enum CodingKeys: String, CodingKey {
        case iss, sub, aud, exp, iat, nbf, email, name, picture
        case authTime = "auth_time"
        case emailVerified = "email_verified"
        case preferredUsername = "preferred_username"
    }

    /// Does nothing: ``OIDCTokens`` checks the claims, also those of a token that was verified before.
    package func verify(using algorithm: some JWTAlgorithm) throws {}
}

/// The audience of a token: one name or several. (JWTKit's own claim traps on an empty list, and claims are read before
/// the signature is verified.)
struct TokenAudience: Codable, Sendable {
    let value: [String]

    init(value: String) { self.value = [value] }

    init(from decoder: any Decoder) throws {
        let container = try decoder.singleValueContainer()
        if let one = try? container.decode(String.self) {
            value = [one]
        } else {
            value = try container.decode([String].self)
        }
    }

    func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        if value.count == 1 { try container.encode(value[0]) } else { try container.encode(value) }
    }
}

/// A Boolean value, or one written as a string, as some issuers do.
struct TokenFlag: Codable, Sendable {
    let value: Bool

    init(from decoder: any Decoder) throws {
        let container = try decoder.singleValueContainer()
        if let flag = try? container.decode(Bool.self) {
            value = flag
        } else {
            value = try container.decode(String.self) == "true"
        }
    }

    func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        try container.encode(value)
    }
}
