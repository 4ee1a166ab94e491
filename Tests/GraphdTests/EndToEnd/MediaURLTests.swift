import Foundation
import ServiceTestSupport
import TestSupport
import Testing

/// URLs of files in answers, with a CDN in front of the files that everybody may see.
@Suite(.timeLimit(.process))
struct MediaURLTests {
    private static let cdn = "https://cdn.example/m"

    @Test func `public files are at the CDN, others at the server`() async throws {
        try await GraphdServer.running(["--media-url", "\(Self.cdn)/", "--public-url", "https://a.example"]) { server in
            let person = try await server.person()
            let client = server.client(person)
            func post(_ more: String = "") async throws -> (path: String, url: String?, json: String) {
                let path = try await client.store(SampleFile.png())
                let id = path.dropFirst("/media/".count).prefix { $0 != "." }
                let answer = try await client.post("/v1/posts", #"{"caption":"c","mediaId":"\#(id)"\#(more)}"#)
                #expect(answer.status == 201, "\(answer)")
                return (path, try answer.json["mediaUrl"]?.text, answer.text)
            }
            let open = try await post()
            #expect(open.url == Self.cdn + open.path.dropFirst("/media".count))
            let quiet = try await post(#","visibility":"followers""#)
            #expect(quiet.url == "https://a.example" + quiet.path)
            var form = FormText()
            form.add("file", file: SampleFile.png())
            let upload = try await client.upload(form).json["url"]?.text
            #expect(upload?.hasPrefix("https://a.example/media/") == true)

            // Both URLs of a file name it in requests, and the post follows the privacy of its author.
            let name = open.path.dropFirst("/media".count)
            for url in ["\(Self.cdn)\(name)", "https://a.example/media\(name)"] {
                let again = try await client.post("/v1/posts", #"{"caption":"c","mediaUrl":"\#(url)"}"#)
                #expect(try again.json["mediaUrl"]?.text == "\(Self.cdn)\(name)")
            }
            let other = server.client(try await server.person())
            try await other.post("/v1/posts", #"{"caption":"c","mediaUrl":"\#(Self.cdn)\#(name)"}"#)
                .expectProblem(422, "invalid_url", field: "mediaUrl")
            let picture = Data(SampleFile.png()).base64EncodedString()
            let me = try await client.send(
                "PATCH", "/v1/me", body: Array(#"{"profilePicData":"\#(picture)","isPrivate":true}"#.utf8)
            ).json
            #expect(me["profilePicUrl"]?.text?.hasPrefix("\(Self.cdn)/") == true, "\(me)")
            let posts = try await client.walk("/v1/timelines/users/\(person.idText)")
            #expect(posts.count == 4)
            for post in posts { #expect(post["mediaUrl"]?.text?.hasPrefix("https://a.example/media/") == true) }
            #expect(posts.first?["author"]?["profilePicUrl"] == me["profilePicUrl"])
        }
    }

    @Test func `caches keep public files for long, and nothing else`() async throws {
        try await GraphdServer.running { server in
            let client = server.client(try await server.person())
            let path = try await client.store(SampleFile.png())
            let (own, others) = (try await client.get(path), try await server.client().get(path))
            #expect(own.header("Cache-Control") == "private, no-store")
            #expect(others.status == 404 && others.header("Cache-Control") == "no-store")
            let id = path.dropFirst("/media/".count).prefix { $0 != "." }
            #expect(try await client.post("/v1/posts", #"{"caption":"c","mediaId":"\#(id)"}"#).status == 201)
            let whole = try await server.client().get(path)
            #expect(whole.status == 200 && whole.header("Cache-Control") == "public, max-age=31536000, immutable")
            #expect(whole.header("ETag") != nil && whole.header("Accept-Ranges") == "bytes")
            let part = try await server.client().send("GET", path, headers: [("Range", "bytes=0-3")])
            #expect(part.status == 206 && part.header("Cache-Control") == whole.header("Cache-Control"))
        }
    }
}
