import ServiceTestSupport
import SocialGraph
import TestSupport
import Testing

@testable import StrictJSON

/// Notifications of moderators' decisions, reports by subject, and the media that moderators look at, over HTTP.
@Suite(.timeLimit(.process), .sharedGraphd)
struct ModerationNoticeTests {
    let server: GraphdServer

    init() throws { server = try GraphdServer.shared }

    /// A community with its owner, an author with a post in it, and a reader who has reported the post.
    private struct Scene {
        let owner: Person
        let author: Person
        let reporter: Person
        let community: String
        let post: String
        let report: String
    }

    private func scene(_ members: String = "") async throws -> Scene {
        let (owner, author) = (try await server.person("owner"), try await server.person("author"))
        let reporter = try await server.person("reporter")
        let community = try await server.client(owner).community("notices \(owner.idText)")
        try await server.client(author).act("POST", "/v1/communities/\(community)/join")
        let post = try #require(
            try await server.client(author).publish(with: #""communityId":"\#(community)"\#(members)"#)["postId"]?.text)
        let filed = try await server.client(reporter).post("/v1/reports", #"{"postId":"\#(post)","reason":"rude"}"#)
        return Scene(
            owner: owner, author: author, reporter: reporter, community: community, post: post,
            report: try #require(try filed.json["reportId"]?.text))
    }

    private func notices(_ person: Person) async throws -> [JSONValue] {
        let items = try await server.client(person).get("/v1/notifications?limit=50").json["items"]?.entries ?? []
        return items.filter { $0["type"]?.text == "moderation" }
    }

    @Test func `author and reporter are notified, in lists and streams, and no moderator is named`() async throws {
        let scene = try await scene()
        let (author, reporter) = (server.client(scene.author), server.client(scene.reporter))
        var stream = try await author.stream()
        let chief = server.client(scene.owner)
        _ = try await chief.moderate(
            #"{"action":"removePost","subjects":[{"postId":"\#(scene.post)"}],"reason":"Off topic","note":"again"}"#)
        _ = try await chief.moderate(
            #"{"action":"resolveReport","subjects":[{"reportId":"\#(scene.report)"}],"reason":"Off topic","#
                + #""resolution":"actioned"}"#)

        var event = try await stream.next()
        while event != nil, event?.name != "notification" { event = try await stream.next() }
        let streamed = try #require(event?.json)
        #expect(streamed["type"]?.text == "moderation" && streamed["actor"] == .null && streamed["author"] == .null)
        #expect(streamed["message"]?.text?.hasPrefix("Your post was removed in notices") == true)

        let told = try #require(try await notices(scene.author).first)
        #expect(told["actors"] == .array([]) && told["actorsCount"] == .integer(0) && told["viewer"] == .null)
        #expect(told["moderation"] == streamed["moderation"])
        #expect(told["moderation"]?["subject"]?["postId"]?.text == scene.post)
        #expect(told["moderation"]?["reason"]?.text == "Off topic")
        let outcome = try #require(try await notices(scene.reporter).first)
        #expect(outcome["message"]?.text == "Moderators acted on your report.")
        #expect(outcome["moderation"]?["subject"]?["reportId"]?.text == scene.report)
        #expect(outcome["moderation"]?["resolution"]?.text == "actioned")
        #expect(outcome["moderation"]?["reason"]?.text == "" && outcome["moderation"]?["communityId"] == .null)
        for client in [author, reporter] {
            for path in ["/v1/notifications", "/v1/me/export"] {
                let answer = try await client.get(path)
                let text = String(decoding: answer.body, as: UTF8.self)
                #expect(answer.status == 200 && text.contains(#""type":"moderation""#), "\(path)")
                #expect(!text.contains(scene.owner.username) && !text.contains("again"), "\(path)")
            }
            #expect(try await client.get("/v1/notifications/unread-count").json["unreadCount"] == .integer(1))
            try await client.act("PUT", "/v1/notifications/read")
            #expect(try await client.get("/v1/notifications?unread=true").json["items"] == .array([]))
        }
        // The entry is the one that the author may appeal against.
        let entry = try #require(told["moderation"]?["entryId"]?.text)
        let appeal = try await author.post("/v1/appeals", #"{"entryId":"\#(entry)","text":"It was on topic."}"#)
        #expect(appeal.status == 201, "\(appeal)")
        // The social app's contract has no such kind.
        let social = try await author.get("/social/notifications/\(scene.author.idText)")
        #expect(social.status == 200 && (try? social.json["notifications"]) == .array([]), "\(social)")
    }

    @Test func `reports by subject have their number and reasons, and can be narrowed to one subject`() async throws {
        let scene = try await scene()
        let chief = server.client(scene.owner)
        for reason in ["spam", "spam"] {
            let other = server.client(try await server.person())
            let filed = try await other.post("/v1/reports", #"{"postId":"\#(scene.post)","reason":"\#(reason)"}"#)
            #expect(filed.status == 201)
        }
        let list = try await chief.get("/v1/moderation/cases?communityId=\(scene.community)")
        let rows = try list.json["items"]?.entries ?? []
        let row = try #require(rows.first)
        #expect(rows.count == 1 && row["reportsCount"] == .integer(3))
        #expect(row["reasons"]?.entries?.map { $0["reason"]?.text } == ["spam", "rude"])
        #expect(row["media"]?["url"]?.text?.isEmpty == false)
        let narrow = "/v1/moderation/reports?kind=post&subjectId=\(scene.post)"
        let reports = try await chief.get(narrow).json["items"]?.entries ?? []
        #expect(reports.count == 3 && reports.first?["reportId"] == row["latestReportId"])
        let others = try await chief.get("/v1/moderation/reports?kind=user&subjectId=\(scene.post)")
        #expect(try others.json["items"] == .array([]))
        for list in ["reports", "cases"] {
            try await chief.get("/v1/moderation/\(list)?subjectId=\(scene.post)")
                .expectProblem(400, "invalid_parameter", field: "subjectId")
        }
    }

    @Test func `moderators read the file of a post that is held, and nobody else does`() async throws {
        let other = try await server.person("elsewhere")
        _ = try await server.client(other).community("elsewhere \(other.idText)")
        let (owner, author) = (try await server.person("owner"), try await server.person("author"))
        let community = try await server.client(owner).community("files \(owner.idText)")
        try await server.client(author).act("POST", "/v1/communities/\(community)/join")
        let path = try await server.client(author).store(SampleFile.png())
        let url = "http://127.0.0.1:\(server.port)\(path)"
        let body = #"{"mediaUrl":"\#(url)","caption":"c","communityId":"\#(community)"}"#
        let published = try await server.client(author).post("/v1/posts", body)
        let post = try #require(try published.json["postId"]?.text, "\(published)")
        let chief = server.client(owner)
        _ = try await chief.moderate(#"{"action":"holdPost","subjects":[{"postId":"\#(post)"}],"reason":"r"}"#)
        for (person, status) in [(owner, 200), (author, 200), (other, 404), (try await server.person(), 404)] {
            #expect(try await server.client(person).get(path).status == status, "\(person.username)")
        }
        #expect(try await server.client().get(path).status == 404)
    }
}
