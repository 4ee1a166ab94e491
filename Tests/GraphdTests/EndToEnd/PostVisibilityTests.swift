import ServiceTestSupport
import SocialGraph
import TestSupport
import Testing

@testable import StrictJSON

/// Posts for followers only.
@Suite(.timeLimit(.process), .sharedGraphd)
struct PostVisibilityTests {
    let server: GraphdServer

    init() throws { server = try GraphdServer.shared }

    @Test func `a post is public unless it says otherwise`() async throws {
        let client = server.client(try await server.person())
        for (members, expected) in [
            (#""link":null"#, "public"), (#""visibility":null"#, "public"), (#""visibility":"public""#, "public"),
            (#""visibility":"followers""#, "followers"),
        ] {
            let post = try await client.publish(with: members)
            #expect(post["visibility"] == .string(expected) && post["communityId"] == .null)
            let id = try #require(post["postId"]?.text)
            #expect(try await client.get("/v1/posts/\(id)").json == post)
            #expect(try await client.get("/v1/timelines/home").json["items"]?.entries?.first == post)
        }
    }

    @Test func `a followers only post is seen by followers only`() async throws {
        let (author, reader) = (try await server.person(), try await server.person())
        let (client, reading) = (server.client(author), server.client(reader))
        let open = try await client.publish()
        let post = try #require(try await client.publish(with: #""visibility":"followers""#)["postId"]?.text)
        try await reading.get("/v1/posts/\(post)").expectProblem(404, "post_not_found")
        #expect(try await reading.page(author.timeline) == [open])
        try await reading.act("PUT", "\(author.path)/follow")
        #expect(try await reading.get("/v1/posts/\(post)").status == 200)
        #expect(try await reading.page(author.timeline) == [post, open])
        #expect(try await reading.page("/v1/timelines/home") == [post, open])
        try await reading.act("DELETE", "\(author.path)/follow")
        try await reading.get("/v1/posts/\(post)").expectProblem(404, "post_not_found")
        #expect(try await reading.page(author.timeline) == [open])
        #expect(try await client.page(author.timeline) == [post, open])
    }

    @Test func `an unknown community is 404 and leaves nothing behind`() async throws {
        let client = server.client(try await server.person())
        let body = #"{"caption":"c","mediaUrl":"https://example.org/v","communityId":"1"}"#
        try await client.post("/v1/posts", body).expectProblem(404, "community_not_found")
        #expect(try await client.get("/v1/me").json["postsCount"] == .integer(0))
    }
}
