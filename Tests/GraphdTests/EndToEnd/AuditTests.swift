import Audit
import Database
import Moderation
import ServiceTestSupport
import SocialGraph
import TestSupport
import Testing

@testable import GraphHTTP
@testable import StrictJSON

/// Acts of the site's staff over HTTP, and the audit as admins read it.
@Suite(.timeLimit(.process), .sharedGraphd("--webhooks", "anywhere"))
struct AuditTests {
    private static let path = "/v1/admin/audit"

    let server: GraphdServer

    init() throws { server = try GraphdServer.shared }

    private func admin() async throws -> Person {
        let person = try await server.person("admin")
        _ = try await server.graph.moderation.appoint(.admin, person.id, reason: "r")
        return person
    }

    /// The acts of a user, the first one first.
    private func acts(by person: Person) async throws -> [AuditNote] {
        try await server.graph.audit.entries(.actor(person.id), below: nil, limit: 100).items.map(\.act).reversed()
    }

    /// A request of an admin with its answer and the entry that it leaves.
    private struct Act {
        let method: String
        let path: String
        var body: String?
        var status = 200
        var action: AuditAction?
    }

    private func carryOut(_ act: Act, by person: Person, headers: [(String, String)] = []) async throws -> JSONValue {
        let before = try await acts(by: person)
        let answer = try await server.client(person).send(
            act.method, act.path, body: act.body.map { Array($0.utf8) }, headers: headers)
        #expect(answer.status == act.status, "\(act) \(answer)")
        let new = try await acts(by: person).dropFirst(before.count)
        #expect(new.map(\.action) == (act.action.map { [$0] } ?? []), "\(act)")
        return answer.text.isEmpty ? .null : try answer.json
    }

