import ServiceTestSupport
import SocialGraph
import TestSupport
import Testing

@testable import StrictJSON

/// Mutes affect only the muter's home timeline, and only the muted kinds.
@Suite(.timeLimit(.process), .sharedGraphd)
struct MuteTests {
    let server: GraphdServer

    init() throws { server = try GraphdServer.shared }

    /// The mutes of posts, reshares and notifications; nil if the user is not muted.
    private func kinds(of muted: Person, _ client: APIClient) async throws -> [Bool]? {
        let item = try await client.walk("/v1/me/mutes").first { $0["userId"]?.text == muted.idText }
        guard let item else { return nil }
        #expect(item.names == ["userId", "username", "posts", "reshares", "notifications", "expiresAt"])
        #expect(item["username"] == .string(muted.username))
        return ["posts", "reshares", "notifications"].map { item[$0] == .bool(true) }
    }

    @Test func `a mute is exactly what was named last`() async throws {
        let (muter, muted) = (try await server.person(), try await server.person())
        let client = server.client(muter)
        #expect(try await kinds(of: muted, client) == nil)
        try await client.act("PUT", "\(muted.path)/mute", times: 2)
        #expect(try await kinds(of: muted, client) == [true, true, true])
        for (body, expected) in [
            (#"{"posts":true}"#, [true, false, false]), (#"{"reshares":true,"posts":false}"#, [false, true, false]),
            (#"{"notifications":true,"posts":null}"#, [false, false, true]),
            (#"{"posts":true,"reshares":true,"notifications":true}"#, [true, true, true]),
        ] {
            for _ in 1...2 {
                let answer = try await client.put("\(muted.path)/mute", body)
                #expect(answer.status == 204 && answer.body.isEmpty, "\(answer)")
            }
            #expect(try await kinds(of: muted, client) == expected, "\(body)")
        }
        #expect(try await server.client(muted).walk("/v1/me/mutes").isEmpty)
        try await client.act("DELETE", "\(muted.path)/mute", times: 2)
        #expect(try await kinds(of: muted, client) == nil)
    }

    @Test func `the list is newest first`() async throws {
        let client = server.client(try await server.person())
        #expect(try await client.get("/v1/me/mutes").text == #"{"items":[],"nextCursor":null}"#)
        var muted: [String] = []
        for _ in 0..<4 {
            let person = try await server.person()
            try await client.act("PUT", "\(person.path)/mute")
            muted.append(person.idText)
        }
        for limit in [1, 2, 4, 100] {
            let items = try await client.walk("/v1/me/mutes", limit: limit)
            #expect(items.map { $0["userId"]?.text } == muted.reversed())
        }
    }

    @Test func `muted posts are not in the home timeline`() async throws {
        let (reader, author) = (try await server.person(), try await server.person())
        let client = server.client(reader)
        try await client.act("PUT", "\(author.path)/follow")
        let post = try await server.client(author).publish()
        try await server.waitForJobs()
        #expect(try await client.page("/v1/timelines/home") == [post])
        for (body, expected) in [
            (#"{"posts":true}"#, []), (#"{"reshares":true}"#, [post]), (#"{"notifications":true}"#, [post]),
            (#"{"posts":true,"notifications":true}"#, []),
        ] {
            #expect(try await client.put("\(author.path)/mute", body).status == 204)
            #expect(try await client.page("/v1/timelines/home") == expected, "\(body)")
        }
        #expect(try await server.client(author).page("/v1/timelines/home") == [post])
        try await client.act("DELETE", "\(author.path)/mute")
        #expect(try await client.page("/v1/timelines/home") == [post])
    }

    @Test func `muted reshares are no reason`() async throws {
        let (reader, friend, author) = (
            try await server.person(), try await server.person(), try await server.person()
        )
        let client = server.client(reader)
        try await client.act("PUT", "\(friend.path)/follow")
        let own = try await server.client(friend).publish()
        let post = try await server.client(author).publish()
        try await server.client(friend).act("PUT", "/v1/posts/\(post)/reshare")
        try await server.waitForJobs()
        #expect(try await client.page("/v1/timelines/home") == [post, own])
        #expect(try await client.put("\(friend.path)/mute", #"{"reshares":true}"#).status == 204)
        #expect(try await client.page("/v1/timelines/home") == [own])
        try await client.act("DELETE", "\(friend.path)/mute")
        #expect(try await client.page("/v1/timelines/home") == [post, own])
    }

    @Test(arguments: [
        ("{}", 422, "invalid_value", nil), (#"{"posts":false}"#, 422, "invalid_value", nil),
        (#"{"posts":false,"reshares":false,"notifications":false}"#, 422, "invalid_value", nil),
        (#"{"posts":null,"reshares":null}"#, 422, "invalid_value", nil),
        (#"{"posts":1}"#, 400, "invalid_type", "posts"), (#"{"reshares":"true"}"#, 400, "invalid_type", "reshares"),
        (#"{"posts":true,"notifications":[]}"#, 400, "invalid_type", "notifications"),
        (#"{"posts":true,"likes":true}"#, 400, "unknown_field", "likes"),
        (#"{"Posts":true}"#, 400, "unknown_field", "Posts"),
        (#"{"posts":true,"posts":true}"#, 400, "duplicate_field", "posts"), ("[]", 400, "invalid_json", nil),
        ("null", 400, "invalid_json", nil), ("true", 400, "invalid_json", nil), (" ", 400, "invalid_json", nil),
        (#"{"posts":true"#, 400, "invalid_json", nil),
    ])
    func `a bad body is refused and changes nothing`(
        _ body: String, _ status: Int, _ code: String, _ field: String?
    ) async throws {
        let (muter, muted) = (try await server.person(), try await server.person())
        let client = server.client(muter)
        #expect(try await client.put("\(muted.path)/mute", #"{"reshares":true}"#).status == 204)
        try await client.put("\(muted.path)/mute", body).expectProblem(status, code, field: field)
        #expect(try await kinds(of: muted, client) == [false, true, false])
    }

    @Test(arguments: ["PUT", "DELETE"])
    func `nobody and oneself cannot be muted`(_ method: String) async throws {
        let person = try await server.person()
        let client = server.client(person)
        for id in noIDs {
            try await client.send(method, "/v1/users/\(id)/mute").expectProblem(404, "user_not_found", id)
        }
        try await client.send(method, "\(person.path)/mute").expectProblem(400, "self_mute")
        #expect(try await client.walk("/v1/me/mutes").isEmpty)
    }
}
