import Push
import ServiceTestSupport
import SocialGraph
import TestSupport
import Testing

@testable import StrictJSON

/// Devices, settings, reminders and webhooks over HTTP.
@Suite(.timeLimit(.process), .sharedGraphd)
struct PushContractTests {
    let server: GraphdServer

    init() throws { server = try GraphdServer.shared }

    @Test func `devices are registered, listed and taken back`() async throws {
        let (ann, bob) = (server.client(try await server.person()), server.client(try await server.person()))
        #expect(try await ann.put("/v1/me/devices/a:b-1", #"{"platform":"ios","app":"fit"}"#).status == 204)
        #expect(try await ann.put("/v1/me/devices/a%3Ab-2", #"{"platform":"web"}"#).status == 204)
        let items = try #require(try await ann.get("/v1/me/devices").json["items"]?.entries)
        #expect(items.map { $0["token"] } == [.string("a:b-2"), .string("a:b-1")])
        #expect(items[1].names == ["token", "platform", "app", "createdAt"] && items[0]["app"] == .null)
        #expect(try await bob.put("/v1/me/devices/a:b-1", #"{"platform":"android"}"#).status == 204)
        try await ann.act("DELETE", "/v1/me/devices/a:b-1")
        #expect(try await bob.get("/v1/me/devices").json["items"]?.entries?.count == 1)
        try await ann.act("DELETE", "/v1/me/devices/a:b-2", times: 2)
        #expect(try await ann.get("/v1/me/devices").text == #"{"items":[]}"#)
        try await ann.put("/v1/me/devices/a%20b", #"{"platform":"ios"}"#).expectProblem(
            422, "invalid_value", field: "token")
        try await ann.put("/v1/me/devices/x", #"{"platform":"pager"}"#).expectProblem(
            422, "invalid_value", field: "platform")
        try await ann.put("/v1/me/devices/x", "{}").expectProblem(400, "missing_field", field: "platform")
        try await ann.put("/v1/me/devices/x", #"{"platform":"ios","more":1}"#).expectProblem(
            400, "unknown_field", field: "more")
        let long = String(repeating: "x", count: 1_025)
        try await ann.put("/v1/me/devices/\(long)", #"{"platform":"ios"}"#).expectProblem(
            422, "invalid_value", field: "token")
    }

    @Test func `settings are as they were set`() async throws {
        let ann = server.client(try await server.person())
        #expect(try await ann.get("/v1/me/push-settings").text == #"{"optOut":[],"topic":false,"quietHours":null}"#)
        let settings =
            #"{"optOut":["like","reminder"],"topic":true,"#
            + #""quietHours":{"start":"22:00","end":"07:05","timeZone":"Europe/Berlin"}}"#
        for answer in [
            try await ann.put("/v1/me/push-settings", settings), try await ann.get("/v1/me/push-settings"),
        ] {
            #expect(answer.status == 200 && answer.text == settings)
        }
        for (body, code, field) in [
            (#"{"optOut":["likes"]}"#, "invalid_value", "optOut"),
            (#"{"quietHours":{"start":"24:00","end":"07:00","timeZone":"UTC"}}"#, "invalid_value", "start"),
            (#"{"quietHours":{"start":"7:00","end":"08:00","timeZone":"UTC"}}"#, "invalid_value", "start"),
            (#"{"quietHours":{"start":"07:00","end":"07:00","timeZone":"UTC"}}"#, "invalid_value", "quietHours"),
            (#"{"quietHours":{"start":"07:00","end":"08:00","timeZone":"Mars/Olympus"}}"#, "invalid_value", "timeZone"),
        ] {
            try await ann.put("/v1/me/push-settings", body).expectProblem(422, code, field: field)
        }
        try await ann.put("/v1/me/push-settings", #"{"quietHours":{"start":"07:00","timeZone":"UTC"}}"#)
            .expectProblem(400, "missing_field", field: "end")
        try await ann.put("/v1/me/push-settings", #"{"quietHours":[]}"#)
            .expectProblem(400, "invalid_type", field: "quietHours")
        #expect(try await ann.get("/v1/me/push-settings").text == settings)
        #expect(try await ann.put("/v1/me/push-settings", "{}").text.contains(#""topic":false"#))
    }

    @Test func `reminders are replaced as a whole`() async throws {
        let ann = server.client(try await server.person())
        let reminders =
            #"{"items":[{"kind":"newRoutines","time":"07:30","weekdays":["monday","friday"],"#
            + #""timeZone":"America/New_York"}]}"#
        #expect(try await ann.put("/v1/me/reminders", reminders).text == reminders)
        #expect(try await ann.get("/v1/me/reminders").text == reminders)
        let daily = #"{"items":[{"kind":"trendingDiscussions","time":"19:00","timeZone":"UTC"}]}"#
        let stored = try await ann.put("/v1/me/reminders", daily).json["items"]?.entries?.first?["weekdays"]
        #expect(stored?.entries?.count == 7)
        for (body, status, code, field) in [
            ("{}", 400, "missing_field", "items"), (#"{"items":[1]}"#, 400, "invalid_type", "items"),
            (#"{"items":[{"kind":"newRoutines","time":"07:30","timeZone":"UTC","x":1}]}"#, 400, "unknown_field", "x"),
            (#"{"items":[{"kind":"newRoutines","time":"25:30","timeZone":"UTC"}]}"#, 422, "invalid_value", "time"),
            (
                #"{"items":[{"kind":"newRoutines","time":"05:30","weekdays":[],"timeZone":"UTC"}]}"#, 422,
                "invalid_value", "weekdays"
            ),
            (
                #"{"items":[{"kind":"newRoutines","time":"05:30","weekdays":["mon"],"timeZone":"UTC"}]}"#, 422,
                "invalid_value", "weekdays"
            ),
            (#"{"items":[{},{},{},{},{},{},{},{},{},{},{}]}"#, 422, "too_many", "items"),
        ] {
            try await ann.put("/v1/me/reminders", body).expectProblem(status, code, field: field)
        }
        #expect(try await ann.get("/v1/me/reminders").json["items"]?.entries?.count == 1)
        #expect(try await ann.put("/v1/me/reminders", #"{"items":[]}"#).text == #"{"items":[]}"#)
    }

    @Test func `webhooks are off unless the server is told otherwise`() async throws {
        let ann = server.client(try await server.person())
        try await ann.post("/v1/me/webhooks", #"{"url":"https://h.example/"}"#).expectProblem(403, "forbidden")
        #expect(try await ann.get("/v1/me/webhooks").text == #"{"items":[]}"#)
    }

    @Test func `the export has it all but secrets`() async throws {
        let person = try await server.person()
        let ann = server.client(person)
        _ = try await ann.put("/v1/me/devices/export-me", #"{"platform":"ios"}"#)
        _ = try await ann.put(
            "/v1/me/reminders", #"{"items":[{"kind":"newRoutines","time":"07:30","timeZone":"UTC"}]}"#)
        _ = try await server.graph.webhooks.addWebhook(
            "https://h.example/", kinds: [.like], secret: [7, 7, 7], of: person.id)
        let export = try await ann.get("/v1/me/export").json
        #expect(export["devices"]?.entries?.first?["token"] == .string("export-me"))
        #expect(export["reminders"]?.entries?.first?["time"] == .string("07:30"))
        #expect(export["pushSettings"]?["topic"] == .bool(false))
        let webhook = try #require(export["webhooks"]?.entries?.first)
        #expect(webhook["url"] == .string("https://h.example/") && !webhook.names.contains("secret"))
    }
}
