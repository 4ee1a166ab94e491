import Crypto
import TestSupport
import Testing

@testable import GraphServices

@Suite(.timeLimit(.unit))
struct RefreshTokenTests {
    @Test func `what is stored of a token is its SHA-256`() throws {
        let token = RefreshToken()
        #expect(token.digest == Array(SHA256.hash(data: Array(token.text.utf8))))
        #expect(try #require(RefreshToken(presented: token.text)).digest == token.digest)
        #expect(RefreshToken().text != token.text)
    }

    @Test(arguments: ["", "AA", String(repeating: "A", count: 42), String(repeating: "A", count: 44)])
    func `a text of another length is no token`(text: String) {
        #expect(RefreshToken(presented: text) == nil)
    }
}
