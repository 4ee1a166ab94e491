import ServiceTestSupport
import SocialGraph
import TestSupport
import Testing

@testable import StrictJSON

/// Posts with several authors: the author invites, and each co-author can leave.
@Suite(.timeLimit(.process), .sharedGraphd)
struct CollaborationTests {
    let server: GraphdServer

    init() throws { server = try GraphdServer.shared }

    private func statuses(_ client: APIClient, _ post: String) async throws -> [String: String] {
        let entries = try await client.get("/v1/posts/\(post)").json["collaborators"]?.entries ?? []
        return Dictionary(
            uniqueKeysWithValues: entries.compactMap { entry in
                guard let id = entry["userId"]?.text, let status = entry["status"]?.text else { return nil }
                return (id, status)
            })
    }

    @Test func `an invitation that is accepted puts the post on both profiles`() async throws {
        let (author, guest, fan) = (try await server.person(), try await server.person(), try await server.person())
        let (client, answering) = (server.client(author), server.client(guest))
        try await server.client(fan).act("PUT", "\(guest.path)/follow")
        let post = try await client.publish()
        for _ in 1...2 {
            let invited = try await client.put("/v1/posts/\(post)/collaborators/\(guest.idText)")
            #expect(invited.status == 200)
            #expect(
                invited.text
                    == #"{"userId":"\#(guest.idText)","username":"\#(guest.username)","status":"pending"}"#)
        }
        #expect(try await statuses(client, post) == [guest.idText: "pending"])
        #expect(try await answering.page(guest.timeline) == [])
        #expect(try await server.client(fan).page("/v1/timelines/home") == [])

        try await answering.act("POST", "/v1/posts/\(post)/collaboration/accept", times: 2)
        #expect(try await statuses(client, post) == [guest.idText: "accepted"])
        for person in [author, guest] {
            #expect(try await answering.page(person.timeline) == [post])
            #expect(try await answering.get(person.path).json["postsCount"] == .integer(1))
        }
        try await server.waitForJobs()
        #expect(try await server.client(fan).page("/v1/timelines/home") == [post])
        try await answering.post("/v1/posts/\(post)/collaboration/decline", "").expectProblem(404, "not_invited")

        try await answering.act("POST", "/v1/posts/\(post)/collaboration/leave")
        #expect(try await statuses(client, post) == [:])
        #expect(try await answering.page(guest.timeline) == [])
        #expect(try await answering.page(author.timeline) == [post])
        #expect(try await server.client(fan).page("/v1/timelines/home") == [])
        #expect(try await answering.get("/v1/me").json["postsCount"] == .integer(0))
        for (answer, code) in [("leave", "not_collaborator"), ("accept", "not_invited"), ("decline", "not_invited")] {
            try await answering.post("/v1/posts/\(post)/collaboration/\(answer)", "").expectProblem(404, code)
        }
    }

