import Database
import ServiceTestSupport
import SocialGraph
import TestSupport
import Testing

@testable import StrictJSON

/// Bodies that `POST /v1/posts` must refuse, field by field. A refused post leaves no traces.
@Suite(.timeLimit(.process), .sharedGraphd)
struct BadPostTests {
    struct Refusal: Sendable, CustomTestStringConvertible {
        let what: String
        let body: [UInt8]
        let status: Int
        let code: String
        let field: String?
        var testDescription: String { what }

        init(_ what: String, _ body: String, _ status: Int, _ code: String, _ field: String? = nil) {
            self.init(what, bytes: Array(body.utf8), status, code, field)
        }

        init(_ what: String, bytes: [UInt8], _ status: Int, _ code: String, _ field: String? = nil) {
            (self.what, body, self.status, self.code, self.field) = (what, bytes, status, code, field)
        }
    }

    /// A valid post, as JSON, with `field` set to `value`.
    private static func post(_ field: String, _ value: String) -> String {
        var members = ["caption": #""c""#, "mediaUrl": #""https://example.org/v""#]
        members[field] = value
        return "{" + members.sorted { $0.key < $1.key }.map { "\"\($0.key)\":\($0.value)" }.joined(separator: ",") + "}"
    }

    private static func list(_ count: Int, _ entry: (Int) -> String) -> String {
        "[" + (0..<count).map { "\"\(entry($0))\"" }.joined(separator: ",") + "]"
    }

    static let wrongTypes: [Refusal] = {
        let texts = ["caption", "mediaUrl", "category", "link", "visibility", "communityId"].flatMap { field in
            ["1", "true", "1.5", "{}", "[]", #"["a"]"#].map { (field, $0) }
        }
        let lists = ["algorithmTags", "collaborators"].flatMap { field in
            ["1", "false", #""a""#, "{}", "[1]", "[null]", "[[]]", #"["1",{}]"#].map { (field, $0) }
        }
        return (texts + lists).map { field, value in
            Refusal("\(field): \(value)", post(field, value), 400, "invalid_type", field)
        }
    }()

    static let wrongShapes: [Refusal] = [
        Refusal("no body", "", 400, "invalid_json"),
        Refusal("white space", " \n", 400, "invalid_json"),
        Refusal("not JSON", "caption=c", 400, "invalid_json"),
        Refusal("an array", "[]", 400, "invalid_json"),
        Refusal("null", "null", 400, "invalid_json"),
        Refusal("cut off", #"{"caption":"c","mediaUrl":"https://e.org"#, 400, "invalid_json"),
        Refusal("something behind it", post("caption", #""c""#) + "{}", 400, "invalid_json"),
        Refusal("a comma too many", #"{"caption":"c","mediaUrl":"https://e.org/",}"#, 400, "invalid_json"),
        Refusal("single quotes", "{'caption':'c'}", 400, "invalid_json"),
        Refusal("a comment", #"{/* */"caption":"c"}"#, 400, "invalid_json"),
        Refusal("NaN", post("caption", "NaN"), 400, "invalid_json"),
        Refusal("a raw control character", post("caption", "\"a\u{1}\""), 400, "invalid_json"),
        Refusal("an escaped NUL", post("caption", #""a\u0000b""#), 400, "invalid_json"),
        Refusal("a raw NUL", post("caption", "\"a\u{0}b\""), 400, "invalid_json"),
        Refusal("half a surrogate pair", post("caption", #""\ud83d""#), 400, "invalid_json"),
        Refusal(
            "invalid UTF-8", bytes: Array(#"{"caption":""#.utf8) + [0xC3, 0x28] + Array(#""}"#.utf8), 400,
            "invalid_json"),
        Refusal(
            "overlong UTF-8", bytes: Array(#"{"caption":""#.utf8) + [0xC0, 0xAF] + Array(#""}"#.utf8), 400,
            "invalid_json"),
        Refusal(
            "UTF-16",
            bytes: [0xFF, 0xFE] + Array(post("caption", #""c""#).utf16).flatMap { [UInt8($0 & 0xFF), UInt8($0 >> 8)] },
            400, "invalid_json"),
        Refusal("nested 17 deep", post("caption", String(repeating: "[", count: 17)), 400, "invalid_json"),
        Refusal("nested 500,000 deep", String(repeating: "[", count: 500_000), 400, "invalid_json"),
        Refusal(
            "nested 150,000 objects deep", String(repeating: #"{"a":"#, count: 150_000), 400, "invalid_json"),
        Refusal(
            "a field twice", #"{"caption":"c","caption":"d","mediaUrl":"https://e.org/"}"#, 400, "duplicate_field",
            "caption"),
        Refusal(
            "a field twice, once escaped", #"{"caption":"c","c\u0061ption":"d","mediaUrl":"https://e.org/"}"#, 400,
            "duplicate_field", "caption"),
        Refusal("no caption", #"{"mediaUrl":"https://e.org/"}"#, 400, "missing_field", "caption"),
        Refusal("no media", #"{"caption":"c"}"#, 400, "missing_field", "mediaUrl"),
        Refusal("a null caption", post("caption", "null"), 400, "missing_field", "caption"),
        Refusal("an unknown field", post("colour", "1"), 400, "unknown_field", "colour"),
        Refusal("another case", post("Caption", #""c""#), 400, "unknown_field", "Caption"),
        Refusal("an empty name", post("", "1"), 400, "unknown_field", ""),
        Refusal("what the server decides", post("likesCount", "5"), 400, "unknown_field", "likesCount"),
        Refusal("an author", post("author", #"{"userId":"1"}"#), 400, "unknown_field", "author"),
    ]

    static let wrongValues: [Refusal] = [
        Refusal("an empty caption", post("caption", #""""#), 422, "invalid_value", "caption"),
        Refusal(
            "a long caption", post("caption", "\"\(String(repeating: "é", count: 2201))\""), 422, "too_long",
            "caption"),
        Refusal(
            "a long category", post("category", "\"\(String(repeating: "c", count: 65))\""), 422, "too_long", "category"
        ),
        Refusal("31 tags", post("algorithmTags", list(31) { "t\($0)" }), 422, "too_many", "algorithmTags"),
        Refusal("31 equal tags", post("algorithmTags", list(31) { _ in "t" }), 422, "too_many", "algorithmTags"),
        Refusal("an empty tag", post("algorithmTags", #"["a",""]"#), 422, "invalid_value", "algorithmTags"),
        Refusal(
            "a long tag", post("algorithmTags", "[\"\(String(repeating: "t", count: 65))\"]"), 422, "too_long",
            "algorithmTags"),
        Refusal("21 collaborators", post("collaborators", list(21) { "\($0 + 1)" }), 422, "too_many", "collaborators"),
        Refusal(
            "21 equal collaborators", post("collaborators", list(21) { _ in "1" }), 422, "too_many", "collaborators"),
        Refusal(
            "an unknown collaborator", post("collaborators", #"["1"]"#), 422, "unknown_collaborator", "collaborators"),
        Refusal("a collaborator's name", post("collaborators", #"["ada"]"#), 422, "invalid_value", "collaborators"),
        Refusal("an unknown visibility", post("visibility", #""private""#), 422, "invalid_value", "visibility"),
        Refusal("another case", post("visibility", #""Public""#), 422, "invalid_value", "visibility"),
        Refusal("an empty visibility", post("visibility", #""""#), 422, "invalid_value", "visibility"),
        Refusal("a community's name", post("communityId", #""gardens""#), 422, "invalid_value", "communityId"),
        Refusal("an empty community", post("communityId", #""""#), 422, "invalid_value", "communityId"),
        Refusal(
            "an id beyond 53 bits", post("collaborators", #"["9007199254740992"]"#), 422, "invalid_value",
            "collaborators"),
    ]

    static let wrongURLs: [Refusal] = ["mediaUrl", "link"].flatMap { field in
        [
            "", "x", "example.org/v", "//example.org/v", "/v", "ftp://example.org/", "javascript:alert(1)",
            "data:text/html,x", "https:", "https://", "https:///v", "https://?q", "http://:80/",
            "https://example.org:0/",
            "https://example.org:65536/", "https://example.org:x/", "https://exa mple.org/", "https://example.org/a b",
            " https://example.org/", "https://example.org/\\n", "https://example.org/<x>", "https://[::1/",
            "https://[]/", "https://[1.2.3.4]/", "https://[ĈČ]/", "https://[::1]x/",
            "https://example.org/" + String(repeating: "a", count: 2048),
        ].map { url in
            Refusal("\(field): \(url.prefix(40))", post(field, "\"\(url)\""), 422, "invalid_url", field)
        }
    }

    @Test(arguments: wrongTypes + wrongShapes + wrongValues + wrongURLs)
    func `a bad post is refused and leaves nothing behind`(_ refusal: Refusal) async throws {
        let person = try await server.person()
        let client = server.client(person)
        let before = try await traces(of: person)
        let answer = try await client.send("POST", "/v1/posts", body: refusal.body)
        #expect(answer.status == refusal.status, "\(answer)")
        #expect(answer.header("Content-Type") == "application/problem+json")
        let problem = try answer.json
        #expect(problem["code"] == .string(refusal.code), "\(answer)")
        #expect(problem["field"] == refusal.field.map { .string($0) }, "\(answer)")
        if let field = refusal.field, refusal.code != "unknown_collaborator" {
            #expect(problem["detail"]?.text?.contains(field) == true)
        }
        #expect(try await traces(of: person) == before)
    }

    @Test func `oneself is no collaborator`() async throws {
        let person = try await server.person()
        let before = try await traces(of: person)
        let body = Self.post("collaborators", "[\"\(person.id.rawValue)\"]")
        let answer = try await server.client(person).post("/v1/posts", body)
        #expect(answer.status == 422)
        #expect(try await traces(of: person) == before)
    }

    /// The last allowed value next to the first refused one.
    @Test(arguments: [
        post("caption", "\"\(String(repeating: "🏖", count: 2200))\""),
        post("category", "\"\(String(repeating: "c", count: 64))\""),
        post("algorithmTags", list(30) { "t\($0)" }), post("algorithmTags", list(30) { _ in "t" }),
        post("algorithmTags", "[\"\(String(repeating: "t", count: 64))\"]"),
        post("algorithmTags", "null"), post("link", "null"), post("mediaUrl", #""HTTPS://[::1]:8080/a?b#c""#),
        post("link", #""http:\/\/user@example.org:1\/""#),
        post("mediaUrl", "\"https://example.org/\(String(repeating: "a", count: 2028))\""),
    ])
    func `the last good value is accepted`(_ body: String) async throws {
        let person = try await server.person()
        let answer = try await server.client(person).post("/v1/posts", body)
        #expect(answer.status == 201, "\(answer)")
        #expect(try await server.client(person).get("/v1/me").json["postsCount"] == .integer(1))
    }

    let server: GraphdServer

    init() throws { server = try GraphdServer.shared }

    /// Everything that a half-written post could have changed.
    private func traces(of person: Person) async throws -> [[UInt8]] {
        var traces: [[UInt8]] = []
        for path in ["/v1/me", "/v1/timelines/home", "/v1/timelines/users/\(person.id.rawValue)"] {
            traces.append(try await server.client(person).get(path).body)
        }
        return traces
    }
}
