import ServiceTestSupport
import TestSupport
import Testing

@testable import StrictJSON

/// Saved posts and collections over HTTP.
@Suite(.timeLimit(.process), .sharedGraphd)
struct SaveTests {
    let server: GraphdServer

    init() throws { server = try GraphdServer.shared }

    private func ids(_ client: APIClient, _ path: String) async throws -> [String] {
        try await client.walk(path, limit: 2).compactMap { $0["postId"]?.text }
    }

    @Test func `saves are listed the latest first and to their owner only`() async throws {
        let (author, reader) = (server.client(try await server.person()), server.client(try await server.person()))
        var posts: [String] = []
        for _ in 0..<5 { posts.append(try await author.publish()) }
        for post in posts { #expect(try await reader.put("/v1/posts/\(post)/save").status == 200) }
        let first = try await reader.put("/v1/posts/\(posts[0])/save").json
        #expect(first.names == ["postId", "savedAt"])
        let listed = try await reader.get("/v1/me/saves").json["items"]?.entries
        #expect(listed?.last?["savedAt"] == first["savedAt"] && listed?.last?["caption"] != nil)
        #expect(try await ids(reader, "/v1/me/saves") == posts.reversed())
        #expect(try await ids(author, "/v1/me/saves") == [])
        try await reader.act("DELETE", "/v1/posts/\(posts[2])/save", times: 2)
        #expect(try await ids(reader, "/v1/me/saves") == [4, 3, 1, 0].map { posts[$0] })
    }

    @Test func `what is hidden is left out and comes back`() async throws {
        let (writer, fan) = (try await server.person(), try await server.person())
        let (author, reader) = (server.client(writer), server.client(fan))
        let (shown, hidden) = (try await author.publish(), server.client(try await server.person()))
        let other = try await hidden.publish()
        let made = try await reader.post("/v1/me/collections", #"{"name":"later"}"#).json
        let path = "/v1/me/collections/\(try #require(made["collectionId"]?.text))"
        for post in [other, shown] { try await reader.act("PUT", "\(path)/posts/\(post)") }
        let me = try #require(try await hidden.get("/v1/me").json["userId"]?.text)
        try await reader.act("PUT", "/v1/users/\(me)/block")
        #expect(try await ids(reader, "/v1/me/saves") == [shown])
        #expect(try await ids(reader, "\(path)/posts") == [shown])
        try await reader.act("DELETE", "/v1/users/\(me)/block")
        #expect(try await ids(reader, "\(path)/posts") == [other, shown])
        try await hidden.act("DELETE", "/v1/posts/\(other)")
        #expect(try await ids(reader, "/v1/me/saves") == [shown])
        try await reader.put("/v1/posts/\(other)/save").expectProblem(404, "post_not_found")
    }

    @Test func `a collection keeps the order that its owner gives it`() async throws {
        let client = server.client(try await server.person())
        var posts: [String] = []
        for _ in 0..<4 { posts.append(try await client.publish()) }
        let made = try await client.post("/v1/me/collections", #"{"name":"My Workouts"}"#)
        #expect(try made.status == 201 && made.json.names.contains("postsCount"))
        let path = "/v1/me/collections/\(try #require(try made.json["collectionId"]?.text))"
        for post in posts { try await client.act("PUT", "\(path)/posts/\(post)", times: 2) }
        let order = #"{"postIds":["\#(posts[3])","\#(posts[1])"]}"#
        #expect(try await client.put("\(path)/order", order).status == 204)
        #expect(try await ids(client, "\(path)/posts") == [3, 1, 0, 2].map { posts[$0] })
        try await client.act("DELETE", "\(path)/posts/\(posts[0])", times: 2)
        #expect(try await client.get(path).json["postsCount"] == .integer(3))
        #expect(try await ids(client, "/v1/me/saves").count == 4)
        try await client.act("DELETE", "/v1/posts/\(posts[1])/save")
        #expect(try await ids(client, "\(path)/posts") == [3, 2].map { posts[$0] })
        #expect(try await client.patch(path, #"{"name":"my workouts"}"#).json["name"] == .string("my workouts"))
        let all = try await client.get("/v1/me/collections").json["items"]?.entries
        #expect(all?.map { $0["name"]?.text } == ["my workouts"])
        try await client.act("DELETE", path)
        try await client.get(path).expectProblem(404, "collection_not_found")
    }

    @Test func `what is wrong is said`() async throws {
        let (client, other) = (server.client(try await server.person()), server.client(try await server.person()))
        let made = try await client.post("/v1/me/collections", #"{"name":"one"}"#).json
        let path = "/v1/me/collections/\(try #require(made["collectionId"]?.text))"
        let post = try await client.publish()
        try await client.post("/v1/me/collections", #"{"name":"ONE"}"#).expectProblem(409, "collection_name_taken")
        try await client.post("/v1/me/collections", #"{"name":""}"#).expectProblem(422, "invalid_value", field: "name")
        try await client.put("\(path)/order", #"{"postIds":["\#(post)"]}"#).expectProblem(422, "not_in_collection")
        try await client.put("\(path)/order", "{}").expectProblem(400, "missing_field", field: "postIds")
        for (method, end) in [("GET", ""), ("DELETE", ""), ("GET", "/posts"), ("PUT", "/posts/\(post)")] {
            try await other.send(method, path + end).expectProblem(404, "collection_not_found", end)
        }
        for id in noIDs {
            try await client.put("/v1/posts/\(id)/save").expectProblem(404, "post_not_found", id)
            try await client.put("\(path)/posts/\(id)").expectProblem(404, "post_not_found", id)
            try await client.get("/v1/me/collections/\(id)").expectProblem(404, "collection_not_found", id)
        }
    }
}
