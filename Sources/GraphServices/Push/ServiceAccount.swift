import Foundation
import JWTKit

/// A service account of Google Cloud, from its key file: the sender's identity for Firebase.
package struct ServiceAccount: Sendable {
    let project: String
    package let email: String
    let tokenURL: String
    private let keys: JWTKeyCollection
    private let keyID: JWKIdentifier?

    /// A file that is not one of a service account. The text is for the operator, and reveals nothing about the key.
    package struct Unusable: Error, CustomStringConvertible {
        package let description: String
    }

    /// - Throws: ``Unusable``.
    package init(file path: String) async throws {
        guard let data = FileManager.default.contents(atPath: path) else {
            throw Unusable(description: "The service account file \(path) cannot be read.")
        }
        let members: Members
        do {
            members = try JSONDecoder().decode(Members.self, from: data)
        } catch {
            throw Unusable(description: "The service account file \(path) is not a service account key in JSON.")
        }
        guard members.type ?? "service_account" == "service_account", Self.isName(members.project),
            (try? TextRules.url(members.tokenURL, field: "token_uri")) != nil
        else {
            throw Unusable(description: "The service account file \(path) is of another type, or malformed.")
        }
        let key: Insecure.RSA.PrivateKey
        do {
            key = try Insecure.RSA.PrivateKey(pem: members.key)
        } catch {
            throw Unusable(description: "The private_key in \(path) is not an RSA key in PEM (PKCS #8).")
        }
        project = members.project
        email = members.email
        tokenURL = members.tokenURL
        keyID = members.keyID.map { JWKIdentifier(string: $0) }
        keys = await JWTKeyCollection().add(rsa: key, digestAlgorithm: .sha256, kid: keyID)
    }

    /// Returns a JWT that requests an access token (RFC 7523), valid for an hour from `now` (milliseconds since 1970).
    func assertion(now: Int64) async throws -> String {
        let issued = now / 1_000
        return try await keys.sign(
            Assertion(iss: email, scope: Self.scope, aud: tokenURL, iat: issued, exp: issued + 3_600), kid: keyID)
    }

    private static let scope = "https://www.googleapis.com/auth/firebase.messaging"

    /// Returns true for a valid name. It becomes part of a path.
    private static func isName(_ text: String) -> Bool {
        (1...128).contains(text.utf8.count)
            && text.utf8.allSatisfy { byte in
                (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(byte)
                    || (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte) || "-.:".utf8.contains(byte)
            }
    }

    private struct Members: Decodable {
        let type: String?
        let project: String
        let keyID: String?
        let key: String
        let email: String
        let tokenURL: String

        enum CodingKeys: String, CodingKey {
            case type
            case project = "project_id"
            case keyID = "private_key_id"
            case key = "private_key"
            case email = "client_email"
            case tokenURL = "token_uri"
        }
    }

    private struct Assertion: JWTPayload {
        let iss: String
        let scope: String
        let aud: String
        let iat: Int64
        let exp: Int64

        /// Does nothing: these tokens are not verified here.
        func verify(using algorithm: some JWTAlgorithm) throws {}
    }
}