    @Test func `each act has one entry, and a refused or empty one has none`() async throws {
        let admin = try await admin()
        let hooks = "/v1/admin/webhooks"
        let secret = #""url":"https://1.1.1.1/hook?key=secret""#
        // No test of this suite causes such events: after a failed attempt, even an empty change would change
        // something, the number of attempts.
        let registration = #"{\#(secret),"events":["report.created"]}"#
        let hook = try await carryOut(
            Act(method: "POST", path: hooks, body: registration, status: 201, action: .webhookAdded), by: admin)
        let own = "\(hooks)/\(try #require(hook["webhookId"]?.text))"
        let rule = #""name":"shops","kind":"link","action":"hold","definition":{"domains":["a.example"],"mode":"deny"}"#
        let made = try await carryOut(
            Act(method: "POST", path: "/v1/moderation/rules", body: "{\(rule)}", status: 201, action: .ruleAdded),
            by: admin)
        let ownRule = "/v1/moderation/rules/\(try #require(made["ruleId"]?.text))"
        let judge = #""name":"spam",\#(secret),"timeoutMs":100,"fallback":"allow""#
        let classifiers = "/v1/moderation/classifiers"
        let classifier = try await carryOut(
            Act(method: "POST", path: classifiers, body: "{\(judge)}", status: 201, action: .classifierAdded),
            by: admin)
        let ownClassifier = "\(classifiers)/\(try #require(classifier["classifierId"]?.text))"
        let after = #"{"afterEventId":"1"}"#
        let acts = [
            Act(method: "POST", path: hooks, body: #"{"url":"no url"}"#, status: 422),
            Act(method: "PATCH", path: own, body: "{}"),
            Act(method: "PATCH", path: own, body: #"{"paused":true}"#, action: .webhookChanged),
            Act(method: "PATCH", path: own, body: #"{"paused":true}"#),
            Act(method: "PATCH", path: own, body: #"{"paused":true,"x":1}"#, status: 400),
            Act(method: "POST", path: "\(own)/replay", body: after, action: .webhookReplayed),
            Act(method: "POST", path: "\(own)/replay", body: after),
            Act(method: "POST", path: "\(own)/deliveries/1/retry", status: 404),
            Act(method: "DELETE", path: own, status: 204, action: .webhookRemoved),
            Act(method: "DELETE", path: own, status: 404),
            Act(method: "PATCH", path: ownRule, body: #"{"enabled":false}"#, action: .ruleChanged),
            Act(method: "PATCH", path: ownRule, body: #"{"enabled":false}"#),
            Act(method: "DELETE", path: ownRule, status: 204, action: .ruleRemoved),
            Act(method: "DELETE", path: ownRule, status: 404),
            Act(method: "PATCH", path: ownClassifier, body: #"{"enabled":false}"#, action: .classifierChanged),
            Act(method: "DELETE", path: ownClassifier, status: 204, action: .classifierRemoved),
            Act(method: "DELETE", path: "/v1/moderation/modlog/999999/note", status: 404),
        ]
        for act in acts { _ = try await carryOut(act, by: admin) }
        let page = try await server.client(admin).get("\(Self.path)?actorId=\(admin.idText)&limit=100")
        #expect(page.status == 200 && !page.text.contains("secret") && !page.text.contains("1.1.1.1"))
    }

    @Test func `a repeated request with an idempotency key has one entry`() async throws {
        let admin = try await admin()
        let key = [("Idempotency-Key", "audited")]
        let body = #"{"url":"https://1.1.1.1/"}"#
        let first = try await carryOut(
            Act(method: "POST", path: "/v1/admin/webhooks", body: body, status: 201, action: .webhookAdded),
            by: admin, headers: key)
        let again = try await carryOut(
            Act(method: "POST", path: "/v1/admin/webhooks", body: body, status: 201), by: admin, headers: key)
        #expect(first == again)
        try await server.client(admin).act("DELETE", "/v1/admin/webhooks/\(try #require(first["webhookId"]?.text))")
    }

    @Test func `admins read it in pages and by one filter, and nobody else`() async throws {
        let (admin, other) = (try await admin(), try await server.person())
        let moderator = try await server.person()
        _ = try await server.graph.moderation.appoint(.moderator, moderator.id, reason: "r")
        for person in [other, moderator] {
            for path in [Self.path, "/v1/admin/webhooks"] {
                try await server.client(person).get(path).expectProblem(403, "forbidden")
            }
        }
        try await server.client().get(Self.path).expectProblem(401, "token_missing")
        let notes = (0..<5).map { number in
            AuditNote(
                .tokenIssued, by: .machine("root"), subject: admin.id.rawValue, detail: number == 4 ? nil : "\(number)")
        }
        try await server.graph.audit.append(notes)
        let client = server.client(admin)
        let filter = "subjectId=\(admin.idText)"
        let first = try await client.get("\(Self.path)?\(filter)&limit=3").json
        let cursor = try #require(first["nextCursor"]?.text)
        let second = try await client.get("\(Self.path)?\(filter)&limit=3&cursor=\(cursor)").json
        let items = (first["items"]?.entries ?? []) + (second["items"]?.entries ?? [])
        #expect(second["nextCursor"] == .null)
        #expect(items.map { $0["detail"] } == [.null, .string("3"), .string("2"), .string("1"), .string("0")])
        #expect(
            items[0].names == ["entryId", "createdAt", "action", "actorId", "machineUser", "subjectId", "detail"])
        #expect(items[0]["machineUser"] == .string("root") && items[0]["actorId"] == .null)
        let issued = try await client.get("\(Self.path)?action=tokenIssued&limit=5").json["items"]?.entries
        #expect(issued == items)
        #expect(try await client.get("\(Self.path)?actorId=\(admin.idText)").json["items"] == .array([]))
        let bad = [("action=sang", "action"), ("\(filter)&action=restored", "subjectId"), ("actorId=x", "actorId")]
        for (query, field) in bad {
            try await client.get("\(Self.path)?\(query)").expectProblem(400, "invalid_parameter", field: field)
        }
        try await client.get("\(Self.path)?subject=1").expectProblem(400, "unknown_parameter", field: "subject")
    }

    /// Every route of staff that writes, by its record. A new one has to be added, and so to be thought of.
    @Test func `each route of the site's staff that writes is in the audit or the modlog`() throws {
        let page = try APIDescription.source("docs/operations/audit.md")
        let modlog = [
            "POST /v1/moderation/actions", "POST /v1/moderation/batches/{batch}/undo",
            // Acts of users, whose decision is in the modlog.
            "POST /v1/reports", "POST /v1/appeals",
            // Reads by their bodies.
            "POST /v1/moderation/rules/dry-run",
        ]
        let routes = try APIDescription.registered().filter {
            ($0.path.hasPrefix("/v1/admin/") || (try? APIDescription.moderation().contains($0)) == true)
                && $0.method != "GET"
        }
        #expect(routes.count >= 16)
        for route in routes where !modlog.contains(route.description) {
            let name = route.description.replacing("/v1/admin/webhooks/{id}/deliveries", with: "…/deliveries")
            #expect(page.contains("| `\(name)`"), "\(route)")
        }
    }

    @Test func `the documents list the actions`() throws {
        let actions = AuditAction.allCases.map(\.rawValue)
        let parts = try APIDescription.source("docs/operations/audit.md").split(separator: "<!-- audit -->")
        #expect(parts.count == 3)
        #expect(parts[1].matches(of: #/\n\| `(\w+)`/#).map { String($0.1) } == actions)
        let schema = try #require(
            try APIDescription.source("docs/openapi.yaml").firstMatch(of: #/\n    AuditAction:[^\[]*\[([^\]]*)\]/#))
        #expect(schema.1.matches(of: #/\w+/#).map { String($0.0) } == actions)
    }
}
