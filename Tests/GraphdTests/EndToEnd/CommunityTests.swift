import Database
import Moderation
import ServiceTestSupport
import SocialGraph
import TestSupport
import Testing

@testable import StrictJSON

/// Communities: creating, joining, leaving and posting.
@Suite(.timeLimit(.process), .sharedGraphd)
struct CommunityTests {
    let server: GraphdServer

    init() throws { server = try GraphdServer.shared }

    private static let fields = [
        "communityId", "name", "description", "createdAt", "membersCount", "private", "locked", "archived", "role",
        "inHome",
    ]

    /// A name that no other test uses.
    private func name(_ prefix: String = "Gardens") async throws -> String {
        "\(prefix) \(try await server.person().idText)"
    }

    private func body(_ name: String) -> String { #"{"name":"\#(name)","description":"about it"}"# }

    @Test func `a community is made, joined and left`() async throws {
        let (owner, other) = (server.client(try await server.person()), server.client(try await server.person()))
        let name = try await name("Été 🏖")
        let created = try await owner.post("/v1/communities", body(name))
        #expect(created.status == 201)
        let made = try created.json
        #expect(made.names == Self.fields)
        let id = try #require(made["communityId"]?.text)
        #expect(id.wholeMatch(of: /[1-9]\d{0,15}/) != nil)
        let path = "/v1/communities/\(id)"
        #expect(created.header("Location") == path)
        #expect(made["createdAt"]?.text?.wholeMatch(of: /\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z/) != nil)
        let expected: [(String, JSONValue)] = [
            ("name", .string(name)), ("description", .string("about it")), ("membersCount", .integer(1)),
            ("private", .bool(false)), ("locked", .bool(false)), ("archived", .bool(false)), ("role", .string("owner")),
            ("inHome", .bool(true)),
        ]
        for (field, value) in expected { #expect(made[field] == value, "\(field)") }
        #expect(try await owner.get(path).json == made)

        func expectPlace(_ role: JSONValue, _ inHome: Bool, members: Int64) async throws {
            let seen = try await other.get(path).json
            #expect(seen.names == Self.fields)
            #expect(seen["role"] == role && seen["inHome"] == .bool(inHome))
            #expect(seen["membersCount"] == .integer(members))
        }
        try await expectPlace(.null, false, members: 1)
        try await other.act("POST", "\(path)/join", times: 2)
        try await expectPlace(.string("member"), true, members: 2)
        for _ in 1...2 { #expect(try await other.put("\(path)/home", #"{"inHome":false}"#).status == 204) }
        try await expectPlace(.string("member"), false, members: 2)
        #expect(try await owner.get(path).json["inHome"] == .bool(true))
        try await other.act("POST", "\(path)/leave", times: 2)
        try await expectPlace(.null, false, members: 1)
        try await other.put("\(path)/home", #"{"inHome":true}"#).expectProblem(403, "not_member")
        try await owner.post("\(path)/leave", "").expectProblem(409, "owner_cannot_leave")
        try await owner.act("POST", "\(path)/join")
        #expect(try await owner.get(path).json["role"] == .string("owner"))
    }

    @Test func `a description may be left out`() async throws {
        let client = server.client(try await server.person())
        for members in ["", #","description":null"#, #","description":"""#] {
            let answer = try await client.post("/v1/communities", #"{"name":"\#(try await name())"\#(members)}"#)
            #expect(answer.status == 201)
            #expect(try answer.json["description"] == .string(""))
        }
    }

    @Test func `a taken name is refused in any case`() async throws {
        let client = server.client(try await server.person())
        let taken = try await name("Ärzte")
        _ = try await client.community(taken)
        for name in [taken, taken.uppercased(), taken.lowercased(), "A\u{308}" + taken.dropFirst()] {
            try await client.post("/v1/communities", body(name)).expectProblem(409, "community_name_taken")
        }
    }

    @Test func `of many with one name exactly one is made`() async throws {
        let client = server.client(try await server.person())
        let body = body(try await name())
        let statuses = try await withThrowingTaskGroup(of: Int.self) { group in
            for _ in 0..<10 { group.addTask { try await client.post("/v1/communities", body).status } }
            return try await group.reduce(into: []) { $0.append($1) }
        }
        #expect(statuses.sorted() == [201] + Array(repeating: 409, count: 9))
    }

    @Test(arguments: [
        ("{}", 400, "missing_field", "name"), (#"{"name":null}"#, 400, "missing_field", "name"),
        (#"{"name":1}"#, 400, "invalid_type", "name"), (#"{"name":["a"]}"#, 400, "invalid_type", "name"),
        (#"{"name":"a","description":1}"#, 400, "invalid_type", "description"),
        (#"{"name":"a","private":"yes"}"#, 400, "invalid_type", "private"),
        (#"{"name":"a","secret":true}"#, 400, "unknown_field", "secret"),
        (#"{"name":"a","name":"b"}"#, 400, "duplicate_field", "name"), ("", 400, "invalid_json", nil),
        ("[]", 400, "invalid_json", nil), (#"{"name":"a\u0000"}"#, 400, "invalid_json", nil),
        (#"{"name":""}"#, 422, "invalid_value", "name"), (#"{"name":" "}"#, 422, "invalid_value", "name"),
        (#"{"name":" a"}"#, 422, "invalid_value", "name"), (#"{"name":"a "}"#, 422, "invalid_value", "name"),
        (#"{"name":"a\u00a0"}"#, 422, "invalid_value", "name"), (#"{"name":"a\nb"}"#, 422, "invalid_value", "name"),
        (#"{"name":"a\u0085b"}"#, 422, "invalid_value", "name"),
        ("{\"name\":\"\(String(repeating: "é", count: 65))\"}", 422, "too_long", "name"),
        (
            "{\"name\":\"a\",\"description\":\"\(String(repeating: "é", count: 2001))\"}", 422, "too_long",
            "description"
        ),
    ])
    func `a bad community is refused`(_ body: String, _ status: Int, _ code: String, _ field: String?) async throws {
        let client = server.client(try await server.person())
        try await client.post("/v1/communities", body).expectProblem(status, code, field: field)
    }

    @Test func `the longest name and description are accepted`() async throws {
        let client = server.client(try await server.person())
        let name = try await name(String(repeating: "é", count: 30))
        let longest = name + String(repeating: "🏖", count: 64 - name.unicodeScalars.count)
        let description = String(repeating: "🏖", count: 2000)
        let answer = try await client.post(
            "/v1/communities", #"{"name":"\#(longest)","description":"\#(description)"}"#)
        #expect(answer.status == 201)
        #expect(try answer.json["name"] == .string(longest))
        #expect(try answer.json["description"] == .string(description))
    }

    @Test func `an unknown community is 404`() async throws {
        let client = server.client(try await server.person())
        for id in noIDs {
            let path = "/v1/communities/\(id)"
            try await client.get(path).expectProblem(404, "community_not_found", id)
            for act in ["join", "leave"] {
                try await client.post("\(path)/\(act)", "").expectProblem(404, "community_not_found", id)
            }
            try await client.put("\(path)/home", #"{"inHome":true}"#).expectProblem(404, "community_not_found", id)
        }
    }

    @Test(arguments: [
        ("", "invalid_json", nil), ("{}", "missing_field", "inHome"), (#"{"inHome":null}"#, "missing_field", "inHome"),
        (#"{"inHome":0}"#, "invalid_type", "inHome"), (#"{"inHome":true,"role":"owner"}"#, "unknown_field", "role"),
    ])
    func `a bad home switch is refused`(_ body: String, _ code: String, _ field: String?) async throws {
        let client = server.client(try await server.person())
        let path = "/v1/communities/\(try await client.community(try await name()))"
        try await client.put("\(path)/home", body).expectProblem(400, code, field: field)
        #expect(try await client.get(path).json["inHome"] == .bool(true))
    }

    @Test func `posting into a community is for its members`() async throws {
        let (owner, person) = (server.client(try await server.person()), try await server.person())
        let client = server.client(person)
        let id = try await owner.community(try await name())
        let community = try #require(Int64(id).map(CommunityID.init(rawValue:)))
        let post = #"{"caption":"c","mediaUrl":"https://example.org/v","communityId":"\#(id)"}"#
        try await client.post("/v1/posts", post).expectProblem(403, "not_member")
        try await client.act("POST", "/v1/communities/\(id)/join")
        let made = try await client.post("/v1/posts", post)
        #expect(made.status == 201)
        #expect(try made.json["communityId"] == .string(id))

        try await server.graph.communities.setLocked(true, community: community)
        #expect(try await client.get("/v1/communities/\(id)").json["locked"] == .bool(true))
        try await client.post("/v1/posts", post).expectProblem(403, "community_locked")
        #expect(try await owner.post("/v1/posts", post).status == 201)
        try await server.graph.communities.setLocked(false, community: community)

        try await server.graph.communities.setBanned(true, person.id, from: community)
        try await client.post("/v1/posts", post).expectProblem(403, "banned")
        try await client.post("/v1/communities/\(id)/join", "").expectProblem(403, "banned")
        // The membership that the ban ended is restored.
        try await server.graph.communities.setBanned(false, person.id, from: community)
        #expect(try await client.post("/v1/posts", post).status == 201)
        #expect(try await client.get("/v1/me").json["postsCount"] == .integer(2))
    }

    @Test func `what members post is in the home timeline until switched off`() async throws {
        let (author, reader) = (server.client(try await server.person()), server.client(try await server.person()))
        let id = try await author.community(try await name())
        let post = try #require(try await author.publish(with: #""communityId":"\#(id)""#)["postId"]?.text)
        let path = "/v1/communities/\(id)"
        #expect(try await reader.page("/v1/timelines/home") == [])
        try await reader.act("POST", "\(path)/join")
        #expect(try await reader.page("/v1/timelines/home") == [post])
        #expect(try await reader.put("\(path)/home", #"{"inHome":false}"#).status == 204)
        #expect(try await reader.page("/v1/timelines/home") == [])
        #expect(try await reader.put("\(path)/home", #"{"inHome":true}"#).status == 204)
        #expect(try await reader.patch("/v1/me", #"{"homeCommunities":false}"#).status == 200)
        #expect(try await reader.page("/v1/timelines/home") == [])
        #expect(try await reader.patch("/v1/me", #"{"homeCommunities":true}"#).status == 200)
        #expect(try await reader.page("/v1/timelines/home") == [post])
        try await reader.act("POST", "\(path)/leave")
        #expect(try await reader.page("/v1/timelines/home") == [])
    }
}
