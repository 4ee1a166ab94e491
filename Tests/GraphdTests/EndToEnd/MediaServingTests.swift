import Database
import ServiceTestSupport
import SocialGraph
import TestSupport
import Testing

@testable import GraphServices

/// `GET /media/{file}` on a real server: ranges, conditions and visibility.
@Suite(.timeLimit(.process), .sharedGraphd)
struct MediaServingTests {
    let server: GraphdServer

    init() throws { server = try GraphdServer.shared }

    private func show(_ path: String, on post: String) async throws {
        let media = try #require(PublicURL(configured: nil).media(at: path))
        let post = PostID(rawValue: try #require(Int64(post)))
        _ = try await server.graph.database.write { transaction in
            try transaction.execute("UPDATE post SET media_id = ?2 WHERE id = ?1", [.post(post), .media(media)])
        }
    }

    @Test func `ranges are cut from the file`() async throws {
        let client = server.client(try await server.person())
        let bytes = SampleFile.mp4(bytes: 700_001)
        let path = try await client.store(bytes)
        let size = bytes.count
        let cases: [(String, ClosedRange<Int>?)] = [
            ("bytes=0-0", 0...0), ("bytes=0-", 0...(size - 1)), ("bytes=5-9", 5...9),
            ("bytes=-7", (size - 7)...(size - 1)),
            ("bytes=262143-262145", 262_143...262_145), ("bytes=300000-", 300_000...(size - 1)),
            ("bytes=\(size - 1)-\(size + 9)", (size - 1)...(size - 1)), ("bytes=-\(size + 9)", 0...(size - 1)),
            ("bytes=0-1,3-4", nil), ("bytes=9-5", nil), ("items=0-1", nil),
        ]
        for (header, range) in cases {
            let answer = try await client.send("GET", path, headers: [("Range", header)])
            #expect(answer.status == (range == nil ? 200 : 206), "\(header)")
            #expect(answer.body == Array(range.map { bytes[$0] } ?? bytes[...]), "\(header)")
            let expected = range.map { "bytes \($0.lowerBound)-\($0.upperBound)/\(size)" }
            #expect(answer.header("Content-Range") == expected, "\(header)")
            #expect(answer.header("Content-Length") == "\(answer.body.count)", "\(header)")
        }
        for header in ["bytes=\(size)-", "bytes=-0", "bytes=99999999999999999999-"] {
            let answer = try await client.send("GET", path, headers: [("Range", header)])
            try answer.expectProblem(416, "range_not_satisfiable")
            #expect(answer.header("Content-Range") == "bytes */\(size)")
        }
    }

    @Test func `conditions are kept`() async throws {
        let client = server.client(try await server.person())
        let bytes = SampleFile.png()
        let path = try await client.store(bytes)
        let whole = try await client.get(path)
        let (tag, date) = (try #require(whole.header("ETag")), try #require(whole.header("Last-Modified")))
        #expect(whole.header("Accept-Ranges") == "bytes")
        #expect(whole.header("Content-Type") == "image/png")
        #expect(whole.header("X-Content-Type-Options") == "nosniff")
        #expect(whole.header("Content-Disposition") == "inline")
        for condition in [("If-None-Match", tag), ("If-None-Match", "\"x\", W/\(tag)"), ("If-Modified-Since", date)] {
            let answer = try await client.send("GET", path, headers: [condition, ("Range", "bytes=0-1")])
            #expect(answer.status == 304 && answer.body.isEmpty && answer.header("ETag") == tag, "\(condition)")
        }
        for (condition, status) in [(tag, 206), (date, 206), ("\"x\"", 200), ("W/\(tag)", 200)] {
            let answer = try await client.send("GET", path, headers: [("If-Range", condition), ("Range", "bytes=1-2")])
            #expect(answer.status == status, "\(condition)")
        }
        let head = try await client.send("HEAD", path, headers: [("Range", "bytes=1-2")])
        #expect(head.status == 200 && head.body.isEmpty)
        #expect(head.header("Content-Length") == "\(bytes.count)")
        #expect(head.header("ETag") == tag)
    }

    @Test func `a file is served to those who may see what shows it`() async throws {
        let (author, follower, stranger) = (
            try await server.person(), try await server.person(), try await server.person()
        )
        let owner = server.client(author)
        let readers = [server.client(follower), server.client(stranger), server.client()]
        let path = try await owner.store(SampleFile.mp4())
        try await server.client(follower).act("PUT", "\(author.path)/follow")
        func expect(_ owned: Int, _ others: [Int], _ comment: String) async throws {
            let own = try await owner.get(path)
            #expect(own.status == owned, "\(comment)")
            for (reader, status) in zip(readers, others) {
                let answer = try await reader.get(path)
                #expect(answer.status == status, "\(comment)")
                if status == 404 { try answer.expectProblem(404, "media_not_found") }
                #expect(answer.status != 200 || answer.header("Cache-Control") == own.header("Cache-Control"))
            }
            let isPublic = others.last == 200
            #expect(
                own.header("Cache-Control") == (isPublic ? "public, max-age=31536000, immutable" : "private, no-store"))
        }
        try await expect(200, [404, 404, 404], "unused")
        let quiet = try await owner.publish(with: #""visibility":"followers""#)["postId"]?.text ?? ""
        try await show(path, on: quiet)
        try await expect(200, [200, 404, 404], "shown to followers")
        let post = try await owner.publish()
        try await show(path, on: post)
        try await expect(200, [200, 200, 200], "shown to everybody")
        try await owner.act("DELETE", "/v1/posts/\(post)")
        try await expect(200, [200, 404, 404], "deleted for everybody")
        try await owner.act("DELETE", "/v1/posts/\(quiet)")
        try await expect(200, [404, 404, 404], "deleted")
        let media = try #require(PublicURL(configured: nil).media(at: path))
        _ = try await server.graph.database.write { transaction in
            try transaction.execute(
                "UPDATE account SET picture_id = ?2 WHERE id = ?1", [.user(author.id), .media(media)])
        }
        try await expect(200, [200, 200, 200], "a profile picture")
    }

    @Test func `a file is named by its id with or without its extension`() async throws {
        let client = server.client(try await server.person())
        let path = try await client.store(SampleFile.mp4())
        let id = path.dropFirst("/media/".count).dropLast(".mp4".count)
        for path in ["/media/\(id)", "/media/\(id).mp4", "/media/\(id).mp4?width=1&width=2"] {
            #expect(try await client.get(path).status == 200, "\(path)")
        }
        for path in [
            "/media/\(id).jpg", "/media/\(id).", "/media/\(id).mp4.mp4", "/media/0\(id)", "/media/1.mp4", "/media/x",
            "/media/..%2F..%2Fgraph.db", "/media/%2e%2e", "/media/-1", "/media/\(id)%00.mp4",
        ] {
            try await client.get(path).expectProblem(404, "media_not_found", "\(path)")
        }
    }

    @Test func `a token that is not valid says nothing of a file`() async throws {
        let person = try await server.person()
        let client = server.client(person)
        let path = try await client.store(SampleFile.mp4())
        let invalid = server.client(token: "no.such.token")
        for path in [path, "/media/1.mp4"] {
            try await invalid.get(path).expectProblem(401, "token_invalid")
        }
        try await show(path, on: try await client.publish())
        #expect(try await invalid.get(path).status == 200)
    }
}
