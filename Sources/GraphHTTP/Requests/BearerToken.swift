import GraphServices
import HTTPTypes

/// The `Authorization: Bearer` header.
package enum BearerToken {
    private static let space = UInt8(ascii: " ")

    /// Returns the token in the header, unverified; nil if there is no such header.
    ///
    /// - Throws: `Problem` 401 `token_invalid` if the header is not `Bearer <token>`.
    package static func find(in headers: HTTPFields) throws -> String? {
        let values = headers[values: .authorization]
        guard let value = values.first else {
            return nil
        }
        // By bytes, in place: splitting it took a fiftieth of the processor time of a page.
        let rest = TextRules.rest(of: value, after: "bearer ")?.utf8.drop { $0 == space }
        guard values.count == 1, let rest, !rest.isEmpty, !rest.contains(space), let token = String(rest) else {
            throw Problem(.tokenInvalid, "The Authorization header must be \"Bearer\", a space and a token.")
        }
        return token
    }

    /// Same as `find`, but requires a token.
    ///
    /// - Throws: `Problem` 401 `token_missing` or `token_invalid`.
    package static func require(in headers: HTTPFields) throws -> String {
        guard let token = try find(in: headers) else {
            throw missing
        }
        return token
    }

    package static let missing = Problem(.tokenMissing, "The header \"Authorization: Bearer <token>\" is required.")
}

extension CallerVerifier {
    /// - Throws: `Problem` 401.
    func caller(of headers: HTTPFields) async throws -> VerifiedCaller {
        try await caller(BearerToken.require(in: headers))
    }

    /// Returns the caller, like ``caller(of:)``; nil for a request without a token.
    func callerIfAny(of headers: HTTPFields) async throws -> VerifiedCaller? {
        guard let token = try BearerToken.find(in: headers) else { return nil }
        return try await caller(token)
    }
}
