import ServiceTestSupport
import TestSupport
import Testing

@testable import StrictJSON

/// Segments, transcripts and jumps over HTTP.
@Suite(.timeLimit(.process), .sharedGraphd)
struct SegmentTests {
    let server: GraphdServer

    init() throws { server = try GraphdServer.shared }

    private static let webVTT =
        "WEBVTT\n\n00:01.500 --> 00:04.000\nWelcome <b>all</b>\n\n01:10.000 --> 01:12.345\nNow blanch the beans\n"

    private func put(_ client: APIClient, _ path: String, _ text: String, as type: String) async throws -> Answer {
        try await client.send("PUT", path, body: Array(text.utf8), headers: [("Content-Type", type)])
    }

    @Test func `segments are stored and commands find them`() async throws {
        let (author, reader) = (server.client(try await server.person()), server.client(try await server.person()))
        let path = "/v1/posts/\(try await author.publish())"
        let stored = try await author.put(
            "\(path)/segments",
            #"[{"label":"sauceMaking","startTime":30.25,"endTime":60},{"label":"Intro","startTime":0,"endTime":30.25}]"#
        )
        #expect(stored.status == 200, "\(stored)")
        let contents = try await reader.get("\(path)/segments").json
        #expect(try contents == stored.json && contents["derived"] == .bool(false))
        let entries = try #require(contents["segments"]?.entries)
        #expect(entries.map { $0["label"] } == [.string("Intro"), .string("sauceMaking")])
        #expect(entries[0].names == ["segmentId", "label", "startTime", "endTime"])
        #expect(entries[0]["startTime"] == .integer(0) && entries[0]["endTime"] == .double(30.25))

        let jump = try await reader.post("\(path)/jump", #"{"command":"show me the sauce-making part"}"#)
        #expect(jump.status == 200, "\(jump)")
        let place = try jump.json
        #expect(place.names == ["kind", "segmentId", "label", "startTime", "endTime", "timestamp", "confidence"])
        #expect(place["kind"] == .string("segment") && place["segmentId"] == entries[1]["segmentId"])
        #expect(place["timestamp"] == .double(30.25) && place["endTime"] == .integer(60))
        #expect(try await reader.post("\(path)/jump", #"{"command":"skip intro"}"#).json["timestamp"] == .double(30.25))
        let back = try await reader.post("\(path)/jump", #"{"command":"go back 10 seconds","at":40.5}"#).json
        #expect(back["timestamp"] == .double(30.5) && back["kind"] == .string("time"))
        let none = try await reader.post("\(path)/jump", #"{"command":"burpees"}"#)
        try none.expectProblem(404, "no_such_part")
        #expect(none.text.contains("This video has no such part."))

        #expect(try await author.put("\(path)/segments", "[]").json["segments"] == .array([]))
        try await reader.post("\(path)/jump", #"{"command":"intro"}"#).expectProblem(404, "no_such_part")
    }

    @Test func `transcripts come and go in every form`() async throws {
        let author = server.client(try await server.person())
        let path = "/v1/posts/\(try await author.publish())"
        try await author.get("\(path)/transcript").expectProblem(404, "transcript_not_found")
        #expect(try await put(author, "\(path)/transcript", Self.webVTT, as: "text/vtt; charset=utf-8").status == 204)
        let cues = try await author.get("\(path)/transcript").json["cues"]?.entries
        #expect(cues?.map { $0["text"] } == [.string("Welcome all"), .string("Now blanch the beans")])
        #expect(cues?[1]["endTime"] == .double(72.345))
        let (vtt, srt) = (
            try await author.get("\(path)/transcript?format=vtt"), try await author.get("\(path)/transcript?format=srt")
        )
        #expect(vtt.header("Content-Type") == "text/vtt; charset=utf-8" && vtt.text.hasPrefix("WEBVTT\n"))
        #expect(srt.header("Content-Type") == "application/x-subrip; charset=utf-8")
        #expect(srt.text.hasPrefix("1\n00:00:01,500 --> 00:00:04,000\nWelcome all\n"))
        #expect(try await put(author, "\(path)/transcript", srt.text, as: "application/x-subrip").status == 204)
        let body = #"{"format":"vtt","text":"\#(Self.webVTT.replacing("\n", with: #"\n"#))"}"#
        for _ in 0..<2 {
            #expect(try await author.get("\(path)/transcript").json["cues"]?.entries == cues)
            #expect(try await author.put("\(path)/transcript", body).status == 204)
        }
        let contents = try await author.get("\(path)/segments").json
        #expect(contents["derived"] == .bool(true))
        #expect(contents["segments"]?.entries?.first?["segmentId"] == .null)
        let place = try await author.post("\(path)/jump", #"{"command":"how to blanch beans"}"#).json
        #expect(place["timestamp"] == .integer(70) && place["kind"] == .string("transcript"))
        let export = try await author.get("/v1/me/export").json
        #expect(export["segments"]?.entries?.first?["transcript"]?.text?.hasPrefix("WEBVTT") == true)
        for _ in 0..<2 { try await author.act("DELETE", "\(path)/transcript") }
        try await author.get("\(path)/transcript").expectProblem(404, "transcript_not_found")
    }

    @Test(arguments: [
        (#"{"segments":[]}"#, 400, "invalid_json", String?.none), ("[1]", 400, "invalid_type", "[0]"),
        (#"[{"label":"a","startTime":0}]"#, 400, "missing_field", "[0].endTime"),
        (
            #"[{"label":"a","startTime":0,"endTime":1},{"label":"b","startTime":"0","endTime":1}]"#, 400,
            "invalid_type", "[1].startTime"
        ),
        (#"[{"label":"a","startTime":0,"endTime":1,"id":"7"}]"#, 400, "unknown_field", "[0].id"),
        (#"[{"label":"","startTime":0,"endTime":1}]"#, 422, "invalid_value", "[0].label"),
        (#"[{"label":"a","startTime":-0.001,"endTime":1}]"#, 422, "invalid_value", "[0].startTime"),
        (#"[{"label":"a","startTime":1,"endTime":1}]"#, 422, "invalid_value", "[0].endTime"),
        (#"[{"label":"a","startTime":0,"endTime":0.0001}]"#, 422, "invalid_value", "[0].endTime"),
        (#"[{"label":"a","startTime":0,"endTime":360000.1}]"#, 422, "invalid_value", "[0].endTime"),
        (#"[{"label":"a","startTime":0,"endTime":1e400}]"#, 400, "invalid_json", nil),
        (#"[{"label":"a","label":"b","startTime":0,"endTime":1}]"#, 400, "duplicate_field", "label"),
    ])
    func `what is no segment is refused`(body: String, status: Int, code: String, field: String?) async throws {
        let author = server.client(try await server.person())
        let path = "/v1/posts/\(try await author.publish())/segments"
        _ = try await author.put(path, #"[{"label":"a","startTime":0,"endTime":1}]"#)
        try await author.put(path, body).expectProblem(status, code, field: field)
        #expect(try await author.get(path).json["segments"]?.entries?.count == 1)
    }

    @Test func `limits are kept`() async throws {
        let author = server.client(try await server.person())
        let path = "/v1/posts/\(try await author.publish())"
        func segments(_ count: Int, label: String = "a") -> String {
            "["
                + (0..<count).map { #"{"label":"\#(label)","startTime":\#($0),"endTime":\#($0 + 1)}"# }.joined(
                    separator: ",") + "]"
        }
        #expect(try await author.put("\(path)/segments", segments(200)).status == 200)
        try await author.put("\(path)/segments", segments(201)).expectProblem(422, "too_many")
        try await author.put("\(path)/segments", segments(1, label: String(repeating: "é", count: 101)))
            .expectProblem(422, "too_long", field: "[0].label")
        let long = String(repeating: "x", count: 301)
        try await author.post("\(path)/jump", #"{"command":"\#(long)"}"#).expectProblem(
            422, "too_long", field: "command")
        try await author.post("\(path)/jump", #"{"command":"a","at":-1}"#).expectProblem(
            422, "invalid_value", field: "at")
    }

    @Test(arguments: [
        ("WEBVTT\n\nx\n", "text/vtt", 400, "invalid_transcript", String?.none),
        ("1\n00:01 --> soon\nA\n", "application/x-subrip", 400, "invalid_transcript", nil),
        ("WEBVTT", "text/plain", 415, "unsupported_media_type", "Content-Type"),
        (#"{"format":"ass","text":"x"}"#, "application/json", 422, "invalid_value", "format"),
        (#"{"text":"x"}"#, "application/json", 400, "missing_field", "format"),
    ])
    func `what is no transcript is refused`(
        text: String, type: String, status: Int, code: String, field: String?
    ) async throws {
        let author = server.client(try await server.person())
        let path = "/v1/posts/\(try await author.publish())/transcript"
        let answer = try await put(author, path, text, as: type)
        try answer.expectProblem(status, code, field: field)
        if type == "application/x-subrip" { #expect(answer.text.contains("line 2")) }
        try await author.get("\(path)?format=ass").expectProblem(400, "invalid_parameter", field: "format")
    }

    @Test func `who may not see a post learns nothing of it`() async throws {
        let (author, stranger) = (server.client(try await server.person()), server.client(try await server.person()))
        let hidden = try #require(try await author.publish(with: #""visibility":"followers""#)["postId"]?.text)
        let open = try await author.publish()
        for (post, status, code) in [(hidden, 404, "post_not_found"), (open, 403, "not_author")] {
            try await stranger.put("/v1/posts/\(post)/segments", "[]").expectProblem(status, code)
            try await stranger.delete("/v1/posts/\(post)/transcript").expectProblem(status, code)
            try await put(stranger, "/v1/posts/\(post)/transcript", Self.webVTT, as: "text/vtt").expectProblem(
                status, code)
        }
        try await stranger.get("/v1/posts/\(hidden)/segments").expectProblem(404, "post_not_found")
        try await stranger.get("/v1/posts/\(hidden)/transcript").expectProblem(404, "post_not_found")
        try await stranger.post("/v1/posts/\(hidden)/jump", #"{"command":"3:20"}"#).expectProblem(404, "post_not_found")
        #expect(try await stranger.post("/v1/posts/\(open)/jump", #"{"command":"3:20"}"#).status == 200)
    }
}
