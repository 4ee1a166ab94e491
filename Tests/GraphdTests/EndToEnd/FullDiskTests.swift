import Database
import Foundation
import Glibc
import GraphServices
import ServiceTestSupport
import TestSupport
import Testing

@testable import CommandSupport
@testable import StrictJSON

/// A disk that other programs fill, under a running server and before a start.
@Suite(.serialized, .timeLimit(.process))
struct FullDiskTests {
    /// An eighth of the disk. Writes are refused below it, so it exceeds the ballast.
    private static let reserve = 96 << 20

    private static func withServer(_ body: (SmallDiskServer, APIClient) async throws -> Void) async throws {
        try await SmallDiskServer.running(bytes: 128 << 20, ["--disk-reserve", "\(reserve)"]) { server in
            let answer = try await server.client().post("/v1/auth/signup", "{\(account),\"username\":\"annie\"}")
            let token = try #require(try answer.json["token"]?.text)
            // The ballast keeps room for a start, once it has its length.
            try await server.waitUntil {
                FileStatus(server.directory.ballast)?.bytes == Int64(Ballast.standardBytes)
            }
            try await body(server, server.client(token: token))
        }
    }

    private static let account = #""email":"ann@example.org","password":"correct horse battery""#
    private static let post = #"{"caption":"c","mediaUrl":"https://a.example/1"}"#

    private static func form(_ bytes: Int) -> FormText {
        var form = FormText()
        form.add("file", file: SampleFile.png(bytes: bytes))
        return form
    }

    @Test func `uploads leave the reserve and everything else goes on`() async throws {
        try await Self.withServer { server, client in
            let disk = server.disk
            #expect(try await client.upload(Self.form(100_000)).status == 201)
            try disk.fill(leaving: Self.reserve + 300_000)
            let files = try mediaNames(below: server.directory.media)
            // The first upload fits in part. None of it remains.
            for _ in 0..<3 {
                try await client.upload(Self.form(900_000)).expectProblem(507, "insufficient_storage")
            }
            #expect(try mediaNames(below: server.directory.media) == files)
            try disk.fill(leaving: Self.reserve / 2)
            try await server.waitUntil { server.logLines.contains { $0.contains("the disk is filling up") } }
            // The line may be about a moment in which an upload was under way.
            try await server.waitUntil {
                try await client.get("/readyz").json["problems"]?.entries?.isEmpty == false
            }
            let state = try await client.get("/readyz")
            #expect(state.status == 200)
            #expect(try state.json["problems"]?.entries?.map { $0["code"]?.text } == ["disk_low"])
            try await client.upload(Self.form(1_000), key: "k").expectProblem(507, "insufficient_storage")
            _ = try await client.publish()
            try disk.clear()
            // The refusal has not used up the key.
            let (stored, again) = (
                try await client.upload(Self.form(1_000), key: "k"), try await client.upload(Self.form(1_000), key: "k")
            )
            #expect(stored.status == 201 && stored.header("Idempotent-Replayed") == nil)
            #expect(again.status == 201 && again.header("Idempotent-Replayed") == "true" && again.body == stored.body)
        }
    }

    @Test func `a full disk is read and said and service comes back by itself`() async throws {
        try await Self.withServer { server, client in
            let disk = server.disk
            var posts: [String] = []
            for index in 0..<5 { posts.insert(try await client.publish("kept \(index)"), at: 0) }
            for post in posts { #expect(try await client.put("/v1/posts/\(post)/like").status == 200) }
            // Room for a checkpoint, which copies the write-ahead log into the database.
            try disk.fill(leaving: 8 << 20)
            try await server.waitUntil { server.logLines.contains { $0.contains("writes are refused") } }

            let ready = try await client.get("/readyz")
            #expect(ready.status == 503)
            #expect(try ready.json["status"] == .string("degraded"))
            #expect(try ready.json["problems"]?.entries?.first?["code"] == .string("disk_full"))
            #expect(try await client.get("/healthz").status == 200)
            let refused = try await client.post("/v1/posts", Self.post)
            try refused.expectProblem(503, "storage_full")
            #expect(refused.header("Retry-After") != nil)
            // Reads, log-ins and deletions still succeed, although some of them write a little.
            #expect(try await client.post("/v1/auth/login", "{\(Self.account)}").status == 200)
            #expect(try await client.page("/v1/timelines/home") == posts)
            let found = try await client.get("/v1/search/posts?q=kept&limit=2").json
            let cursor = try #require(found["nextCursor"]?.text)
            let more = try await client.get("/v1/search/posts?q=kept&limit=9&cursor=\(cursor)").json
            #expect(Set(found.ids + more.ids) == Set(posts))
            #expect(try await client.get("/v1/timelines/trending?limit=2").status == 200)
            #expect(try await client.delete("/v1/posts/\(posts.removeLast())").status == 204)

            try disk.clear()
            try await server.waitUntilReady()
            posts.insert(try await client.publish(), at: 0)
            #expect(try await client.page("/v1/timelines/home") == posts)
        }
    }

    @Test func `a server starts on a full disk with everything that was acknowledged`() async throws {
        try await Self.withServer { server, client in
            let token = client.token
            var posts: [String] = []
            for _ in 0..<5 { posts.insert(try await client.publish(), at: 0) }
            try server.disk.fill(leaving: 0)
            for signal in [SIGKILL, SIGTERM, SIGKILL] {
                await server.end(signal)
                try await server.start()
                let again = server.client(token: token)
                #expect(try await again.page("/v1/timelines/home") == posts)
                try await server.waitUntil { try await again.get("/readyz").status == 503 }
                try await again.post("/v1/posts", Self.post).expectProblem(503, "storage_full")
            }
            #expect(server.logLines.contains { $0.contains("using the space reserved for a start") })
            try server.disk.clear()
            try await server.waitUntilReady()
            let last = server.client(token: token)
            posts.insert(try await last.publish(), at: 0)
            #expect(try await last.page("/v1/timelines/home") == posts)
        }
    }
}
