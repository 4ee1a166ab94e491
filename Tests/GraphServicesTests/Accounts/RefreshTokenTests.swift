import Crypto
import Sessions
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

    @Test func `a successor is a new token of the same family`() throws {
        let (token, other) = (RefreshToken(), RefreshToken())
        let successor = RefreshToken(after: try #require(RefreshToken(presented: token.text)))
        let last = RefreshToken(after: successor)
        #expect(Set([token, successor, last, other].map(\.text)).count == 4)
        #expect(Set([token, successor, last, other].map(\.digest)).count == 4)
        #expect(successor.family == token.family && last.family == token.family && other.family != token.family)
        #expect(token.family != token.digest)
        // The half that is new has 128 bits.
        let bytes = try [successor, last].map { Array(try #require(Base64URL.decode($0.text))) }
        #expect(bytes[0].prefix(16) == bytes[1].prefix(16) && bytes[0].suffix(16) != bytes[1].suffix(16))
    }

    @Test(arguments: ["", "AA", String(repeating: "A", count: 42), String(repeating: "A", count: 44)])
    func `a text of another length is no token`(text: String) {
        #expect(RefreshToken(presented: text) == nil)
    }
}
