import ServiceTestSupport
import SocialGraph
import TestSupport
import Testing

@testable import StrictJSON

/// Private accounts over HTTP: requests to follow, and posts for followers.
@Suite(.timeLimit(.process), .sharedGraphd)
struct PrivateAccountTests {
    let server: GraphdServer

    init() throws { server = try GraphdServer.shared }

    private func privateOwner() async throws -> Person {
        let owner = try await server.person()
        let answer = try await server.client(owner).patch("/v1/me", #"{"isPrivate":true}"#)
        #expect(try answer.status == 200 && answer.json["isPrivate"] == .bool(true))
        return owner
    }

    private func requests(_ client: APIClient, _ path: String = "") async throws -> [String?] {
        try await client.walk("/v1/me/follow-requests\(path)").map { $0["userId"]?.text }
    }

    @Test func `a follow waits for approval, and opens posts with it`() async throws {
        let (owner, fan) = (try await privateOwner(), try await server.person())
        let (ownClient, client) = (server.client(owner), server.client(fan))
        let post = try await ownClient.publish()
        #expect(try await client.get(owner.path).json["isPrivate"] == .bool(true))
        for _ in 1...2 {
            let answer = try await client.put("\(owner.path)/follow")
            #expect(answer.status == 202 && answer.text == #"{"status":"requested"}"#)
        }
        try await client.get("/v1/posts/\(post)").expectProblem(404, "post_not_found")
        #expect(try await client.page("/v1/timelines/users/\(owner.idText)") == [])
        #expect(try await requests(ownClient) == [fan.idText])
        #expect(try await requests(client, "/sent") == [owner.idText])
        let told = try await ownClient.walk("/v1/notifications").map { $0["type"]?.text }
        #expect(told == ["follow_request"])
        try await ownClient.act("PUT", "/v1/me/follow-requests/\(fan.idText)", times: 2)
        #expect(try await requests(ownClient).isEmpty)
        #expect(try await requests(client, "/sent").isEmpty)
        #expect(try await client.get("/v1/posts/\(post)").status == 200)
        #expect(try await client.page("/v1/timelines/home") == [post])
        #expect(try await client.walk("/v1/notifications").map { $0["type"]?.text } == ["follow_accepted"])
        #expect(try await ownClient.walk("/v1/notifications").isEmpty)
        try await client.act("PUT", "\(owner.path)/follow")
        #expect(try await client.walk("\(owner.path)/followers").count == 1)
        #expect(try await server.client(server.person()).walk("\(owner.path)/followers").isEmpty)
    }

    @Test func `requests are declined, taken back, and unknown to strangers`() async throws {
        let (owner, fan) = (try await privateOwner(), try await server.person())
        let (ownClient, client) = (server.client(owner), server.client(fan))
        #expect(try await client.put("\(owner.path)/follow").status == 202)
        try await ownClient.act("DELETE", "/v1/me/follow-requests/\(fan.idText)", times: 2)
        #expect(try await client.walk("/v1/notifications").isEmpty)
        #expect(try await requests(client, "/sent").isEmpty)
        #expect(try await client.put("\(owner.path)/follow").status == 202)
        try await client.act("DELETE", "\(owner.path)/follow", times: 2)
        #expect(try await requests(ownClient).isEmpty)
        try await ownClient.put("/v1/me/follow-requests/\(fan.idText)")
            .expectProblem(404, "follow_request_not_found")
        try await ownClient.put("/v1/me/follow-requests/1").expectProblem(404, "user_not_found")
    }

    @Test func `opening an account shows its posts at once, and approves what waits`() async throws {
        let (owner, fan) = (try await privateOwner(), try await server.person())
        let client = server.client(fan)
        let post = try await server.client(owner).publish()
        #expect(try await client.put("\(owner.path)/follow").status == 202)
        #expect(try await server.client(owner).patch("/v1/me", #"{"isPrivate":false}"#).status == 200)
        #expect(try await client.get("/v1/posts/\(post)").status == 200)
        var stream = try await client.stream(after: "1")
        while let event = try await stream.next() {
            if event.data?.contains("follow_accepted") == true { break }
        }
        #expect(try await client.page("/v1/timelines/home") == [post])
    }

    @Test func `a product's follow of a private account is a request`() async throws {
        let (owner, fan) = (try await privateOwner(), try await server.person())
        let client = server.client(fan)
        let answer = try await client.post("/vistavid/user/\(owner.idText)/follow", "{}")
        #expect(answer.status == 200 && answer.text == #"{"success":true}"#)
        #expect(try await requests(client, "/sent") == [owner.idText])
        _ = try await client.post("/vistavid/user/\(owner.idText)/unfollow", "{}")
        #expect(try await requests(client, "/sent").isEmpty)
    }
}
