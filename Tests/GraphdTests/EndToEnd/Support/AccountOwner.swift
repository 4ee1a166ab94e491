import Foundation
import ServiceTestSupport
import Sessions
import Testing

@testable import StrictJSON

/// An account of its own, whose authenticator the test plays.
struct AccountOwner {
    static let password = "correct horse"

    let server: GraphdServer
    var name = "t" + UUID().uuidString.prefix(8).lowercased()
    var email: String { "\(name)@example.org" }

    /// Signs up; returns the client of the first session.
    func signUp() async throws -> APIClient {
        let body = #"{"email":"\#(email)","password":"\#(Self.password)","username":"\#(name)"}"#
        return try client(await server.client().post("/v1/auth/signup", body))
    }

    func client(_ answer: Answer) throws -> APIClient {
        server.client(token: try #require(try answer.json["token"]?.text, "\(answer)"))
    }

    func logIn(_ code: String? = nil, password: String = Self.password, at path: String = "/v1") async throws -> Answer
    {
        let code = code.map { #","code":"\#($0)""# } ?? ""
        return try await server.client().post(
            path + "/auth/login", #"{"email":"\#(email)","password":"\#(password)"\#(code)}"#)
    }

    /// Sets up the authenticator; returns its secret and the recovery codes.
    func setUp(_ client: APIClient) async throws -> (secret: TOTPSecret, codes: [String]) {
        let begun = try await client.post("/v1/me/totp", #"{"password":"\#(Self.password)"}"#)
        #expect(begun.status == 201)
        let secret = try Self.secret(begun)
        let code = secret.code(at: Self.step)
        let confirmed = try await client.post("/v1/me/totp/confirm", #"{"code":"\#(code)"}"#)
        #expect(confirmed.status == 200, "\(confirmed)")
        return (secret, try #require(try confirmed.json["recoveryCodes"]?.entries).compactMap(\.text))
    }

    static var step: Int64 { TOTPSecret.step(at: Int64(Date().timeIntervalSince1970 * 1_000)) }

    /// Reads the secret as an authenticator does.
    private static func secret(_ answer: Answer) throws -> TOTPSecret {
        let text = try #require(try answer.json["secret"]?.text)
        #expect(try answer.json["url"]?.text?.contains("?secret=\(text)&issuer=") == true)
        let alphabet = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZ234567")
        var (bytes, bits, count) = ([UInt8](), 0, 0)
        for character in text {
            (bits, count) = (bits << 5 | (try #require(alphabet.firstIndex(of: character))), count + 5)
            guard count >= 8 else { continue }
            count -= 8
            bytes.append(UInt8(bits >> count))
            bits &= 1 << count - 1
        }
        #expect(bytes.count == 20 && count == 0)
        return TOTPSecret(bytes: bytes)
    }
}
