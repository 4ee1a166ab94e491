import ServiceTestSupport
import TestSupport
import Testing

/// Decisions of the site and of communities, over HTTP.
@Suite(.timeLimit(.process), .sharedGraphd)
struct ModerationScopeTests {
    let server: GraphdServer

    init() throws { server = try GraphdServer.shared }

    @Test func `an owner approves nothing that the site holds`() async throws {
        let scene = try await ModerationScene(on: server)
        let owner = try owner(of: scene)
        let (chief, stranger) = (server.client(scene.admin), server.client(try await server.person()))
        let word = "qz\(scene.community)"
        let rule = try await chief.post(
            "/v1/moderation/rules",
            #"{"name":"site","action":"hold","kind":"keyword","definition":{"words":["\#(word)"]}}"#)
        #expect(rule.status == 201)
        let written = try await server.client(scene.victim).post(
            "/v1/posts",
            #"{"caption":"\#(word)","mediaUrl":"https://example.org/v.mp4","communityId":"\#(scene.community)"}"#)
        let post = try #require(try written.json["postId"]?.text)
        let queue = try await owner.get("/v1/moderation/queue?communityId=\(scene.community)")
        #expect(try queue.json["items"]?.entries?.first?["scope"]?.text == "site")
        let subject = #""subjects":[{"postId":"\#(post)"}],"reason":"r""#
        try await owner.post("/v1/moderation/actions", #"{"action":"approvePost",\#(subject)}"#)
            .expectProblem(403, "site_decision")
        let log = try await owner.get("/v1/moderation/modlog?postId=\(post)").json["items"]?.entries ?? []
        #expect(log.map { $0["scope"]?.text } == ["site"])
        let batch = try #require(log.first?["batch"]?.text)
        try await owner.post("/v1/moderation/batches/\(batch)/undo", "{}").expectProblem(403, "site_decision")
        #expect(try await stranger.get("/v1/posts/\(post)").status == 404)
        try await chief.moderate(#"{"action":"approvePost",\#(subject)}"#)
        #expect(try await stranger.get("/v1/posts/\(post)").status == 200)
        let id = try #require(try rule.json["ruleId"]?.text)
        #expect(try await chief.delete("/v1/moderation/rules/\(id)").status == 204)
    }

    @Test func `notes of the site are its own`() async throws {
        let scene = try await ModerationScene(on: server)
        let owner = try owner(of: scene)
        let order =
            #"{"action":"removePost","subjects":[{"postId":"\#(scene.post)"}],"reason":"r","note":"qqsecret"}"#
        try await server.client(scene.admin).moderate(order)
        for path in [
            "/v1/moderation/modlog?postId=\(scene.post)",
            "/v1/moderation/users/\(scene.victim.idText)?communityId=\(scene.community)",
        ] {
            func notes(_ client: APIClient) async throws -> [String?] {
                let answer = try await client.get(path).json
                let entries = answer["items"]?.entries ?? answer["entries"]?.entries ?? []
                return entries.filter { $0["scope"]?.text == "site" }.map { $0["note"]?.text }
            }
            #expect(try await notes(owner) == [nil], "\(path)")
            #expect(try await notes(server.client(scene.admin)) == ["qqsecret"], "\(path)")
        }
    }

    @Test func `a community reaches nobody who has never been there`() async throws {
        let scene = try await ModerationScene(on: server)
        let owner = try owner(of: scene)
        let stranger = try await server.person()
        for action in ["warnUser", "banMember"] {
            let order =
                #"{"action":"\#(action)","subjects":[{"userId":"\#(stranger.idText)"}],"#
                + #""communityId":"\#(scene.community)","reason":"r"}"#
            try await owner.post("/v1/moderation/actions", order).expectProblem(403, "never_member")
        }
        try await owner.get("/v1/moderation/users/\(stranger.idText)?communityId=\(scene.community)")
            .expectProblem(403, "never_member")
        #expect(try await server.client(stranger).get("/v1/me/moderation").json["items"]?.entries?.isEmpty == true)
    }

    @Test func `what was posted for members stays theirs`() async throws {
        let scene = try await ModerationScene(on: server)
        let owner = try owner(of: scene)
        let moderator = try #require(scene.personas.first { $0.description == "moderator here" })
        let path = "/v1/communities/\(scene.community)"
        try await scene.client(moderator).patch(path, #"{"private":true}"#).expectProblem(403, "not_permitted")
        #expect(try await owner.patch(path, #"{"private":true}"#).status == 200)
        let hidden = try await server.client(scene.victim).publish(with: #""communityId":"\#(scene.community)""#)
        #expect(try await owner.patch(path, #"{"private":false}"#).status == 200)
        let post = try #require(hidden["postId"]?.text)
        let stranger = server.client(try await server.person())
        #expect(try await stranger.get("/v1/posts/\(post)").status == 404)
        #expect(try await stranger.get("/v1/posts/\(scene.post)").status == 200)
        let timeline = try await stranger.get("/v1/communities/\(scene.community)/timeline").json["items"]?.entries
        let seen = timeline?.compactMap { $0["postId"]?.text } ?? []
        #expect(seen.contains(scene.post) && !seen.contains(post))
        #expect(try await owner.get("/v1/posts/\(post)").status == 200)
        let log = try await owner.get("/v1/moderation/modlog?communityId=\(scene.community)").json["items"]?.entries
        let actions = log?.compactMap { $0["action"]?.text } ?? []
        #expect(actions.contains("makeCommunityPrivate") && actions.contains("makeCommunityPublic"))
    }

    private func owner(of scene: ModerationScene) throws -> APIClient {
        scene.client(try #require(scene.personas.first { $0.description == "owner" }))
    }
}
