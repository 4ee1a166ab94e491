import ServiceTestSupport
import SocialGraph
import TestSupport
import Testing

@testable import StrictJSON

/// Blocks hide two users from each other, whichever of them blocked.
@Suite(.timeLimit(.process), .sharedGraphd)
struct BlockTests {
    let server: GraphdServer

    init() throws { server = try GraphdServer.shared }

    @Test func `a block hides and unfollows both ways and an unblock shows again`() async throws {
        let (blocker, blocked) = (try await server.person(), try await server.person())
        let (one, other) = (server.client(blocker), server.client(blocked))
        try await one.act("PUT", "\(blocked.path)/follow")
        try await other.act("PUT", "\(blocker.path)/follow")
        let (own, others) = (try await one.publish(), try await other.publish())
        try await server.waitForJobs()
        #expect(try await one.page("/v1/timelines/home") == [others, own])
        #expect(try await other.page("/v1/timelines/home") == [others, own])

        try await one.act("PUT", "\(blocked.path)/block", times: 3)
        #expect(try await one.page("/v1/timelines/home") == [own])
        #expect(try await other.page("/v1/timelines/home") == [others])
        try await one.get("/v1/posts/\(others)").expectProblem(404, "post_not_found")
        try await other.get("/v1/posts/\(own)").expectProblem(404, "post_not_found")
        for (client, person) in [(one, blocker), (other, blocked)] {
            let me = try await client.get("/v1/me").json
            #expect(me["followersCount"] == .integer(0) && me["followingCount"] == .integer(0))
            for list in ["followers", "following", "mutuals"] {
                #expect(try await client.walk("\(person.path)/\(list)").isEmpty)
            }
        }
        try await one.put("\(blocked.path)/follow").expectProblem(403, "not_allowed")
        // The blocker does not exist for the blocked user. The blocker can still see the blocked user, in order to
        // unblock.
        try await other.put("\(blocker.path)/follow").expectProblem(404, "user_not_found")
        for path in [
            blocker.path, "/v1/users/by-username/\(blocker.username)", blocker.timeline, "\(blocker.path)/followers",
            "\(blocker.path)/following", "\(blocker.path)/mutuals",
        ] {
            try await other.get(path).expectProblem(404, "user_not_found")
        }
        #expect(try await one.get(blocked.path).status == 200)
        #expect(try await one.page(blocked.timeline) == [])

        try await one.act("DELETE", "\(blocked.path)/block", times: 3)
        #expect(try await one.get("/v1/posts/\(others)").status == 200)
        #expect(try await other.get("/v1/posts/\(own)").status == 200)
        #expect(try await one.page("/v1/timelines/home") == [own])
        try await one.act("PUT", "\(blocked.path)/follow")
        #expect(try await one.page("/v1/timelines/home") == [others, own])
    }

    @Test func `the list is the blocker's own, newest first`() async throws {
        let blocker = try await server.person()
        let client = server.client(blocker)
        let empty = try await client.get("/v1/me/blocks")
        #expect(empty.status == 200 && empty.text == #"{"items":[],"nextCursor":null}"#)
        var blocked: [Person] = []
        for _ in 0..<5 {
            blocked.append(try await server.person())
            try await client.act("PUT", "\(blocked[blocked.count - 1].path)/block")
        }
        // Blocking again does not change the order.
        try await client.act("PUT", "\(blocked[0].path)/block")
        for limit in [1, 2, 5, 100] {
            let items = try await client.walk("/v1/me/blocks", limit: limit)
            #expect(items.map { $0["userId"]?.text } == blocked.reversed().map(\.idText))
            #expect(items.map { $0["username"]?.text } == blocked.reversed().map(\.username))
            #expect(items.allSatisfy { $0.names == ["userId", "username", "displayName", "profilePicUrl"] })
        }
        #expect(try await server.client(blocked[0]).walk("/v1/me/blocks").isEmpty)
        try await client.act("DELETE", "\(blocked[4].path)/block")
        #expect(try await client.walk("/v1/me/blocks").count == 4)
    }

    @Test func `a block ends the collaboration between the two`() async throws {
        let (author, friend) = (try await server.person(), try await server.person(accepting: .following))
        let client = server.client(author)
        try await server.client(friend).act("PUT", "\(author.path)/follow")
        let post = try await client.publish(with: #""collaborators":["\#(friend.idText)"]"#)
        #expect(post["collaborators"]?.entries?.first?["status"] == .string("accepted"))
        let id = try #require(post["postId"]?.text)
        try await server.client(friend).act("PUT", "\(author.path)/block")
        #expect(try await client.get("/v1/posts/\(id)").json["collaborators"] == .array([]))
        try await client.get(friend.timeline).expectProblem(404, "user_not_found")
        #expect(try await server.client(friend).get("/v1/me").json["postsCount"] == .integer(0))

        // The author is told no more than of a user who does not exist.
        let path = "/v1/posts/\(id)/collaborators/\(friend.idText)"
        let named = #"{"caption":"c","mediaUrl":"https://example.org/v","collaborators":["\#(friend.idText)"]}"#
        try await client.put(path).expectProblem(404, "user_not_found")
        try await client.post("/v1/posts", named).expectProblem(422, "unknown_collaborator", field: "collaborators")
        try await server.client(friend).act("DELETE", "\(author.path)/block")
        try await client.act("PUT", "\(friend.path)/block")
        try await client.put(path).expectProblem(403, "not_allowed")
        try await client.post("/v1/posts", named).expectProblem(403, "not_allowed")
        #expect(try await client.page(author.timeline) == [id])
    }

    @Test(arguments: ["PUT", "DELETE"])
    func `nobody and oneself cannot be blocked`(_ method: String) async throws {
        let person = try await server.person()
        let client = server.client(person)
        for id in noIDs {
            try await client.send(method, "/v1/users/\(id)/block").expectProblem(404, "user_not_found", id)
        }
        try await client.send(method, "\(person.path)/block").expectProblem(400, "self_block")
        #expect(try await client.walk("/v1/me/blocks").isEmpty)
    }
}
