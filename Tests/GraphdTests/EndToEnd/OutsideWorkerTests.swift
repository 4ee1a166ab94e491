import ServiceTestSupport
import TestSupport
import Testing

@testable import StrictJSON

/// A scripted transcoder and a transcriber. They hear of a video by webhook, fetch it by its link, and give back
/// renditions and a transcript.
@Suite(.timeLimit(.process))
struct OutsideWorkerTests {
    private func rest() async throws {
        // Not for synchronisation: a busy loop would take processor time from the server.
        try await Task.sleep(for: .milliseconds(20))
    }

    /// Returns the data of the message of a kind about a file, once it has come.
    private func event(_ kind: String, of media: String, at receiver: FakeReceiver) async throws -> JSONValue {
        while true {
            for message in receiver.taken {
                let body = try JSONReader.read(Array(message.body.utf8))
                if body["type"]?.text == kind, let data = body["data"], data["mediaId"]?.text == media { return data }
            }
            try await rest()
        }
    }

    private func token(_ name: String, _ scope: String, _ admin: APIClient) async throws -> String {
        let added = try await admin.post("/v1/admin/service-tokens", #"{"name":"\#(name)","scopes":["\#(scope)"]}"#)
        return try #require(try added.json["token"]?.text, "\(added)")
    }

    @Test func `a transcoder hears of a video, fetches it, and the post shows its rendition`() async throws {
        let video = try await FakeVideoTools.video("mp4", ["testsrc=size=320x240:rate=5:duration=2"])
        let receiver = FakeReceiver()
        try await receiver.running { hooks in
            try await GraphdServer.running(["--webhooks", "anywhere"], in: .process) { server in
                let admin = server.client(try await server.admin())
                let hook = #"{"url":"\#(hooks)/transcoder","events":["upload.created","media.ready"]}"#
                let secret = try await admin.post("/v1/admin/webhooks", hook).json["secret"]?.text
                let transcoder = server.client(token: try await token("transcoder", "media:renditions", admin))
                let transcriber = server.client(token: try await token("transcriber", "transcripts:write", admin))

                let client = server.client(try await server.person())
                var form = FormText()
                form.add("file", file: video)
                let media = try #require(try await client.upload(form).json["mediaId"]?.text)

                // The upload, and the end of its examination.
                let upload = try await event("upload.created", of: media, at: receiver)["upload"]
                #expect(upload?["contentType"]?.text == "video/mp4" && upload?["bytes"] == .integer(Int64(video.count)))
                let ready = try #require(try await event("media.ready", of: media, at: receiver)["media"])
                #expect(ready["status"]?.text == "ready" && ready["width"] == .integer(320), "\(ready)")
                #expect([.integer(2), .double(2)].contains(ready["duration"]) && ready["height"] == .integer(240))
                #expect(ready["contentType"]?.text == "video/mp4" && ready["downloadExpiresAt"]?.text != nil)
                for message in receiver.taken { #expect(try message.isSigned(by: try #require(secret))) }

                // Nothing shows the file yet, and the link opens it without a token.
                for link in [upload?["downloadUrl"]?.text, ready["downloadUrl"]?.text] {
                    let link = try #require(link)
                    #expect(link.hasPrefix(server.client().base + "/media/"))
                    let path = String(link.dropFirst(server.client().base.count))
                    let file = try await server.client().get(path)
                    #expect(file.status == 200 && file.body == video)
                    #expect(try await server.client().get(String(path.prefix { $0 != "?" })).status == 404)
                }

                let rendition = #"{"url":"https://cdn.example/240p.mp4","contentType":"video/mp4","width":320}"#
                let added = try await transcoder.put("/v1/media/\(media)/renditions/240p", rendition)
                #expect(added.status == 200, "\(added)")
                let post = try await client.post("/v1/posts", #"{"caption":"c","mediaId":"\#(media)"}"#).json
                let path = "/v1/posts/\(try #require(post["postId"]?.text))"
                #expect(post["renditions"]?.entries?.first?["url"]?.text == "https://cdn.example/240p.mp4")
                let home = try await client.walk("/v1/timelines/home")
                #expect(home.first?["renditions"] == post["renditions"])

                let cues = #"{"format":"vtt","text":"WEBVTT\n\n00:00.000 --> 00:01.000\nWelcome\n"}"#
                try await transcoder.put("\(path)/transcript", cues).expectProblem(403, "forbidden")
                #expect(try await transcriber.put("\(path)/transcript", cues).status == 204)
                let transcript = try await client.get("\(path)/transcript").json["cues"]?.entries
                #expect(transcript?.first?["text"]?.text == "Welcome")
                try await transcriber.put("/v1/posts/7/transcript", cues).expectProblem(404, "post_not_found")
                try await transcriber.delete("\(path)/transcript").expectProblem(403, "forbidden")
                try await client.act("DELETE", path)
                try await transcriber.put("\(path)/transcript", cues).expectProblem(404, "post_not_found")
            }
        }
    }

    @Test func `a video that cannot be read is told of, too`() async throws {
        let receiver = FakeReceiver()
        try await receiver.running { hooks in
            try await GraphdServer.running(["--webhooks", "anywhere"], in: .process) { server in
                let admin = server.client(try await server.admin())
                _ = try await admin.post("/v1/admin/webhooks", #"{"url":"\#(hooks)/x","events":["media.ready"]}"#)
                let client = server.client(try await server.person())
                var form = FormText()
                form.add("file", file: SampleFile.mp4())
                let media = try #require(try await client.upload(form).json["mediaId"]?.text)
                let told = try #require(try await event("media.ready", of: media, at: receiver)["media"])
                #expect(told["status"]?.text == "failed" && told["error"]?.text != nil, "\(told)")
                #expect(told["duration"] == .null && told["downloadUrl"]?.text != nil)
            }
        }
    }
}
