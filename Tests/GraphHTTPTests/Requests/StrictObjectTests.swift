import HTTPTypes
import ServiceTestSupport
import TestSupport
import Testing

@testable import GraphHTTP
@testable import GraphServices

@Suite(.timeLimit(.unit))
struct StrictObjectTests {
    private func problem(_ text: String, _ read: (inout StrictObject) throws -> Void) -> Problem? {
        #expect(throws: Problem.self) {
            var body = try StrictObject(Array(text.utf8))
            try read(&body)
            try body.end()
        }
    }

    @Test func `a whole body is read`() throws {
        let text = """
            {"caption":"hi","mediaUrl":"https://a.example/x?y=1","algorithmTags":["b","a","b"],
             "collaborators":["2","1","2"],
             "link":null,"flag":false,"count":3,"email":"a.b@c.example","username":"u17"}
            """
        var body = try StrictObject(Array(text.utf8))
        #expect(try body.string("caption", maxLength: 2) == "hi")
        #expect(try body.url("mediaUrl") == "https://a.example/x?y=1")
        #expect(try body.strings("algorithmTags", maxCount: 3, maxLength: 1) == ["b", "a"])
        #expect(try body.ids("collaborators", maxCount: 3) == [2, 1])
        #expect(try body.optionalURL("link") == nil)
        #expect(try body.optionalString("category", maxLength: 9) == nil)
        #expect(try body.bool("flag") == false)
        #expect(try body.integer("count", in: 0...3) == 3)
        #expect(try body.email("email") == "a.b@c.example")
        #expect(try body.username("username") == "u17")
        try body.end()
    }

    @Test(arguments: ["", "[]", "\"a\"", "{", "{\"a\":\"\\u0000\"}", "nul", "{\"a\":1}x"])
    func `what is no JSON object is invalid JSON`(_ text: String) {
        let problem = problem(text) { _ in }
        #expect(problem?.code == .invalidJSON)
        #expect(problem?.status.code == 400)
    }

    @Test func `unknown and doubled fields are named`() {
        let unknown = problem(#"{"a":"x","zwei":1}"#) { _ = try $0.string("a", maxLength: 9) }
        #expect(unknown?.code == .unknownField)
        #expect(unknown?.field == "zwei")
        let doubled = problem(#"{"a":1,"a":2}"#) { _ = $0.take("a") }
        #expect(doubled?.code == .duplicateField)
        #expect(doubled?.field == "a")
    }

    @Test(arguments: ["{}", #"{"a":null}"#])
    func `a missing required field is named`(_ text: String) {
        let problem = problem(text) { _ = try $0.string("a", maxLength: 9) }
        #expect(problem?.code == .missingField)
        #expect(problem?.field == "a")
    }

    @Test func `a wrong type says what was sent and what would be right`() {
        let reads: [(inout StrictObject) throws -> Void] = [
            { _ = try $0.string("a", maxLength: 9) }, { _ = try $0.url("a") }, { _ = try $0.id("a") },
            { _ = try $0.bool("a") }, { _ = try $0.strings("a", maxCount: 9, maxLength: 9) },
        ]
        for read in reads {
            let problem = problem(#"{"a":1.5}"#, read)
            #expect(problem?.code == .invalidType)
            #expect(problem?.detail.contains("got a number") == true)
        }
        #expect(problem(#"{"a":1.5}"#) { _ = try $0.integer("a", in: 0...9) }?.code == .invalidType)
        let mixed = problem(#"{"a":["x",1]}"#) { _ = try $0.strings("a", maxCount: 9, maxLength: 9) }
        #expect(mixed?.code == .invalidType)
    }

    @Test func `length is counted in scalars and tags before doubles are dropped`() throws {
        // The value is two scalars and one character.
        #expect(problem(#"{"a":"e\u0301"}"#) { _ = try $0.string("a", maxLength: 1) }?.code == .tooLong)
        #expect(
            problem(#"{"a":["x","x","x"]}"#) { _ = try $0.strings("a", maxCount: 2, maxLength: 1) }?.code == .tooMany)
        #expect(
            problem(#"{"a":["x",""]}"#) { _ = try $0.strings("a", maxCount: 2, maxLength: 1) }?.code == .invalidValue)
        let empty = problem(#"{"a":""}"#) { _ = try $0.string("a", maxLength: 1) }
        #expect(empty?.code == .invalidValue)
        #expect(empty?.status.code == 422)
        #expect(problem(#"{"a":10}"#) { _ = try $0.integer("a", in: 0...9) }?.code == .invalidValue)
    }

    @Test(arguments: [
        "ftp://a.example/", "/x", "a.example", "http://", "http:///x", "https://a b.example/", "https://a.example:0/",
        "https://a.example:x/", "https://[]/", "javascript:alert(1)", "http://\u{A0}", "https://a.example/\"",
        "https://a.example/" + String(repeating: "x", count: 2048),
    ])
    func `bad URLs are refused`(_ text: String) {
        #expect(throws: Problem.self) { try TextRules.url(text, field: "a") }
    }

    @Test(arguments: ["http://a", "HTTPS://A.example:8443/ü?x=%20#y", "https://[::1]:80/", "https://u:p@a.example"])
    func `good URLs are accepted`(_ text: String) throws {
        #expect(try TextRules.url(text, field: "a") == text)
    }

    @Test(arguments: [
        "", "a", "a@", "@b.example", "a@b", "a@b@c.example", "a b@c.example", "a@-c.example", "a@c..example",
    ])
    func `bad emails are refused`(_ text: String) {
        let problem = #expect(throws: Problem.self) { try TextRules.email(text, field: "a") }
        #expect(problem?.code == .invalidEmail)
    }

    @Test(arguments: ["", "_a", "a b", "é", "a-b", String(repeating: "a", count: 31)])
    func `bad usernames are refused`(_ text: String) {
        let problem = #expect(throws: Problem.self) { try TextRules.username(text, field: "a") }
        #expect(problem?.code == .invalidUsername)
    }

    @Test(arguments: ["", "0", "01", "-1", "+1", "1.0", " 1", "9007199254740992", "99999999999999999999", "١"])
    func `what is no ID is nil`(_ text: String) {
        #expect(TextRules.parseID(text) == nil)
    }

    @Test func `the largest id is accepted`() {
        #expect(TextRules.parseID("9007199254740991") == 9_007_199_254_740_991)
    }
}