    /// Checks every place that shows a post to people it does not name.
    @Test func `a pending invitation is for those whom the post names`() async throws {
        let (author, guest, partner, fan) = (
            try await server.person(), try await server.person(), try await server.person(), try await server.person()
        )
        // The guest's follow of the author is not consent.
        for person in [guest, partner, fan] { try await server.client(person).act("PUT", "\(author.path)/follow") }
        let word = "invited\(author.idText)"
        let names = #""category":"\#(word)","collaborators":["\#(guest.idText)","\#(partner.idText)"]"#
        let created = try await server.client(author).publish(with: names)
        let post = try #require(created["postId"]?.text)
        let all = [guest.idText: "pending", partner.idText: "pending"]
        #expect(created["collaborators"]?.entries?.count == 2)
        let edited = try await server.client(author).patch("/v1/posts/\(post)", #"{"caption":"hello \#(word)"}"#).json
        #expect(edited["collaborators"]?.entries?.count == 2)
        for person in [author, guest, partner] { #expect(try await statuses(server.client(person), post) == all) }
        #expect(try await statuses(server.client(fan), post) == [:])
        #expect(try await server.client(fan).page(guest.timeline) == [])

        let pages = [
            "/v1/timelines/home", "/v1/timelines/home?category=\(word)", author.timeline,
            "/v1/timelines/public?category=\(word)", "/v1/search/posts?q=\(word)",
        ]
        for person in [fan, author, guest] {
            for page in pages {
                let items = try await server.client(person).get(page).json["items"]?.entries ?? []
                #expect(items.count == 1 && items.first?["postId"]?.text == post, "\(page)")
                #expect(items.first?["collaborators"] == .array([]), "\(page)")
            }
        }
        let social = "/social/post/\(post)"
        #expect(try await server.client(fan).get(social).json["collaborators"] == .array([]))
        #expect(try await server.client(guest).get(social).json["collaborators"]?.entries?.count == 2)
        let timeline = try await server.client(fan).get("/social/timeline/\(fan.idText)").json
        #expect(timeline["posts"]?.entries?.first?["collaborators"] == .array([]))
        let export = try await server.client(author).get("/v1/me/export").json
        #expect(export["posts"]?.entries?.first?["collaborators"]?.entries?.count == 2)

        try await server.client(partner).act("POST", "/v1/posts/\(post)/collaboration/accept")
        #expect(try await statuses(server.client(fan), post) == [partner.idText: "accepted"])
        let named = [guest.idText: "pending", partner.idText: "accepted"]
        for person in [author, guest, partner] { #expect(try await statuses(server.client(person), post) == named) }
    }

    @Test func `who follows the author has accepted on request and may be removed`() async throws {
        let (author, friend) = (try await server.person(), try await server.person())
        let setting = #"{"autoAcceptCollaborations":"following"}"#
        #expect(try await server.client(friend).get("/v1/me").json["autoAcceptCollaborations"] == .string("nobody"))
        let changed = try await server.client(friend).patch("/v1/me", setting).json
        #expect(changed["autoAcceptCollaborations"] == .string("following"))
        try await server.client(friend).patch("/v1/me", #"{"autoAcceptCollaborations":"everybody"}"#)
            .expectProblem(422, "invalid_value", field: "autoAcceptCollaborations")
        let client = server.client(author)
        try await server.client(friend).act("PUT", "\(author.path)/follow")
        let post = try await client.publish()
        let path = "/v1/posts/\(post)/collaborators/\(friend.idText)"
        #expect(try await client.put(path).json["status"] == .string("accepted"))
        #expect(try await client.page(friend.timeline) == [post])
        try await client.act("DELETE", path, times: 2)
        #expect(try await client.page(friend.timeline) == [])
        #expect(try await client.page(author.timeline) == [post])
        // Followers of the author are still reached through the author.
        #expect(try await server.client(friend).page("/v1/timelines/home") == [post])
    }

    @Test func `a declined or withdrawn invitation is gone`() async throws {
        let (author, guest) = (try await server.person(), try await server.person())
        let (client, answering) = (server.client(author), server.client(guest))
        let post = try await client.publish()
        let path = "/v1/posts/\(post)/collaborators/\(guest.idText)"
        #expect(try await client.put(path).status == 200)
        try await answering.act("POST", "/v1/posts/\(post)/collaboration/decline")
        #expect(try await statuses(client, post) == [:])
        #expect(try await client.put(path).status == 200)
        try await client.act("DELETE", path)
        for answer in ["accept", "decline"] {
            try await answering.post("/v1/posts/\(post)/collaboration/\(answer)", "").expectProblem(404, "not_invited")
        }
        #expect(try await answering.page(guest.timeline) == [])
    }

    @Test func `only the author invites and removes`() async throws {
        let (author, friend, stranger) = (
            try await server.person(), try await server.person(accepting: .following), try await server.person()
        )
        try await server.client(friend).act("PUT", "\(author.path)/follow")
        let post = try #require(
            try await server.client(author).publish(with: #""collaborators":["\#(friend.idText)"]"#)["postId"]?.text)
        for person in [friend, stranger] {
            for method in ["PUT", "DELETE"] {
                for user in [friend, stranger] {
                    let path = "/v1/posts/\(post)/collaborators/\(user.idText)"
                    try await server.client(person).send(method, path).expectProblem(403, "not_author")
                }
            }
        }
        #expect(try await statuses(server.client(author), post) == [friend.idText: "accepted"])
    }

    @Test func `bad invitations are refused`() async throws {
        let (author, guest) = (try await server.person(), try await server.person())
        let client = server.client(author)
        let post = try await client.publish()
        try await client.put("/v1/posts/\(post)/collaborators/\(author.idText)")
            .expectProblem(400, "self_collaboration")
        for id in noIDs {
            for method in ["PUT", "DELETE"] {
                let user = try await client.send(method, "/v1/posts/\(post)/collaborators/\(id)")
                try user.expectProblem(404, "user_not_found", id)
                let nothing = try await client.send(method, "/v1/posts/\(id)/collaborators/\(guest.idText)")
                try nothing.expectProblem(404, "post_not_found", id)
            }
            for answer in ["accept", "decline", "leave"] {
                try await client.post("/v1/posts/\(id)/collaboration/\(answer)", "")
                    .expectProblem(404, "post_not_found", id)
            }
        }
        try await client.post("/v1/posts/\(post)/collaboration/maybe", "").expectProblem(404, "not_found")
        #expect(try await statuses(client, post) == [:])
    }

    @Test func `a post has at most twenty collaborators`() async throws {
        let client = server.client(try await server.person())
        let post = try await client.publish()
        for _ in 0..<SocialGraphLimits.collaboratorsPerPost {
            #expect(
                try await client.put("/v1/posts/\(post)/collaborators/\(try await server.person().idText)").status
                    == 200)
        }
        let path = "/v1/posts/\(post)/collaborators/\(try await server.person().idText)"
        try await client.put(path).expectProblem(409, "limit_reached")
    }

    @Test func `refusals do not tell of a post that the caller may not see`() async throws {
        let (author, stranger) = (try await server.person(), try await server.person())
        let hidden = try #require(
            try await server.client(author).publish(with: #""visibility":"followers""#)["postId"]?.text)
        let client = server.client(stranger)
        for (method, path) in [
            ("PUT", "collaborators/\(stranger.idText)"), ("DELETE", "collaborators/\(stranger.idText)"),
            ("POST", "collaboration/accept"), ("POST", "collaboration/decline"), ("POST", "collaboration/leave"),
            ("PUT", "reshare"), ("DELETE", "reshare"), ("GET", "delivery"),
        ] {
            try await client.send(method, "/v1/posts/\(hidden)/\(path)").expectProblem(404, "post_not_found", path)
        }
        // An invited user may answer.
        #expect(
            try await server.client(author).put("/v1/posts/\(hidden)/collaborators/\(stranger.idText)").status == 200)
        try await client.act("POST", "/v1/posts/\(hidden)/collaboration/accept")
        #expect(try await client.page("/v1/timelines/home") == [hidden])
    }
}
