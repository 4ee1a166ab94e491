import GraphServices

extension MediaLinks.Claim {
    /// Finds the parameters of a signed link; nil if the query has not all of them. Their values need no
    /// percent-encoding.
    package init?(query: String?) {
        guard let query, query.utf8.count <= RequestLimits.queryBytes else { return nil }
        let pairs = query.split(separator: "&", maxSplits: RequestLimits.queryParameters)
        func value(of name: String) -> String? {
            pairs.first { $0.hasPrefix(name + "=") }.map { String($0.dropFirst(name.count + 1)) }
        }
        guard let user = value(of: "user"), let expires = value(of: "expires"), let signature = value(of: "signature")
        else { return nil }
        self.init(user: user, expires: expires, signature: signature)
    }
}

extension QueryParameters {
    /// Reads `expiresIn`, in seconds; ``RequestLimits/defaultLinkSeconds`` if it is not given.
    package mutating func linkLifetime() throws -> Int64 {
        guard let text = string("expiresIn") else { return RequestLimits.defaultLinkSeconds }
        let range = RequestLimits.linkSeconds
        guard let seconds = TextRules.parseID(text), range.contains(seconds) else {
            throw Problem(
                .invalidParameter,
                "\"expiresIn\" must be a whole number of seconds from \(range.lowerBound) to \(range.upperBound).",
                field: "expiresIn")
        }
        return seconds
    }
}
