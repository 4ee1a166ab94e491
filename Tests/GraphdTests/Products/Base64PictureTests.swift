import GraphServices
import TestSupport
import Testing

@testable import ProductAPIs

@Suite(.timeLimit(.unit))
struct Base64PictureTests {
    @Test func `a message quotes one scalar, however long the character is`() {
        // Initial consonants of Hangul in a row are one character, whatever their number.
        let text = "iVBO" + String(repeating: "\u{1100}", count: 100_000)
        let problem = #expect(throws: Problem.self) { try Base64Picture.bytes(text, field: "picture") }
        let reason = "\"\u{1100}\" at byte 4 is none of its characters"
        #expect(problem?.detail == "\"picture\" is not a picture in Base64: \(reason).")
    }
}
