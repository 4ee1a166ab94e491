/// A trusted OpenID Connect issuer, such as Firebase Auth.
package struct OIDCProvider: Sendable, Equatable {
    /// The location of the issuer's public keys.
    package enum Keys: Sendable, Equatable {
        case file(String)
        case url(String)
    }

    /// The `iss` of its tokens; Firebase: `https://securetoken.google.com/<project>`.
    package let issuer: String
    /// The required `aud` of its tokens; Firebase: the project.
    package let audience: String
    /// A JSON Web Key Set (RFC 7517).
    package let keys: Keys

    package init(issuer: String, audience: String, keys: Keys) {
        self.issuer = issuer
        self.audience = audience
        self.keys = keys
    }
}

extension OIDCProvider.Keys {
    /// Parses an http or https URL, or else a path. Returns nil for a malformed URL.
    package init?(_ text: String) {
        guard text.hasPrefix("https://") || text.hasPrefix("http://") else {
            self = .file(text)
            return
        }
        guard let url = try? TextRules.url(text, field: "jwks") else { return nil }
        self = .url(url)
    }
}
