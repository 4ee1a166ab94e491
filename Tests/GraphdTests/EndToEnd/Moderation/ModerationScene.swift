import Moderation
import ServiceTestSupport
import SocialGraph
import Testing

@testable import StrictJSON

/// A community with its people, a member's content in it, and open cases about that content for moderators to work on.
struct ModerationScene: Sendable {
    /// A person with their roles in the community and on the site.
    struct Persona: Sendable, CustomStringConvertible {
        let description: String
        /// Nil for a caller without a token.
        let person: Person?
        var here = ModeratorRole.user
        var site = ModeratorRole.user
        var isModerating = false
        var isSuspended = false
    }

    let server: GraphdServer
    let community: String
    /// The member whom all cases concern.
    let victim: Person
    let admin: Person
    let personas: [Persona]
    let post: String
    let comment: String
    let report: String
    let appeal: String
    /// The modlog entry of the removal under appeal.
    let entry: String
    let batch: String
    let rule: String

    init(on server: GraphdServer) async throws {
        self.server = server
        let admin = try await server.person("admin")
        _ = try await server.graph.moderation.appoint(.admin, admin.id, reason: "the first")
        func someone(_ name: String) async throws -> Person { try await server.person(name) }
        let (owner, moderator, elsewhere) = (
            try await someone("owner"), try await someone("moderator"), try await someone("elsewhere")
        )
        let (site, member, user) = (try await someone("site"), try await someone("member"), try await someone("user"))
        let (suspended, silenced) = (try await someone("suspended"), try await someone("silenced"))
        victim = try await someone("victim")
        self.admin = admin
        community = try await server.client(owner).community("c\(owner.idText)")
        _ = try await server.client(elsewhere).community("c\(elsewhere.idText)")
        for person in [moderator, member, victim, suspended, silenced] {
            try await server.client(person).act("POST", "/v1/communities/\(community)/join")
        }
        let chief = server.client(admin)
        func order(_ text: String) async throws -> JSONValue {
            try await chief.moderate(text)
        }
        let here = #""communityId":"\#(community)","reason":"r""#
        _ = try await order(
            #"{"action":"setMemberRole","subjects":[{"userId":"\#(moderator.idText)"}],"role":"moderator",\#(here)}"#)
        _ = try await order(
            #"{"action":"setSiteRole","subjects":[{"userId":"\#(site.idText)"}],"role":"moderator","reason":"r"}"#)
        _ = try await order(#"{"action":"suspendUser","subjects":[{"userId":"\#(suspended.idText)"}],"reason":"r"}"#)
        _ = try await order(#"{"action":"silenceUser","subjects":[{"userId":"\#(silenced.idText)"}],"reason":"r"}"#)

        let own = server.client(victim)
        post = try #require(try await own.publish(with: #""communityId":"\#(community)""#)["postId"]?.text)
        let removed = try #require(try await own.publish(with: #""communityId":"\#(community)""#)["postId"]?.text)
        comment = try #require(
            try await own.post("/v1/posts/\(post)/comments", #"{"content":"mine"}"#).json["commentId"]?.text)
        let reported = try await server.client(member).post(
            "/v1/reports", #"{"postId":"\#(post)","reason":"r"}"#)
        report = try #require(try reported.json["reportId"]?.text, "\(reported)")
        // The removal is the community's: its moderators decide the appeal against it, and undo it.
        let removal = try await server.client(owner).moderate(
            #"{"action":"removePost","subjects":[{"postId":"\#(removed)"}],"reason":"r","note":"n"}"#)
        batch = try #require(removal["batch"]?.text)
        entry = try #require(removal["results"]?.entries?.first?["entryId"]?.text)
        let appealed = try await own.post("/v1/appeals", #"{"entryId":"\#(entry)","text":"t"}"#)
        appeal = try #require(try appealed.json["appealId"]?.text, "\(appealed)")
        let ruled = try await chief.post(
            "/v1/moderation/rules",
            #"{"communityId":"\#(community)","name":"r","action":"flag","kind":"keyword","#
                + #""definition":{"words":["zzz"]}}"#)
        rule = try #require(try ruled.json["ruleId"]?.text, "\(ruled)")
        personas = [
            Persona(description: "anonymous", person: nil), Persona(description: "user", person: user),
            Persona(description: "member", person: member),
            Persona(description: "moderator here", person: moderator, here: .communityModerator, isModerating: true),
            Persona(description: "owner elsewhere", person: elsewhere, isModerating: true),
            Persona(description: "owner", person: owner, here: .communityOwner, isModerating: true),
            Persona(
                description: "site moderator", person: site, here: .siteModerator, site: .siteModerator,
                isModerating: true),
            Persona(description: "admin", person: admin, here: .admin, site: .admin, isModerating: true),
            Persona(description: "suspended", person: suspended, isSuspended: true),
            Persona(description: "silenced", person: silenced),
        ]
    }

    func client(_ persona: Persona) -> APIClient { server.client(persona.person) }
}

extension APIClient {
    /// Sends an order and expects it to succeed.
    @discardableResult
    func moderate(_ order: String, sourceLocation: SourceLocation = #_sourceLocation) async throws -> JSONValue {
        let answer = try await post("/v1/moderation/actions", order)
        #expect(answer.status == 200, "\(order): \(answer)", sourceLocation: sourceLocation)
        return try answer.json
    }
}
