/// An issuer of tokens outside of this server, such as Firebase Auth or any other of OpenID Connect, that is believed
/// when it says who somebody is.
struct OutsideIssuer: Sendable, Equatable {
    /// Where its public keys are.
    enum Keys: Sendable, Equatable {
        case file(String)
        case url(String)
    }

    /// What its tokens say in `iss`; Firebase: `https://securetoken.google.com/<project>`.
    let issuer: String
    /// What its tokens must say in `aud`; Firebase: the project.
    let audience: String
    /// A JSON Web Key Set (RFC 7517).
    let keys: Keys
}

extension OutsideIssuer.Keys {
    /// A URL of http or https, or else a path; nil for a malformed URL.
    init?(_ text: String) {
        guard text.hasPrefix("https://") || text.hasPrefix("http://") else {
            self = .file(text)
            return
        }
        guard let url = try? TextRules.url(text, field: "jwks") else { return nil }
        self = .url(url)
    }
}
