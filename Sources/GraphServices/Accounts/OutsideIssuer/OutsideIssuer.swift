/// An issuer of tokens outside of this server, such as Firebase Auth or any other of OpenID Connect, that is believed
/// when it says who somebody is.
package struct OutsideIssuer: Sendable, Equatable {
    /// Where its public keys are.
    package enum Keys: Sendable, Equatable {
        case file(String)
        case url(String)
    }

    /// What its tokens say in `iss`; Firebase: `https://securetoken.google.com/<project>`.
    package let issuer: String
    /// What its tokens must say in `aud`; Firebase: the project.
    package let audience: String
    /// A JSON Web Key Set (RFC 7517).
    package let keys: Keys

    package init(issuer: String, audience: String, keys: Keys) {
        self.issuer = issuer
        self.audience = audience
        self.keys = keys
    }
}

extension OutsideIssuer.Keys {
    /// A URL of http or https, or else a path; nil for a malformed URL.
    package init?(_ text: String) {
        guard text.hasPrefix("https://") || text.hasPrefix("http://") else {
            self = .file(text)
            return
        }
        guard let url = try? TextRules.url(text, field: "jwks") else { return nil }
        self = .url(url)
    }
}
