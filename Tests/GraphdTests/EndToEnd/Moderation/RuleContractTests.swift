import Database
import Moderation
import ServiceTestSupport
import SocialGraph
import TestSupport
import Testing

@testable import CommandSupport
@testable import StrictJSON

/// Rules, the queue and classifiers over HTTP.
@Suite(.timeLimit(.process), .sharedGraphd)
struct RuleContractTests {
    let server: GraphdServer

    init() throws { server = try GraphdServer.shared }

    private func admin() async throws -> APIClient {
        let person = try await server.person("admin")
        _ = try await server.graph.moderation.appoint(.admin, person.id, reason: "test")
        return server.client(person)
    }

    @Test func `a rule holds and the queue shows what it holds`() async throws {
        let admin = try await admin()
        let (owner, member) = (try await server.person(), try await server.person())
        let community = try await server.graph.communities.createCommunity(
            name: owner.username, description: "", by: owner.id
        ).id
        try await server.graph.communities.joinCommunity(community, by: member.id)
        let here = "\"communityId\":\"\(community.rawValue)\""
        let rule =
            #"\#(here),"name":"no shops","kind":"link","action":"hold","#
            + #""definition":{"domains":["shop.example"],"mode":"deny"}"#
        let moderator = server.client(owner)
        let created = try await moderator.post("/v1/moderation/rules", "{\(rule)}")
        #expect(created.status == 201)
        let id = try #require(try created.json["ruleId"]?.text)
        #expect(try created.json["enabled"] == .bool(true) && created.json["definition"]?["mode"]?.text == "deny")
        #expect(created.header("Location") == "/v1/moderation/rules/\(id)")
        let list = try await moderator.get("/v1/moderation/rules?communityId=\(community.rawValue)")
        #expect(try list.json["items"]?.entries == [created.json])
        #expect(try await admin.get("/v1/moderation/rules/\(id)").json == created.json)

        let author = server.client(member)
        let body = #"{\#(here),"caption":"buy at www.shop.example","mediaUrl":"https://example.org/v.mp4"}"#
        let held = try await author.post("/v1/posts", body)
        #expect(try held.status == 201 && held.json["held"] == .bool(true))
        let post = try #require(try held.json["postId"]?.text)
        #expect(try await author.get("/v1/posts/\(post)").json["held"] == .bool(true))
        #expect(try await server.client(try await server.person()).get("/v1/posts/\(post)").status == 404)
        let queue = try await moderator.get("/v1/moderation/queue?communityId=\(community.rawValue)")
        let item = try #require(try queue.json["items"]?.entries?.first)
        #expect(item["subject"]?["postId"]?.text == post && item["rule"]?.text == "no shops")
        #expect(item["reason"]?.text == "Rule: no shops" && item["entryId"]?.text != nil)
        #expect(item["community"]?["name"]?.text == owner.username)
        #expect(try await moderator.get("/v1/moderation/queue?kind=comment").json["items"]?.entries?.isEmpty == true)

        let dry = try await moderator.post("/v1/moderation/rules/dry-run", #"{"rule":{\#(rule)},"last":100}"#)
        #expect(try dry.json["looked"]?.number == 1 && dry.json["matched"]?.number == 1)
        #expect(try dry.json["items"]?.entries?.first?["matchedText"]?.text == "www.shop.example")

        let off = try await moderator.send(
            "PATCH", "/v1/moderation/rules/\(id)", body: Array(#"{"enabled":false,"name":"shops"}"#.utf8))
        #expect(try off.json["enabled"] == .bool(false) && off.json["name"]?.text == "shops")
        let shown = try await author.post("/v1/posts", body)
        #expect(try shown.status == 201 && shown.json["held"] == nil)
        #expect(try await moderator.delete("/v1/moderation/rules/\(id)").status == 204)
        try await moderator.get("/v1/moderation/rules/\(id)").expectProblem(404, "rule_not_found")
    }

    @Test(arguments: [
        (#"{"kind":"pattern","definition":{"pattern":"a(b"}}"#, 422, "invalid_order", "definition.pattern"),
        (#"{"kind":"pattern","definition":{"pattern":"a*"}}"#, 422, "invalid_order", "definition.pattern"),
        (#"{"kind":"pattern","definition":{"words":["a"]}}"#, 400, "missing_field", "pattern"),
        (#"{"kind":"keyword","definition":{"words":[" "]}}"#, 422, "invalid_order", "definition.words"),
        (#"{"kind":"keyword","definition":{"words":["a"],"more":1}}"#, 400, "unknown_field", "more"),
        (
            #"{"kind":"link","definition":{"domains":["a b"],"mode":"deny"}}"#, 422, "invalid_order",
            "definition.domains"
        ),
        (#"{"kind":"link","definition":{"domains":["a.b"]}}"#, 400, "missing_field", "mode"),
        (#"{"kind":"rate","definition":{"count":0,"seconds":1}}"#, 422, "invalid_value", "count"),
        (#"{"kind":"mood","definition":{}}"#, 422, "invalid_value", "kind"),
        (#"{"kind":"rate"}"#, 400, "missing_field", "definition"),
    ])
    func `what cannot be a rule is refused`(text: String, status: Int, code: String, field: String) async throws {
        let admin = try await admin()
        let body = #"{"name":"r","action":"flag",\#(text.dropFirst())"#
        try await admin.post("/v1/moderation/rules", body).expectProblem(status, code, field: field)
        try await admin.post("/v1/moderation/rules/dry-run", #"{"rule":\#(body),"last":5}"#).expectProblem(
            status, code, field: field)
    }

    @Test func `who moderates nothing is refused`() async throws {
        let nobody = server.client(try await server.person())
        let rule = #"{"name":"r","action":"flag","kind":"pattern","definition":{"pattern":"a"}}"#
        let classifier = #"{"name":"c","url":"https://192.0.2.1/","timeoutMs":500,"fallback":"hold"}"#
        for answer in [
            try await nobody.post("/v1/moderation/rules", rule), try await nobody.get("/v1/moderation/rules"),
            try await nobody.post("/v1/moderation/rules/dry-run", #"{"rule":\#(rule),"last":1}"#),
            try await nobody.get("/v1/moderation/queue"), try await nobody.get("/v1/moderation/classifiers"),
        ] {
            try answer.expectProblem(403, "not_permitted")
        }
        try await nobody.get("/v1/moderation/rules/1").expectProblem(404, "rule_not_found")
        try await nobody.delete("/v1/moderation/classifiers/x").expectProblem(404, "classifier_not_found")
        try await nobody.get("/v1/moderation/queue?communityId=1").expectProblem(404, "community_not_found")
        // Without --webhooks, the server calls no outside service.
        try await nobody.post("/v1/moderation/classifiers", classifier).expectProblem(403, "forbidden")
    }

    @Test func `a classifier is asked by the server and its secret shown once`() async throws {
        let fake = FakeClassifier()
        try await fake.running { url in
            try await GraphdServer.running(["--webhooks", "anywhere"], in: .process) { server in
                let person = try await server.person("admin")
                _ = try await server.graph.moderation.appoint(.admin, person.id, reason: "test")
                let admin = server.client(person)
                let created = try await admin.post(
                    "/v1/moderation/classifiers",
                    #"{"name":"vision","url":"\#(url)/ask","timeoutMs":60000,"fallback":"hold"}"#)
                #expect(created.status == 201)
                let secret = try #require(try created.json["secret"]?.text)
                let list = try await admin.get("/v1/moderation/classifiers")
                #expect(try list.json["items"]?.entries?.first?.names.contains("secret") == false)
                // The server is killed during the request. The next run repeats it.
                fake.script([.stalls, .says(#"{"verdict":"allow"}"#)])
                let author = server.client(try await server.person())
                let post = try await author.publish("a caption")
                #expect(try await author.get("/v1/posts/\(post)").json["held"] == .bool(true))
                // Not for synchronisation: the pause between two polls.
                while fake.asked.isEmpty { try await Task.sleep(for: .milliseconds(10)) }
                await server.kill()
                try await server.start()
                let again = server.client(person)
                while try await again.get("/v1/posts/\(post)").status != 200 {
                    // Not for synchronisation: the pause between two polls.
                    try await Task.sleep(for: .milliseconds(50))
                }
                #expect(try fake.asked.allSatisfy { try $0.isSigned(by: secret) })
                let id = try #require(try created.json["classifierId"]?.text)
                #expect(try await again.delete("/v1/moderation/classifiers/\(id)").status == 204)
            }
        }
    }
}
