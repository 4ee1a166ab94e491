import Database
import ServiceTestSupport
import SocialGraph
import TestSupport
import Testing

@testable import StrictJSON

/// The profile over HTTP: changes by its owner, and the view of other users.
@Suite(.timeLimit(.process), .sharedGraphd)
struct ProfileTests {
    let server: GraphdServer

    init() throws { server = try GraphdServer.shared }

    @Test func `every field is changed and shown`() async throws {
        let (person, other) = (try await server.person(), try await server.person())
        let client = server.client(person)
        let renamed = "Renamed.\(person.id.rawValue)"
        let changed = try await client.patch(
            "/v1/me",
            """
            {"username":"\(renamed)","displayName":"Ada 🏃","bio":"runs\\nfar","isBusiness":true,
             "profilePicUrl":"https://example.org/a.jpg","email":"\(renamed)@example.org",
             "selectedAlgorithms":["AI"],"homeTopics":false,
             "preferences":{"skillLevel":"expert","goals":["b","a","b"],"maxDuration":1.5,"cookingTime":30,"own":false}}
            """)
        #expect(changed.status == 200, "\(changed)")
        let mine = try changed.json
        #expect(mine["username"] == .string(renamed))
        #expect(mine["displayName"] == .string("Ada 🏃") && mine["bio"] == .string("runs\nfar"))
        #expect(mine["isBusiness"] == .bool(true) && mine["homeTopics"] == .bool(false))
        #expect(mine["profilePicUrl"] == .string("https://example.org/a.jpg"))
        #expect(mine["email"] == .string("\(renamed)@example.org"))
        let preferences = try #require(mine["preferences"])
        #expect(preferences.names == ["cookingTime", "goals", "maxDuration", "own", "skillLevel"])
        #expect(preferences["goals"] == .array([.string("b"), .string("a")]))
        #expect(preferences["cookingTime"] == .integer(30) && preferences["maxDuration"] == .double(1.5))
        #expect(preferences["own"] == .bool(false) && preferences["skillLevel"] == .string("expert"))
        #expect(try await client.get("/v1/me").body == changed.body)

        let seen = try await server.client(other).get(person.path).json
        for name in seen.names { #expect(seen[name] == mine[name], "\(name)") }
        for name in ["email", "preferences", "selectedAlgorithms"] { #expect(seen[name] == nil) }
        let byName = "/v1/users/by-username/"
        #expect(try await server.client(other).get(byName + renamed.uppercased()).json == seen)
        #expect(try await server.client(other).get(byName + person.username).status == 404)

        let cleared = try await client.patch(
            "/v1/me", #"{"displayName":"","bio":"","profilePicUrl":null,"preferences":{},"isBusiness":false}"#
        ).json
        #expect(cleared["displayName"] == .string("") && cleared["bio"] == .string(""))
        #expect(cleared["profilePicUrl"] == .null && cleared["preferences"] == .object([]))
        #expect(cleared["username"] == .string(renamed) && cleared["isBusiness"] == .bool(false))
    }

    @Test func `a new name stands on earlier posts from the acknowledgement on`() async throws {
        let (author, reader) = (try await server.person(), try await server.person())
        let post = try await server.client(author).publish()
        let name = "next.\(author.id.rawValue)"
        let path = "/v1/posts/\(post)"
        #expect(try await server.client(reader).get(path).json["author"]?["username"] == .string(author.username))
        #expect(try await server.client(author).patch("/v1/me", #"{"username":"\#(name)"}"#).status == 200)
        #expect(try await server.client(reader).get(path).json["author"]?["username"] == .string(name))
    }

    @Test func `what is taken is refused and changes nothing`() async throws {
        let (person, other) = (try await server.person(), try await server.person())
        let client = server.client(person)
        let address = #"{"email":"\#(other.username)@example.org"}"#
        #expect(try await server.client(other).patch("/v1/me", address).status == 200)
        let before = try await client.get("/v1/me").body
        let name = #"{"bio":"x","username":"\#(other.username.uppercased())"}"#
        try await client.patch("/v1/me", name).expectProblem(409, "username_taken")
        let taken = #"{"bio":"x","email":"\#(other.username.uppercased())@example.org"}"#
        try await client.patch("/v1/me", taken).expectProblem(409, "email_taken")
        #expect(try await client.get("/v1/me").body == before)
    }

    private static func preferences(_ members: String) -> String { #"{"bio":"x","preferences":{\#(members)}}"# }

    @Test(arguments: [
        (#"{"username":"a b"}"#, 422, "invalid_username", "username"),
        (#"{"username":1}"#, 400, "invalid_type", "username"),
        (#"{"email":"x"}"#, 422, "invalid_email", "email"),
        (#"{"displayName":"\#(String(repeating: "é", count: 61))"}"#, 422, "too_long", "displayName"),
        (#"{"bio":"\#(String(repeating: "é", count: 501))"}"#, 422, "too_long", "bio"),
        (#"{"isBusiness":"yes"}"#, 400, "invalid_type", "isBusiness"),
        (#"{"profilePicUrl":"/media/1.jpg"}"#, 422, "invalid_url", "profilePicUrl"),
        (#"{"profilePicUrl":"javascript:x"}"#, 422, "invalid_url", "profilePicUrl"),
        (#"{"profilePicData":"%%"}"#, 422, "invalid_value", "profilePicData"),
        (#"{"profilePicData":"AAAA","profilePicUrl":null}"#, 422, "invalid_value", "profilePicData"),
        (#"{"preferences":[]}"#, 400, "invalid_type", "preferences"),
        (preferences(#""skillLevel":3"#), 400, "invalid_type", "preferences.skillLevel"),
        (preferences(#""goals":"one""#), 400, "invalid_type", "preferences.goals"),
        (preferences(#""own":null"#), 400, "invalid_type", "preferences.own"),
        (preferences(#""own":{}"#), 400, "invalid_type", "preferences.own"),
        (preferences(#""own":[1]"#), 400, "invalid_type", "preferences.own"),
        (preferences(#""own":"""#), 422, "invalid_value", "preferences.own"),
        (preferences(#""own":9007199254740993"#), 422, "invalid_value", "preferences.own"),
        (preferences(#""":1"#), 422, "invalid_value", "preferences"),
        (preferences(#"" a":1"#), 422, "invalid_value", "preferences"),
        (preferences(#""a":1,"a":2"#), 400, "duplicate_field", "a"),
        (preferences("\"\(String(repeating: "n", count: 41))\":1"), 422, "too_long", "preferences"),
        (preferences("\"own\":\"\(String(repeating: "t", count: 121))\""), 422, "too_long", "preferences.own"),
        (preferences((0...20).map { "\"n\($0)\":1" }.joined(separator: ",")), 422, "too_many", "preferences"),
        (
            preferences("\"own\":[\((0...20).map { "\"n\($0)\"" }.joined(separator: ","))]"), 422, "too_many",
            "preferences.own"
        ),
    ])
    func `a bad field is refused and changes nothing`(
        _ body: String, _ status: Int, _ code: String, _ field: String
    ) async throws {
        let client = server.client(try await server.person())
        let before = try await client.get("/v1/me").body
        try await client.patch("/v1/me", body).expectProblem(status, code, field: field)
        #expect(try await client.get("/v1/me").body == before)
    }

    @Test func `a body may hold a picture but not more`() async throws {
        let client = server.client(try await server.person())
        let large = #"{"bio":"\#(String(repeating: " ", count: 2_000_000))"}"#
        try await client.patch("/v1/me", large).expectProblem(422, "too_long", field: "bio")
        let tooLarge = #"{"bio":"\#(String(repeating: " ", count: 8_400_000))"}"#
        let answer = try await client.patch("/v1/me", tooLarge)
        try answer.expectProblem(413, "body_too_large")
        #expect(answer.text.contains("8388608"))
    }

    @Test func `signing up takes a display name`() async throws {
        let body = #"{"email":"dn@example.org","password":"correct horse","username":"dn","displayName":"D N"}"#
        let answer = try await server.client().post("/v1/auth/signup", body)
        #expect(answer.status == 201, "\(answer)")
        let me = try await server.client(token: try answer.json["token"]?.text).get("/v1/me").json
        #expect(me["displayName"] == .string("D N"))
    }
}
