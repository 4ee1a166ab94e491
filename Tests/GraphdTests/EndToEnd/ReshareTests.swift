import ServiceTestSupport
import SocialGraph
import TestSupport
import Testing

@testable import CommandSupport
@testable import StrictJSON

/// Reshares are counted once, reach the resharer's followers, and can be undone.
@Suite(.timeLimit(.process), .sharedGraphd)
struct ReshareTests {
    let server: GraphdServer

    init() throws { server = try GraphdServer.shared }

    @Test func `a reshare reaches the followers until it is taken back`() async throws {
        let (author, sharer, fan) = (try await server.person(), try await server.person(), try await server.person())
        let (sharing, reading) = (server.client(sharer), server.client(fan))
        try await reading.act("PUT", "\(sharer.path)/follow")
        let post = try await server.client(author).publish()
        let before = try await sharing.publish()
        #expect(try await reading.page("/v1/timelines/home") == [before])
        try await sharing.act("PUT", "/v1/posts/\(post)/reshare", times: 3)
        #expect(try await reading.get("/v1/posts/\(post)").json["sharesCount"] == .integer(1))
        try await server.waitForJobs()
        // The post is at the position of the reshare.
        #expect(try await reading.page("/v1/timelines/home") == [post, before])
        #expect(try await reading.get("/v1/timelines/home").json["items"]?.entries?[0]["sharesCount"] == .integer(1))

        try await sharing.act("DELETE", "/v1/posts/\(post)/reshare", times: 3)
        #expect(try await reading.page("/v1/timelines/home") == [before])
        #expect(try await reading.get("/v1/posts/\(post)").json["sharesCount"] == .integer(0))
    }

    @Test func `nobody reshares what they may not see`() async throws {
        let (author, other) = (try await server.person(), try await server.person())
        let (client, stranger) = (server.client(author), server.client(other))
        let open = try await client.publish()
        let hidden = try #require(try await client.publish(with: #""visibility":"followers""#)["postId"]?.text)
        for id in noIDs + [hidden] {
            for method in ["PUT", "DELETE"] {
                try await stranger.send(method, "/v1/posts/\(id)/reshare").expectProblem(404, "post_not_found", id)
            }
        }
        #expect(try await client.get("/v1/posts/\(hidden)").json["sharesCount"] == .integer(0))
        try await stranger.act("PUT", "\(author.path)/follow")
        try await stranger.act("PUT", "/v1/posts/\(hidden)/reshare")

        try await stranger.act("PUT", "/v1/posts/\(open)/reshare")
        try await client.act("PUT", "\(other.path)/block")
        try await stranger.put("/v1/posts/\(open)/reshare").expectProblem(404, "post_not_found")
        // An earlier reshare can be undone. After that, the post is hidden.
        for id in [open, hidden] {
            try await stranger.act("DELETE", "/v1/posts/\(id)/reshare")
            try await stranger.delete("/v1/posts/\(id)/reshare").expectProblem(404, "post_not_found")
            #expect(try await client.get("/v1/posts/\(id)").json["sharesCount"] == .integer(0))
        }
    }

    @Test func `a deleted post is not reshared`() async throws {
        let client = server.client(try await server.person())
        let post = try await client.publish()
        try await client.act("PUT", "/v1/posts/\(post)/reshare")
        try await client.act("DELETE", "/v1/posts/\(post)")
        for method in ["PUT", "DELETE"] {
            try await client.send(method, "/v1/posts/\(post)/reshare").expectProblem(404, "post_not_found")
        }
    }
}
