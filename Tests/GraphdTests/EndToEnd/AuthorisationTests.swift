import Database
import Moderation
import ServiceTestSupport
import SocialGraph
import TestSupport
import Testing

/// Authorisation: every endpoint that requires more than a valid token, called by a stranger, by the owner, by a
/// moderator of the community, by holders of site roles, and by silenced and suspended users. `OpenAPITests` checks
/// that only the open endpoints answer without a token.
@Suite(.timeLimit(.process), .sharedGraphd)
struct AuthorisationTests {
    let server: GraphdServer

    init() throws { server = try GraphdServer.shared }

    private struct Scene: Sendable {
        let owner: Person
        let other: Person
        let moderator: Person
        let siteModerator: Person
        let admin: Person
        let silenced: Person
        let suspended: Person
        let community: String
        let post: String
        let comment: String
        let notification: String
    }

    private struct Case: Sendable {
        let method: String
        let path: @Sendable (Scene) -> String
        var body: String?
        /// The expected statuses for the post's author, who also owns the community; for a stranger; for the
        /// community's moderator.
        let owner: Int
        let other: Int
        let moderator: Int
        /// The expected status for holders of a site role; nil if it equals `other`.
        var ofSite: Int?
    }

    private static let cases: [Case] = [
        Case(method: "GET", path: { "/v1/posts/\($0.post)" }, owner: 200, other: 200, moderator: 200),
        Case(method: "GET", path: { "/v1/posts/\($0.post)/delivery" }, owner: 200, other: 403, moderator: 200),
        Case(method: "PUT", path: { "/v1/posts/\($0.post)/like" }, owner: 200, other: 200, moderator: 200),
        Case(method: "PUT", path: { "/v1/posts/\($0.post)/reshare" }, owner: 204, other: 204, moderator: 204),
        Case(
            method: "PUT", path: { "/v1/posts/\($0.post)/collaborators/\($0.other.idText)" }, owner: 200, other: 403,
            moderator: 403),
        Case(
            method: "DELETE", path: { "/v1/posts/\($0.post)/collaborators/\($0.other.idText)" }, owner: 204, other: 403,
            moderator: 403),
        Case(
            method: "PATCH", path: { "/v1/posts/\($0.post)" }, body: #"{"caption":"x"}"#, owner: 200, other: 403,
            moderator: 403),
        Case(
            method: "PUT", path: { "/v1/posts/\($0.post)/segments" }, body: "[]", owner: 200, other: 403, moderator: 403
        ),
        Case(
            method: "DELETE", path: { "/v1/posts/\($0.post)/transcript" }, owner: 204, other: 403, moderator: 403),
        Case(
            method: "PATCH", path: { "/v1/comments/\($0.comment)" }, body: #"{"content":"x"}"#, owner: 200, other: 403,
            moderator: 403),
        Case(
            method: "PUT", path: { "/v1/notifications/\($0.notification)/read" }, owner: 204, other: 404, moderator: 404
        ),
        Case(
            method: "PATCH", path: { "/v1/communities/\($0.community)" }, body: #"{"description":"x"}"#, owner: 200,
            other: 403, moderator: 200, ofSite: 200),
        Case(
            method: "GET", path: { "/v1/communities/\($0.community)/requests" }, owner: 200, other: 403,
            moderator: 200, ofSite: 200),
        Case(
            method: "PUT", path: { "/v1/communities/\($0.community)/requests/\($0.other.idText)" }, owner: 404,
            other: 403, moderator: 404, ofSite: 404),
        Case(
            method: "DELETE", path: { "/v1/communities/\($0.community)/requests/\($0.other.idText)" }, owner: 404,
            other: 403, moderator: 404, ofSite: 404),
        Case(
            method: "POST", path: { _ in "/v1/posts" }, body: "community", owner: 201, other: 403, moderator: 201),
        Case(method: "POST", path: { "/v1/communities/\($0.community)/leave" }, owner: 409, other: 204, moderator: 204),
        Case(method: "DELETE", path: { "/v1/comments/\($0.comment)" }, owner: 204, other: 403, moderator: 403),
        Case(method: "DELETE", path: { "/v1/posts/\($0.post)" }, owner: 204, other: 403, moderator: 403),
    ]

    private func scene() async throws -> Scene {
        let (owner, other, moderator) = (
            try await server.person(), try await server.person(), try await server.person()
        )
        let (siteModerator, admin) = (try await server.person(), try await server.person())
        let (silenced, suspended) = (try await server.person(), try await server.person())
        _ = try await server.graph.moderation.appoint(.moderator, siteModerator.id, reason: "r")
        _ = try await server.graph.moderation.appoint(.admin, admin.id, reason: "r")
        for (action, person) in [("silenceUser", silenced), ("suspendUser", suspended)] {
            try await server.client(admin).moderate(
                #"{"action":"\#(action)","subjects":[{"userId":"\#(person.idText)"}],"reason":"r"}"#)
        }
        let client = server.client(owner)
        let community = try await client.community("c\(owner.idText)")
        try await server.client(moderator).act("POST", "/v1/communities/\(community)/join")
        try await server.graph.communities.setRole(
            .moderator, of: moderator.id, in: .init(rawValue: try #require(Int64(community))))
        let post = try #require(try await client.publish(with: #""communityId":"\#(community)""#)["postId"]?.text)
        let comment = try await client.post("/v1/posts/\(post)/comments", #"{"content":"mine"}"#).json
        _ = try await server.client(other).put("/v1/posts/\(post)/like")
        let told = try await client.get("/v1/notifications").json["items"]?.entries
        return Scene(
            owner: owner, other: other, moderator: moderator, siteModerator: siteModerator, admin: admin,
            silenced: silenced, suspended: suspended, community: community, post: post,
            comment: try #require(comment["commentId"]?.text),
            notification: try #require(told?.first?["notificationId"]?.text))
    }

    @Test func `everybody may what they may and nothing else`() async throws {
        for one in Self.cases {
            // The owner goes last, because some requests cannot be repeated.
            let scene = try await scene()
            for (person, expected) in [
                (scene.suspended, 403), (scene.other, one.other), (scene.silenced, one.other),
                (scene.siteModerator, one.ofSite ?? one.other), (scene.admin, one.ofSite ?? one.other),
                (scene.moderator, one.moderator), (scene.owner, one.owner),
            ] {
                let body =
                    one.body == "community"
                    ? #"{"caption":"c","mediaUrl":"https://example.org/v","communityId":"\#(scene.community)"}"#
                    : one.body
                let answer = try await server.client(person).send(
                    one.method, one.path(scene), body: body.map { Array($0.utf8) })
                #expect(answer.status == expected, "\(one.method) \(one.path(scene)): \(answer)")
            }
        }
    }
}
