import Crypto
import CryptoExtras
import Database
import Foundation
import Sessions

@testable import GraphServices

/// A key pair of a test's issuer.
package struct OIDCKey: Sendable {
    package enum Kind: String, Sendable, CaseIterable {
        case es256 = "ES256"
        case rs256 = "RS256"
        case edDSA = "EdDSA"
    }

    package let kind: Kind
    package let identifier: String
    /// The public half as a member of a JSON Web Key Set.
    package let jwk: String
    private let signature: @Sendable (Data) throws -> Data

    package init(_ kind: Kind, _ identifier: String) throws {
        self.kind = kind
        self.identifier = identifier
        let (members, signature) = try Self.make(kind)
        jwk = #"{"kid":"\#(identifier)","use":"sig","alg":"\#(kind.rawValue)",\#(members)}"#
        self.signature = signature
    }

    private static func make(_ kind: Kind) throws -> (members: String, sign: @Sendable (Data) throws -> Data) {
        switch kind {
        case .es256:
            let key = P256.Signing.PrivateKey()
            let point = Array(key.publicKey.x963Representation)
            let (x, y) = (Base64URL.encode(Array(point[1..<33])), Base64URL.encode(Array(point[33...])))
            return (
                #""kty":"EC","crv":"P-256","x":"\#(x)","y":"\#(y)""#, { try key.signature(for: $0).rawRepresentation }
            )
        case .rs256:
            let key = try _RSA.Signing.PrivateKey(keySize: .bits2048)
            let parts = try key.publicKey.getKeyPrimitives()
            let (n, e) = (Base64URL.encode(Array(parts.modulus)), Base64URL.encode(Array(parts.publicExponent)))
            return (
                #""kty":"RSA","n":"\#(n)","e":"\#(e)""#,
                { try key.signature(for: SHA256.hash(data: $0), padding: .insecurePKCS1v1_5).rawRepresentation }
            )
        case .edDSA:
            let key = Curve25519.Signing.PrivateKey()
            let x = Base64URL.encode(Array(key.publicKey.rawRepresentation))
            return (#""kty":"OKP","crv":"Ed25519","x":"\#(x)""#, { try key.signature(for: $0) })
        }
    }

    /// A token with `claims`, a JSON object. `header` can replace the true header.
    package func token(_ claims: String, header: String? = nil) throws -> String {
        let header = header ?? #"{"alg":"\#(kind.rawValue)","typ":"JWT","kid":"\#(identifier)"}"#
        let signed = [header, claims].map { Base64URL.encode(Array($0.utf8)) }.joined(separator: ".")
        return signed + "." + Base64URL.encode(Array(try signature(Data(signed.utf8))))
    }

    package static func set(_ keys: [OIDCKey], and others: [String] = []) -> String {
        #"{"keys":[\#((keys.map(\.jwk) + others).joined(separator: ","))]}"#
    }
}
