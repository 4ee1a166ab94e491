import Moderation
import ServiceTestSupport
import SocialGraph
import TestSupport
import Testing

@testable import StrictJSON

/// Reports, appeals, suspended callers and undo, as users see them.
@Suite(.timeLimit(.process), .sharedGraphd)
struct ModerationCaseTests {
    let server: GraphdServer

    init() throws { server = try GraphdServer.shared }

    @Test func `a report is filed once, claimed and resolved`() async throws {
        let scene = try await ModerationScene(on: server)
        let (reporter, chief) = (server.client(try await server.person()), server.client(scene.admin))
        let body = #"{"postId":"\#(scene.post)","reason":"Advertising","note":"see the link"}"#
        let first = try await reporter.post("/v1/reports", body)
        #expect(first.status == 201)
        let id = try #require(try first.json["reportId"]?.text)
        let again = try await reporter.post("/v1/reports", body)
        #expect(again.status == 200 && (try? again.json["reportId"]) == .string(id))

        let list = "/v1/moderation/reports?communityId=\(scene.community)"
        func listed(_ status: String) async throws -> [String?] {
            try await chief.get("\(list)&status=\(status)").json["items"]?.entries?.map { $0["reportId"]?.text } ?? []
        }
        #expect(try await listed("open") == [id, scene.report])
        let report = try await chief.get("/v1/moderation/reports/\(id)").json
        #expect(report["excerpt"] == .string("a caption") && report["openReports"] == .integer(2))
        #expect(report["user"]?["userId"]?.text == scene.victim.idText && report["note"]?.text == "see the link")
        #expect(try await chief.get("\(list)&userId=\(scene.victim.idText)&kind=comment").json["items"] == .array([]))

        func order(_ action: String, _ more: String = "", by client: APIClient? = nil) async throws -> Answer {
            try await (client ?? chief).post(
                "/v1/moderation/actions",
                #"{"action":"\#(action)","subjects":[{"reportId":"\#(id)"}],"reason":"r"\#(more)}"#)
        }
        #expect(try await order("claimReport").status == 200)
        #expect(try await listed("claimed") == [id])
        let other = server.client(try #require(scene.personas.first { $0.here == .communityOwner }?.person))
        try await order("claimReport", by: other).expectProblem(409, "claimed_by_another")
        let resolved = try await order("resolveReport", #","resolution":"dismissed""#)
        #expect(resolved.status == 200 && (try? resolved.json["changed"]) == .integer(1))
        try await order("claimReport").expectProblem(409, "already_decided")
        #expect(try await listed("resolved") == [id])
        #expect(try await reporter.post("/v1/reports", body).status == 201, "it is resolved")

        // Posts that are invisible to the caller cannot be reported.
        let hidden = try await server.client(scene.victim).publish(with: #""visibility":"followers""#)
        let unseen = try #require(hidden["postId"]?.text)
        try await reporter.post("/v1/reports", #"{"postId":"\#(unseen)","reason":"r"}"#)
            .expectProblem(404, "subject_not_found")
        try await server.client(scene.victim).post("/v1/reports", body).expectProblem(403, "own_affair")
        try await reporter.post("/v1/reports", #"{"reason":"r"}"#).expectProblem(400, "missing_field", field: "postId")
    }

    @Test func `an undo puts back what a batch did`() async throws {
        let scene = try await ModerationScene(on: server)
        let (chief, reader) = (server.client(scene.admin), server.client(try await server.person()))
        let timeline = "/v1/communities/\(scene.community)/timeline"
        let before = try await reader.page(timeline)
        #expect(before == [scene.post])
        let order = #"{"action":"takedownPost","subjects":[{"postId":"\#(scene.post)"}],"reason":"r"}"#
        let dry = try await chief.moderate(String(order.dropLast()) + #","dryRun":true}"#)
        #expect(dry["batch"] == .null && dry["changed"] == .integer(1))
        #expect(try await reader.page(timeline) == before)
        let done = try await chief.moderate(order)
        #expect(try await reader.page(timeline).isEmpty)
        let again = try await chief.moderate(order)
        #expect(again["changed"] == .integer(0) && again["batch"] == .null)
        let batch = try #require(done["batch"]?.text)
        let undone = try await chief.post("/v1/moderation/batches/\(batch)/undo", #"{"reason":"a mistake"}"#)
        #expect(undone.status == 200 && (try? undone.json["action"]) == .string("undo"))
        #expect(try await reader.page(timeline) == before)

        let entries = try await chief.get("/v1/moderation/modlog?postId=\(scene.post)").json["items"]?.entries ?? []
        #expect(entries.map { $0["action"]?.text } == ["undo", "takedownPost"])
        #expect(entries.last?["endedBy"] == entries.first?["entryId"])
        let verification = try await chief.get("/v1/moderation/modlog/verify").json
        #expect(verification["valid"] == .bool(true) && verification["head"]?.text?.count == 64)
        try await chief.post("/v1/moderation/batches/1/undo", "{}").expectProblem(404, "batch_not_found")
        try await chief.post(
            "/v1/moderation/actions",
            #"{"action":"banMember","subjects":[{"userId":"\#(scene.victim.idText)"}],"reason":"r"}"#
        )
        .expectProblem(422, "invalid_order", field: "communityId")
    }

    @Test func `a suspended caller has own affairs only until reinstated`() async throws {
        let chief = server.client(try await ModerationScene(on: server).admin)
        let person = try await server.person()
        let client = server.client(person)
        #expect(try await client.get("/v1/timelines/home").status == 200)
        let suspension = try await chief.moderate(
            #"{"action":"suspendUser","subjects":[{"userId":"\#(person.idText)"}],"reason":"Spam","duration":3600}"#)
        for path in ["/v1/timelines/home", "/v1/users/\(person.idText)", "/v1/search/posts?q=x", "/vistavid/videos"] {
            #expect(try await client.get(path).status == 403, "\(path)")
        }
        let refused = try await client.post("/v1/posts", #"{"caption":"c","mediaUrl":"https://example.org/v"}"#)
        try refused.expectProblem(403, "account_suspended")
        #expect(try refused.json["detail"]?.text?.contains("Spam") == true)
        for path in [
            "/v1/me", "/v1/me/export", "/v1/me/strikes", "/v1/me/moderation", "/v1/appeals", "/v1/notifications",
        ] { #expect(try await client.get(path).status == 200, "\(path)") }

        let entry = try #require(suspension["results"]?.entries?.first?["entryId"]?.text)
        let appealed = try await client.post("/v1/appeals", #"{"entryId":"\#(entry)","text":"I did not."}"#)
        #expect(appealed.status == 201)
        try await client.post("/v1/appeals", #"{"entryId":"\#(entry)","text":"Again."}"#)
            .expectProblem(409, "not_appealable")
        let appeal = try #require(try appealed.json["appealId"]?.text)
        try await chief.moderate(
            #"{"action":"decideAppeal","subjects":[{"appealId":"\#(appeal)"}],"reason":"right","decision":"granted"}"#)
        #expect(try await client.get("/v1/timelines/home").status == 200)
        #expect(try await client.get("/v1/appeals").json["items"]?.entries?.first?["status"] == .string("granted"))
    }

    @Test func `whom it concerns learns neither who nor the notes`() async throws {
        let scene = try await ModerationScene(on: server)
        let reporter = try await server.person("qqreporter")
        let moderator = try await server.person("qqmoderator")
        let (chief, victim) = (server.client(scene.admin), server.client(scene.victim))
        try await chief.moderate(
            #"{"action":"setSiteRole","subjects":[{"userId":"\#(moderator.idText)"}],"role":"moderator","reason":"r"}"#)
        _ = try await server.client(reporter).post(
            "/v1/reports", #"{"postId":"\#(scene.post)","reason":"qqreason","note":"qqnote"}"#)
        _ = try await server.client(reporter).post(
            "/v1/reports", #"{"userId":"\#(scene.victim.idText)","reason":"qqreason","note":"qqnote"}"#)
        let hands = server.client(moderator)
        try await hands.moderate(
            #"{"action":"warnUser","subjects":[{"userId":"\#(scene.victim.idText)"}],"reason":"told","note":"qqnote"}"#)
        try await hands.moderate(
            #"{"action":"claimReport","subjects":[{"reportId":"\#(scene.report)"}],"reason":"qqreason"}"#)
        try await hands.moderate(
            #"{"action":"takedownPost","subjects":[{"postId":"\#(scene.post)"}],"reason":"told","note":"qqnote"}"#)
        for path in [
            "/v1/me/moderation", "/v1/me/strikes", "/v1/appeals", "/v1/notifications", "/v1/me/export", "/v1/modlog",
            "/v1/modlog?communityId=\(scene.community)", "/v1/posts/\(scene.post)", "/v1/me",
        ] {
            let answer = try await victim.get(path)
            #expect(!answer.text.contains("qq"), "\(path): \(answer.text)")
            #expect(!answer.text.contains("claimReport"), "\(path)")
        }
        let own = try await victim.get("/v1/me/moderation").json["items"]?.entries ?? []
        #expect(own.map { $0["action"]?.text } == ["takedownPost", "warnUser", "removePost"])
        #expect(own.first?["reason"] == .string("told") && own.last?["appeal"] == .string("open"))
        #expect(try await victim.get("/v1/me/strikes").json["items"]?.entries?.count == 1)
        let figures = try await chief.get("/v1/moderation/dashboard").json
        #expect(figures["latency"]?.entries?.contains { $0["route"] == .string("GET /v1/me/moderation") } == true)
        let home = try await chief.get("/v1/moderation/users/\(scene.victim.idText)/home").json
        #expect(home["items"]?.entries?.allSatisfy { $0["why"]?.entries?.isEmpty == false } == true)
    }
}
