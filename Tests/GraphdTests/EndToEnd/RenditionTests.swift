import ServiceTestSupport
import TestSupport
import Testing

@testable import StrictJSON

/// Renditions of files over HTTP, by a program with a service token.
@Suite(.timeLimit(.process), .sharedGraphd)
struct RenditionTests {
    private static let body =
        #"{"url":"https://cdn.example/720p.mp4","contentType":"video/mp4","width":1280,"height":720,"bitrate":2500000}"#

    let server: GraphdServer

    init() throws { server = try GraphdServer.shared }

    private func worker(_ name: String, _ scope: String = "media:renditions") async throws -> APIClient {
        let admin = server.client(try await server.admin())
        let added = try await admin.post(
            "/v1/admin/service-tokens", #"{"name":"\#(name)","scopes":["\#(scope)"]}"#)
        return server.client(token: try #require(try added.json["token"]?.text, "\(added)"))
    }

    /// Stores a picture and returns its id.
    private func file(by client: APIClient) async throws -> String {
        String(try await client.store(SampleFile.png()).dropFirst("/media/".count).prefix { $0 != "." })
    }

    @Test func `posts show the renditions of their file`() async throws {
        let (client, other) = (server.client(try await server.person()), server.client(try await server.person()))
        let worker = try await worker("adds")
        let media = try await file(by: client)
        let post = try await client.post("/v1/posts", #"{"caption":"c","mediaId":"\#(media)"}"#).json
        let path = "/v1/posts/\(try #require(post["postId"]?.text))"
        #expect(post["renditions"] == nil)
        // Cached by now.
        #expect(try await other.get(path).json["renditions"] == nil)
        let own = "/v1/media/\(media)/renditions"
        let added = try await worker.put("\(own)/720p", Self.body)
        let expected = try JSONReader.read(
            Array(
                (#"[{"name":"720p","url":"https://cdn.example/720p.mp4","contentType":"video/mp4","width":1280,"#
                    + #""height":720,"bitrate":2500000}]"#).utf8))
        #expect(try added.status == 200 && added.json["renditions"] == expected, "\(added)")
        #expect(try await other.get(path).json["renditions"] == expected)
        let hls = #"{"url":"https://cdn.example/a.m3u8","contentType":"application/vnd.apple.mpegurl"}"#
        #expect(try await worker.put("\(own)/hls", hls).status == 200)
        let both = try await other.get(path).json["renditions"]?.entries
        #expect(both?.map { $0["name"]?.text } == ["720p", "hls"] && both?.last?["width"] == .null)
        try await worker.act("DELETE", "\(own)/720p")
        try await worker.act("DELETE", "\(own)/720p")
        #expect(try await other.get(path).json["renditions"]?.entries?.count == 1)
        try await worker.act("DELETE", "\(own)/hls")
        #expect(try await other.get(path).json["renditions"] == nil)
    }

    @Test func `only a program with the scope changes renditions`() async throws {
        let client = server.client(try await server.person())
        let media = try await file(by: client)
        let path = "/v1/media/\(media)/renditions/720p"
        let admin = server.client(try await server.admin())
        let transcriber = try await worker("of another scope", "transcripts:write")
        for caller in [client, admin, transcriber] {
            try await caller.put(path, Self.body).expectProblem(403, "forbidden")
            try await caller.delete(path).expectProblem(403, "forbidden")
            // The refusal says nothing of a file.
            try await caller.put("/v1/media/7/renditions/720p", Self.body).expectProblem(403, "forbidden")
        }
        try await server.client().put(path, Self.body).expectProblem(401, "token_missing")
    }

    @Test func `what is not acceptable is refused with what would be`() async throws {
        let client = server.client(try await server.person())
        let worker = try await worker("is wrong")
        let media = try await file(by: client)
        let own = "/v1/media/\(media)/renditions"
        for name in ["720P", "-a", ".a", "a%20b", String(repeating: "a", count: 65)] {
            try await worker.put("\(own)/\(name)", Self.body).expectProblem(422, "invalid_value", field: "name")
        }
        let type = #""contentType":"video/mp4""#
        for (body, status, code, field) in [
            (#"{"url":"/media/1.mp4",\#(type)}"#, 422, "invalid_url", "url"),
            (#"{"url":"ftp://a.example/",\#(type)}"#, 422, "invalid_url", "url"),
            (#"{"url":"\#(server.client().base)/media/\#(media).png",\#(type)}"#, 422, "invalid_url", "url"),
            (#"{\#(type)}"#, 400, "missing_field", "url"),
            (#"{"url":"https://a.example/"}"#, 400, "missing_field", "contentType"),
            (#"{"url":"https://a.example/","contentType":"video"}"#, 422, "invalid_value", "contentType"),
            (#"{"url":"https://a.example/","contentType":"video/mp4; codecs=x"}"#, 422, "invalid_value", "contentType"),
            (#"{"url":"https://a.example/",\#(type),"width":0}"#, 422, "invalid_value", "width"),
            (#"{"url":"https://a.example/",\#(type),"bitrate":1.5}"#, 400, "invalid_type", "bitrate"),
            (#"{"url":"https://a.example/",\#(type),"codec":"h264"}"#, 400, "unknown_field", "codec"),
        ] { try await worker.put("\(own)/720p", body).expectProblem(status, code, field: field) }
        try await worker.put("/v1/media/7/renditions/720p", Self.body).expectProblem(404, "media_not_found")
        try await worker.delete("/v1/media/7/renditions/720p").expectProblem(404, "media_not_found")
        for number in 1...16 { #expect(try await worker.put("\(own)/r\(number)", Self.body).status == 200) }
        try await worker.put("\(own)/r17", Self.body).expectProblem(409, "limit_reached")
    }
}
