import ServiceTestSupport
import SocialGraph
import TestSupport
import Testing

@testable import StrictJSON

/// Muted words, and mutes that end, over HTTP.
@Suite(.timeLimit(.process), .sharedGraphd)
struct MutedWordTests {
    let server: GraphdServer

    init() throws { server = try GraphdServer.shared }

    @Test func `posts and comments with a muted word are hidden from lists alone`() async throws {
        let (reader, author) = (try await server.person(), try await server.person())
        let (client, writer) = (server.client(reader), server.client(author))
        try await client.act("PUT", "\(author.path)/follow")
        let (spoiler, other) = (try await writer.publish("The SPOÏLER!"), try await writer.publish("no spoilers"))
        let comment = #"{"content":"what a spoiler"}"#
        #expect(try await writer.post("/v1/posts/\(other)/comments", comment).status == 201)
        try await server.waitForJobs()
        #expect(try await client.page("/v1/timelines/home") == [other, spoiler])
        let muted = try await client.post("/v1/me/muted-words", #"{"word":" Spoiler "}"#)
        #expect(muted.status == 201)
        let word = try muted.json
        #expect(word["word"] == .string("Spoiler") && word["wholeWord"] == .bool(true) && word["expiresAt"] == .null)
        #expect(try await client.page("/v1/timelines/home") == [other])
        #expect(try await client.walk("/v1/posts/\(other)/comments").isEmpty)
        #expect(try await client.page("/v1/timelines/users/\(author.idText)") == [other, spoiler])
        #expect(try await client.get("/v1/posts/\(spoiler)").status == 200)
        let why = try await client.get("/v1/timelines/home/why/\(spoiler)").text
        #expect(why.contains("muted_word") && why.contains("that you have muted: spoiler."))
        #expect(try await writer.page("/v1/timelines/home") == [other, spoiler])
        let changed = try await client.post("/v1/me/muted-words", #"{"word":"SPOILER","wholeWord":false}"#)
        #expect(try changed.status == 200 && changed.json["mutedWordId"] == word["mutedWordId"])
        #expect(try await client.page("/v1/timelines/home") == [])
        let id = try #require(word["mutedWordId"]?.text)
        try await client.act("DELETE", "/v1/me/muted-words/\(id)", times: 2)
        #expect(try await client.page("/v1/timelines/home") == [other, spoiler])
    }

    @Test func `a stream of a post leaves out comments with a muted word`() async throws {
        let (reader, author) = (try await server.person(), try await server.person())
        let (client, writer) = (server.client(reader), server.client(author))
        let post = try await writer.publish()
        #expect(try await client.post("/v1/me/muted-words", #"{"word":"spoiler"}"#).status == 201)
        var stream = try await client.stream("/v1/posts/\(post)/stream")
        #expect(try await stream.next()?.name == "counts")
        for text in ["what a spoiler", "harmless"] {
            #expect(try await writer.post("/v1/posts/\(post)/comments", #"{"content":"\#(text)"}"#).status == 201)
        }
        var told: [JSONValue?] = []
        while told.isEmpty {
            let event = try #require(try await stream.next())
            if event.name == "comment" { told.append(event.json?["content"]) }
        }
        #expect(told == [.string("harmless")])
    }

    @Test func `words and ends are checked`() async throws {
        let client = server.client(try await server.person())
        for (body, status, code, field) in [
            (#"{"word":"  "}"#, 422, "invalid_value", "word"), (#"{"word":"\u200B"}"#, 422, "invalid_value", "word"),
            (#"{"word":"a","expiresAt":"2020-01-01T00:00:00.000Z"}"#, 422, "invalid_value", "expiresAt"),
            (#"{"word":"a","duration":0}"#, 422, "invalid_value", "duration"),
            (#"{"word":"a","duration":9,"expiresAt":"2990-01-01T00:00:00.000Z"}"#, 422, "invalid_value", "duration"),
            (#"{"word":"a","words":"a"}"#, 400, "unknown_field", "words"), ("{}", 400, "missing_field", "word"),
            (#"{"word":"\#(String(repeating: "a", count: 101))"}"#, 422, "too_long", "word"),
            // Each stands for 18 characters.
            (#"{"word":"\#(String(repeating: "\u{FDFA}", count: 6))"}"#, 422, "invalid_value", "word"),
        ] {
            try await client.post("/v1/me/muted-words", body).expectProblem(status, code, field: field, body)
        }
        for index in 0..<100 {
            #expect(try await client.post("/v1/me/muted-words", #"{"word":"w\#(index)"}"#).status == 201)
        }
        try await client.post("/v1/me/muted-words", #"{"word":"more"}"#).expectProblem(409, "limit_reached")
        #expect(try await client.get("/v1/me/muted-words").json["items"]?.entries?.count == 100)
    }

    @Test func `a mute lists its end`() async throws {
        let client = server.client(try await server.person())
        let muted = try await server.person()
        #expect(try await client.put("\(muted.path)/mute", #"{"expiresAt":"2990-01-01T00:00:00.000Z"}"#).status == 204)
        let entry = try await client.walk("/v1/me/mutes").first
        #expect(entry?["expiresAt"] == .string("2990-01-01T00:00:00.000Z") && entry?["posts"] == .bool(true))
        try await client.put("\(muted.path)/mute", #"{"posts":false,"duration":9}"#)
            .expectProblem(422, "invalid_value")
        #expect(try await client.put("\(muted.path)/mute", #"{"posts":true,"duration":60}"#).status == 204)
        #expect(try await client.walk("/v1/me/mutes").first?["reshares"] == .bool(false))
    }
}
