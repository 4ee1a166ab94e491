import ServiceTestSupport
import TestSupport
import Testing

@testable import StrictJSON

/// Likes, comments, shares and their notifications, over HTTP.
@Suite(.timeLimit(.process), .sharedGraphd)
struct EngagementTests {
    let server: GraphdServer

    init() throws { server = try GraphdServer.shared }

    @Test func `a thousand likes at once are counted exactly`() async throws {
        let author = server.client(try await server.person())
        let post = try await author.publish()
        var clients: [APIClient] = []
        for _ in 0..<100 { clients.append(server.client(try await server.person())) }
        let fans = clients
        try await withThrowingTaskGroup(of: Int.self) { group in
            // Each fan likes ten times concurrently. Only the first like of each counts.
            for number in 0..<1_000 {
                group.addTask { try await fans[number % 100].put("/v1/posts/\(post)/like").status }
            }
            for try await status in group { #expect(status == 200) }
        }
        #expect(try await author.get("/v1/posts/\(post)").json["likesCount"] == .integer(100))
        #expect(try await author.walk("/v1/posts/\(post)/likes").count == 100)
        let told = try await author.get("/v1/notifications").json["items"]?.entries
        #expect(told?.count == 1 && told?[0]["actorsCount"] == .integer(100))
        #expect(told?[0]["message"]?.text?.hasSuffix("and 99 others liked your post") == true)
    }

    @Test func `counts on every page are those of the rows`() async throws {
        let (author, fan) = (try await server.person(), try await server.person())
        let (writer, reader) = (server.client(author), server.client(fan))
        let post = try await writer.publish()
        func counts(_ path: String) async throws -> [JSONValue?] {
            let item = try await reader.get(path).json
            let found = item["items"]?.entries?.first { $0["postId"]?.text == post } ?? item
            return ["likesCount", "commentsCount", "sharesCount"].map { found[$0] }
        }
        #expect(try await reader.put("/v1/posts/\(post)/like").json["likesCount"] == .integer(1))
        let comment = try await reader.post("/v1/posts/\(post)/comments", #"{"content":"c"}"#).json
        try await reader.act("PUT", "/v1/posts/\(post)/reshare", times: 2)
        #expect(try await reader.post("/v1/posts/\(post)/shares", #"{"platform":"mail"}"#).status == 201)
        for path in ["/v1/posts/\(post)", author.timeline, "/v1/timelines/home"] {
            #expect(try await counts(path) == [.integer(1), .integer(1), .integer(2)], "\(path)")
        }
        #expect(try await reader.delete("/v1/posts/\(post)/like").json["likesCount"] == .integer(0))
        try await reader.act("DELETE", "/v1/comments/\(try #require(comment["commentId"]?.text))")
        try await reader.act("DELETE", "/v1/posts/\(post)/reshare", times: 2)
        #expect(try await counts("/v1/posts/\(post)") == [.integer(0), .integer(0), .integer(1)])
    }

    @Test func `business accounts see the trend of a post and others do not`() async throws {
        let (author, business) = (server.client(try await server.person()), server.client(try await server.person()))
        let post = try await author.publish()
        #expect(try await business.patch("/v1/me", #"{"isBusiness":true}"#).status == 200)
        #expect(try await author.get("/v1/posts/\(post)").json["businessData"] == nil)
        #expect(try await business.get("/v1/posts/\(post)").json["businessData"] == .null)
    }

    @Test func `comments of the blocked are seen by neither`() async throws {
        let people = [try await server.person(), try await server.person(), try await server.person()]
        let clients = people.map { server.client($0) }
        let post = try await clients[0].publish()
        for client in clients { _ = try await client.post("/v1/posts/\(post)/comments", #"{"content":"c"}"#) }
        func seen(_ client: APIClient) async throws -> Int {
            try await client.walk("/v1/posts/\(post)/comments", limit: 1).count
        }
        #expect(try await seen(clients[1]) == 3)
        try await clients[1].act("PUT", "\(people[2].path)/block")
        #expect(try await [seen(clients[0]), seen(clients[1]), seen(clients[2])] == [3, 2, 2])
        try await clients[0].act("PUT", "\(people[1].path)/mute")
        #expect(try await seen(clients[0]) == 2)
        let hidden = try await clients[1].get("/v1/posts/\(post)/comments").json["items"]?.entries?.first?["commentId"]?
            .text
        try await clients[2].get("/v1/comments/\(try #require(hidden))").expectProblem(404, "comment_not_found")
    }

    @Test func `what is wrong is said`() async throws {
        let client = server.client(try await server.person())
        let post = try await client.publish()
        let long = String(repeating: "x", count: 2_001)
        try await client.post("/v1/posts/\(post)/comments", #"{"content":"\#(long)"}"#)
            .expectProblem(422, "too_long", field: "content")
        try await client.post("/v1/posts/\(post)/comments", #"{"content":""}"#)
            .expectProblem(422, "invalid_value", field: "content")
        try await client.post("/v1/posts/\(post)/comments", #"{"content":"c","parentCommentId":"1"}"#)
            .expectProblem(404, "comment_not_found")
        try await client.get("/v1/posts/\(post)/comments?thread=some")
            .expectProblem(400, "invalid_parameter", field: "thread")
        try await client.post("/v1/posts/\(post)/shares", #"{"platform":" x"}"#)
            .expectProblem(422, "invalid_value", field: "platform")
        for id in noIDs {
            try await client.put("/v1/posts/\(id)/like").expectProblem(404, "post_not_found", id)
            try await client.delete("/v1/comments/\(id)").expectProblem(404, "comment_not_found", id)
            try await client.put("/v1/notifications/\(id)/read").expectProblem(404, "notification_not_found", id)
        }
    }

    @Test func `a post that one may not see cannot be engaged with`() async throws {
        let author = server.client(try await server.person())
        let stranger = server.client(try await server.person())
        let id = try #require(try await author.publish(with: #""visibility":"followers""#)["postId"]?.text)
        for (method, path) in [
            ("PUT", "like"), ("DELETE", "like"), ("GET", "likes"), ("GET", "comments"), ("GET", "stream"),
        ] {
            try await stranger.send(method, "/v1/posts/\(id)/\(path)").expectProblem(404, "post_not_found", path)
        }
        try await stranger.post("/v1/posts/\(id)/comments", #"{"content":"c"}"#).expectProblem(404, "post_not_found")
        try await stranger.post("/v1/posts/\(id)/shares", #"{"platform":"x"}"#).expectProblem(404, "post_not_found")
    }

    @Test func `a like of a post that has become invisible is taken back without its counts`() async throws {
        let (author, fan) = (try await server.person(), try await server.person())
        let (writer, reader) = (server.client(author), server.client(fan))
        let post = try await writer.publish()
        #expect(try await reader.put("/v1/posts/\(post)/like").status == 200)
        try await writer.act("PUT", "\(fan.path)/block")
        let unknown = try await reader.delete("/v1/posts/1/like")
        let hidden = try await reader.delete("/v1/posts/\(post)/like")
        try hidden.expectProblem(404, "post_not_found")
        #expect(try hidden.json["detail"] == unknown.json["detail"])
        #expect(try await writer.get("/v1/posts/\(post)").json["likesCount"] == .integer(0))
    }

    @Test func `a comment that one does not see cannot be replied to`() async throws {
        let people = [try await server.person(), try await server.person(), try await server.person()]
        let clients = people.map { server.client($0) }
        let post = try await clients[0].publish()
        let made = try await clients[1].post("/v1/posts/\(post)/comments", #"{"content":"c"}"#)
        let comment = try made.json["commentId"]?.text
        let reply = #"{"content":"r","parentCommentId":"\#(try #require(comment))"}"#
        let order = #"{"action":"silenceUser","reason":"r","subjects":[{"userId":"\#(people[1].idText)"}]}"#
        let admin = server.client(try await server.admin())
        try await admin.moderate(order)
        try await clients[2].post("/v1/posts/\(post)/comments", reply).expectProblem(404, "comment_not_found")
        // Those who follow somebody silenced see what they say.
        try await clients[2].act("PUT", "\(people[1].path)/follow")
        #expect(try await clients[2].post("/v1/posts/\(post)/comments", reply).status == 201)
    }

    @Test func `a private community is entered by consent`() async throws {
        let (owner, guest) = (try await server.person(), try await server.person())
        let (host, visitor) = (server.client(owner), server.client(guest))
        let made = try await host.post("/v1/communities", #"{"name":"hidden garden","private":true}"#)
        let id = try #require(try made.json["communityId"]?.text)
        let asked = try await visitor.send("POST", "/v1/communities/\(id)/join")
        #expect(try asked.status == 202 && asked.json["status"] == .string("requested"))
        try await visitor.get("/v1/communities/\(id)/members").expectProblem(403, "not_member")
        try await visitor.get("/v1/communities/\(id)/requests").expectProblem(403, "not_moderator")
        try await visitor.get("/v1/communities/\(id)/timeline").expectProblem(404, "community_not_found")
        let requests = try await host.get("/v1/communities/\(id)/requests").json["items"]?.entries
        #expect(requests?.map { $0["userId"] } == [.string(guest.idText)])
        try await host.act("PUT", "/v1/communities/\(id)/requests/\(guest.idText)", times: 2)
        #expect(
            try await visitor.walk("/v1/communities/\(id)/members").map { $0["role"] } == [
                .string("member"), .string("owner"),
            ])
        #expect(try await visitor.get("/v1/communities?q=hidden%20gar").json["items"]?.entries?.count == 1)
        #expect(try await visitor.get("/v1/me/communities").json["items"]?.entries?.count == 1)
        try await visitor.patch("/v1/communities/\(id)", #"{"private":false}"#).expectProblem(403, "not_moderator")
        let opened = try await host.patch("/v1/communities/\(id)", #"{"private":false}"#)
        #expect(try opened.json["private"] == .bool(false))
    }
}
