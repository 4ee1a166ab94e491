import ServiceTestSupport
import SocialGraph
import TestSupport
import Testing

@testable import StrictJSON

/// A user's settings for the own timelines: `PATCH /v1/me`.
@Suite(.timeLimit(.process), .sharedGraphd)
struct PreferencesTests {
    let server: GraphdServer

    init() throws { server = try GraphdServer.shared }

    @Test func `what is named changes and nothing else`() async throws {
        let client = server.client(try await server.person())
        let start = try await client.get("/v1/me")
        #expect(try start.json["selectedAlgorithms"] == .array([]))
        #expect(try start.json["homeTopics"] == .bool(true) && start.json["homeCommunities"] == .bool(true))

        func expect(_ body: String, _ tags: [String], _ topics: Bool, _ communities: Bool) async throws {
            let answer = try await client.patch("/v1/me", body)
            #expect(answer.status == 200, "\(answer)")
            let now = try answer.json
            #expect(now["selectedAlgorithms"] == .array(tags.map { .string($0) }), "\(body)")
            #expect(now["homeTopics"] == .bool(topics), "\(body)")
            #expect(now["homeCommunities"] == .bool(communities), "\(body)")
            #expect(try await client.get("/v1/me").body == answer.body)
        }
        try await expect("{}", [], true, true)
        let chosen = ["Fitness", "AI", "été"]
        try await expect(#"{"selectedAlgorithms":["Fitness","AI","fitness","été"]}"#, chosen, true, true)
        try await expect(#"{"homeTopics":false}"#, chosen, false, true)
        try await expect(#"{"homeCommunities":false,"homeTopics":null}"#, chosen, false, false)
        try await expect(#"{"selectedAlgorithms":null,"homeTopics":true}"#, chosen, true, false)
        try await expect("{}", chosen, true, false)
        try await expect(#"{"selectedAlgorithms":[],"homeCommunities":true}"#, [], true, true)
        let (end, before) = (try await client.get("/v1/me").json, try start.json)
        for name in before.names where name != "updatedAt" { #expect(end[name] == before[name], "\(name)") }
        let fifty = (0..<50).map { "\($0)" + String(repeating: "é", count: 62) }
        try await expect("{\"selectedAlgorithms\":[\"\(fifty.joined(separator: "\",\""))\"]}", fifty, true, true)
    }

    private static func tags(_ tags: [String]) -> String {
        "{\"homeTopics\":false,\"selectedAlgorithms\":[\"\(tags.joined(separator: "\",\""))\"]}"
    }

    @Test(arguments: [
        (#"{"homeTopics":1}"#, 400, "invalid_type", "homeTopics"),
        (#"{"homeTopics":false,"homeCommunities":"no"}"#, 400, "invalid_type", "homeCommunities"),
        (#"{"homeTopics":false,"selectedAlgorithms":"AI"}"#, 400, "invalid_type", "selectedAlgorithms"),
        (#"{"homeTopics":false,"selectedAlgorithms":["AI",1]}"#, 400, "invalid_type", "selectedAlgorithms"),
        (#"{"homeTopics":false,"selectedAlgorithms":[null]}"#, 400, "invalid_type", "selectedAlgorithms"),
        (#"{"homeTopics":false,"password":"x"}"#, 400, "unknown_field", "password"),
        (#"{"homeTopics":false,"userId":null}"#, 400, "unknown_field", "userId"),
        (#"{"homeTopics":false,"homeTopics":false}"#, 400, "duplicate_field", "homeTopics"),
        ("", 400, "invalid_json", nil), ("[]", 400, "invalid_json", nil), ("null", 400, "invalid_json", nil),
        (tags((0..<51).map { "t\($0)" }), 422, "too_many", "selectedAlgorithms"),
        (tags(Array(repeating: "t", count: 51)), 422, "too_many", "selectedAlgorithms"),
        (tags(["AI", ""]), 422, "invalid_value", "selectedAlgorithms"),
        (tags(["AI", String(repeating: "t", count: 65)]), 422, "too_long", "selectedAlgorithms"),
    ])
    func `a bad body is refused and changes nothing`(
        _ body: String, _ status: Int, _ code: String, _ field: String?
    ) async throws {
        let client = server.client(try await server.person())
        #expect(try await client.patch("/v1/me", #"{"selectedAlgorithms":["Music"]}"#).status == 200)
        let before = try await client.get("/v1/me").body
        try await client.patch("/v1/me", body).expectProblem(status, code, field: field)
        #expect(try await client.get("/v1/me").body == before)
    }

    @Test func `others do not see them`() async throws {
        let (person, other) = (try await server.person(), try await server.person())
        let account = try await server.client(other).get(person.path).json
        for field in ["selectedAlgorithms", "homeTopics", "homeCommunities", "email"] { #expect(account[field] == nil) }
    }
}
