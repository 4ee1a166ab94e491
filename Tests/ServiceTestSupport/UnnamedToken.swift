import Crypto
import Foundation
import Sessions

@testable import GraphServices

/// A token from the time before the header named the key.
package enum UnnamedToken {
    /// The claims of `token` under a header without `kid`.
    package static func resigned(_ token: String, by key: TokenKey) throws -> String {
        let claims = token.split(separator: ".")[1]
        let input = Base64URL.encode(Array(#"{"alg":"HS256","typ":"JWT"}"#.utf8)) + "." + claims
        let code = HMAC<SHA256>.authenticationCode(for: Data(input.utf8), using: SymmetricKey(data: key.bytes))
        return input + "." + Base64URL.encode(Array(code))
    }
}
