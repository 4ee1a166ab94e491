import Foundation
import JWTKit

/// The public keys of an issuer: a JSON Web Key Set (RFC 7517). Keys of an unknown kind, and keys that are not for
/// signatures, are skipped, so that an issuer may add such keys.
package struct KeySet: Sendable {
    /// One key and the only algorithm that it is accepted for.
    package struct Key: Sendable {
        let identifier: String?
        let algorithm: String
        fileprivate let collection: JWTKeyCollection

        /// - Throws: if the signature is not by this key.
        package func verify(_ token: String) async throws -> OIDCClaims {
            try await collection.verify(token, as: OIDCClaims.self)
        }
    }

    /// A text that is no key set, or that has no usable key.
    package struct Unusable: Error, CustomStringConvertible {
        package let description: String
    }

    let keys: [Key]

    /// - Throws: ``Unusable``.
    init(_ json: [UInt8]) async throws {
        let list: Members
        do {
            list = try JSONDecoder().decode(Members.self, from: Data(json))
        } catch {
            throw Unusable(description: "not a JSON Web Key Set: \(error)")
        }
        var keys: [Key] = []
        for member in list.keys {
            guard var key = member.key, member.use ?? "sig" == "sig", let algorithm = Self.algorithm(of: key) else {
                continue
            }
            key.algorithm = algorithm
            let identifier = key.keyIdentifier?.string
            key.keyIdentifier = key.keyIdentifier ?? JWKIdentifier(string: "")
            guard let collection = try? await JWTKeyCollection().add(jwk: key) else { continue }
            keys.append(Key(identifier: identifier, algorithm: algorithm.rawValue, collection: collection))
        }
        guard !keys.isEmpty else { throw Unusable(description: "a JSON Web Key Set without a usable key") }
        self.keys = keys
    }

    /// Returns the key that a token names. A token that names none means the only key.
    func key(_ identifier: String?) -> Key? {
        guard let identifier else { return keys.count == 1 ? keys[0] : nil }
        return keys.first { $0.identifier == identifier }
    }

    /// Returns the algorithm that the key names, or else the usual one of its kind; nil if signatures of that kind are
    /// not accepted.
    private static func algorithm(of key: JWK) -> JWK.Algorithm? {
        let usual: JWK.Algorithm? =
            switch (key.keyType, key.curve?.rawValue) {
            case (.rsa, _): .rs256
            case (.ecdsa, "P-256"?): .es256
            case (.ecdsa, "P-384"?): .es384
            case (.ecdsa, "P-521"?): .es512
            case (.octetKeyPair, _): .eddsa
            default: nil
            }
        guard let said = key.algorithm, let usual else { return usual }
        let isSigning: Bool =
            switch key.keyType {
            case .rsa: [.rs256, .rs384, .rs512, .ps256, .ps384, .ps512].contains(said)
            default: said == usual
            }
        return isSigning ? said : nil
    }

    private struct Members: Decodable {
        let keys: [Member]
    }

    private struct Member: Decodable {
        let key: JWK?
        let use: String?

        enum CodingKeys: String, CodingKey { case use }

        init(from decoder: any Decoder) throws {
            key = try? JWK(from: decoder)
            use = try? decoder.container(keyedBy: CodingKeys.self).decodeIfPresent(String.self, forKey: .use)
        }
    }
}
