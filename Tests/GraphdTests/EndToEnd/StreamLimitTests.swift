import Database
import Foundation
import Importing
import ServiceTestSupport
import SocialGraph
import TestSupport
import Testing

@testable import GraphHTTP
@testable import StrictJSON

/// Limits of a stream, and its end when the server stops.
@Suite(.serialized, .timeLimit(.process))
struct StreamLimitTests {
    @Test func `the ninth stream of one user is refused and a closed one makes room`() async throws {
        try await GraphdServer.running { server in
            let (person, other) = (try await server.person(), server.client(try await server.person()))
            let client = server.client(person)
            // A client's disconnection is noticed without waiting for a failed heartbeat.
            for _ in 0..<3 {
                for _ in 0..<8 { _ = try await client.stream() }
                try await server.waitUntilStreamsOpen(0)
            }
            var streams = try await (0..<8).asyncMap { _ in try await client.stream() }
            let answer = try await client.get("/v1/stream")
            try answer.expectProblem(429, "rate_limited")
            #expect(answer.header("Retry-After").flatMap { Int($0) } != nil)
            _ = try await other.stream()
            streams.removeLast()
            try await server.waitUntilStreamsOpen(7)
            streams.append(try await client.stream())
            let id = try await client.publish()
            for index in streams.indices { #expect(try await streams[index].posts(1).map(\.postID) == [id]) }
        }
    }

    @Test func `a revoked token ends its stream before anything more is told`() async throws {
        try await GraphdServer.running { server in
            let (reader, author) = (try await server.person(), try await server.person())
            let writer = server.client(author)
            try await server.client(reader).act("PUT", "\(author.path)/follow")
            let seen = try await writer.publish()
            var home = try await server.client(reader).stream()
            var post = try await server.client(reader).stream("/v1/posts/\(seen)/stream")
            let first = try await post.next()
            #expect(first?.name == "counts")
            // Otherwise a client would send its next request over a connection that is about to close.
            #expect(home.header("Connection") == "close" && post.header("Connection") == "close")
            try await server.client(reader).act("POST", "/v1/auth/logout-everywhere")
            _ = try await writer.publish()
            _ = try await writer.put("/v1/posts/\(seen)/like")
            let ends = [
                [try await home.next(), try await home.next()], [try await post.next(), try await post.next()],
            ]
            for end in ends {
                #expect(end[0]?.name == "end" && end[0]?.json?["reason"] == .string("token_invalid"))
                #expect(end[1] == nil)
            }
        }
    }

    @Test func `HEAD is answered and leaves no stream open`() async throws {
        try await GraphdServer.running { server in
            let client = server.client(try await server.person())
            let stream = try await client.stream()
            #expect(try await server.openStreams() == 1)
            for _ in 0..<20 {
                let answer = try await client.send("HEAD", "/v1/stream")
                #expect(answer.status == 200 && answer.body.isEmpty)
                #expect(answer.header("Content-Type") == "text/event-stream")
            }
            #expect(try await server.openStreams() == 1)
            _ = stream
        }
    }

    @Test func `a stopping server ends its streams and stops`() async throws {
        try await GraphdServer.running { server in
            var streams: [EventStream] = []
            for _ in 0..<20 { streams.append(try await server.client(try await server.person()).stream()) }
            async let end = server.stop()
            for index in streams.indices {
                let last = try await streams[index].next()
                #expect(last?.name == "end" && last?.id == nil)
                #expect(last?.json?["reason"] == .string("server_stopping"))
                #expect(try await streams[index].next() == nil)
            }
            let ended = await end
            #expect(ended == .exited(0))
        }
    }

    /// Publishes posts of about 24 KB each, so that the kernel's buffers fill quickly.
    private func publishLarge(_ count: Int, by author: UserID, _ server: GraphdServer) async throws -> [String] {
        let tags = (0..<30).map { "\($0)" + String(repeating: "🏖", count: 60) }
        let posts = (0..<count).map { number in
            NewPost(
                author: author, caption: "\(number) " + String(repeating: "🏖", count: 2_190),
                mediaURL: "https://example.org/" + String(repeating: "v", count: 2_000), algorithmTags: tags)
        }
        var ids: [String] = []
        for start in stride(from: 0, to: count, by: 50) {
            ids += try await server.graph.bulkPosts.publish(batch: Array(posts[start..<min(start + 50, count)]))
                .map { String($0.rawValue) }
        }
        return ids
    }

    /// Publishes posts at once that take no room to speak of.
    private func publishSmall(_ count: Int, by author: UserID, _ server: GraphdServer) async throws -> [String] {
        let posts = (0..<count).map { NewPost(author: author, caption: "\($0)", mediaURL: "https://example.org/v") }
        return try await server.graph.bulkPosts.publish(batch: posts).map { String($0.rawValue) }
    }

    @Test func `a reader who stops reading is dropped and holds nobody up`() async throws {
        try await GraphdServer.running { server in
            let (author, stuck, lively) = (
                try await server.person(), try await server.person(), try await server.person()
            )
            for reader in [stuck, lively] { try await server.client(reader).act("PUT", "\(author.path)/follow") }
            let connection = try RawConnection(port: server.port)
            try await connection.send(
                "GET /v1/stream HTTP/1.1\r\nHost: a\r\nAuthorization: Bearer \(stuck.token)\r\n\r\n")
            #expect(try await connection.receive { $0.contains("retry: ") }.hasPrefix("HTTP/1.1 200"))
            var stream = try await server.client(lively).stream()
            var published: [String] = []
            var seen: [StreamedEvent] = []
            for _ in 0..<12 {
                published += try await publishLarge(50, by: author.id, server)
                seen += try await stream.posts(50)
            }
            #expect(seen.compactMap(\.postID) == published)
            // Only the other client's connection is closed.
            try await server.waitUntilStreamsOpen(1)
            let text = (try? await connection.receive()) ?? ""
            #expect(!Array(text.utf8).has(published[599]))
            // The change log still has the missed posts.
            var again = try await server.client(stuck).stream(after: seen[99].id)
            #expect(try await again.posts(500).compactMap(\.postID) == Array(published[100...]))
            let last = try await server.client(author).publish()
            #expect(try await again.posts(1).map(\.postID) == [last])
            #expect(try await stream.posts(1).map(\.postID) == [last])
        }
    }

    @Test func `a reader who was too slow is told so`() async throws {
        try await GraphdServer.running { server in
            let (author, slow, lively) = (
                try await server.person(), try await server.person(), try await server.person()
            )
            for reader in [slow, lively] { try await server.client(reader).act("PUT", "\(author.path)/follow") }
            // A client that does not read for too long is disconnected without an end event. That can happen on a
            // stalled machine, hence further attempts, until the time limit.
            while true {
                try Task.checkCancellation()
                let connection = try RawConnection(port: server.port)
                try await connection.send(
                    "GET /v1/stream HTTP/1.1\r\nHost: a\r\nAuthorization: Bearer \(slow.token)\r\n\r\n")
                _ = try await connection.receive { $0.contains("retry: ") }
                var stream = try await server.client(lively).stream()
                // Large posts fill the kernel's buffers. Small ones then fill the queue in less time.
                for round in 0..<12 {
                    let published =
                        try await round < 6
                        ? publishLarge(50, by: author.id, server) : publishSmall(50, by: author.id, server)
                    #expect(try await stream.posts(50).compactMap(\.postID) == published)
                }
                let end = #"event: end\#ndata: {"reason":"too_slow"}"#
                let text = (try? await connection.receive { $0.hasSuffix(end + "\n\n\r\n") }) ?? ""
                if text.contains(end) { return }
            }
        }
    }

    @Test func `a killed server misses nothing and doubles nothing`() async throws {
        try await GraphdServer.running(in: .process) { server in
            let (author, reader) = (try await server.person(), try await server.person())
            try await server.client(reader).act("PUT", "\(author.path)/follow")
            var stream = try await server.client(reader).stream()
            _ = try await server.client(author).publish()
            var seen = try await stream.posts(1)
            var acknowledged: Set<String> = []
            for round in 0..<3 {
                let writer = server.client(author)
                acknowledged.formUnion(
                    try await withThrowingTaskGroup(of: [String].self) { group in
                        for _ in 0..<4 {
                            group.addTask {
                                var ids: [String] = []
                                // Publishes until the server is gone. Posts without an acknowledgement may be lost.
                                while let id = try? await writer.publish() { ids.append(id) }
                                return ids
                            }
                        }
                        seen += try await stream.posts(20 + round * 7)
                        await server.kill()
                        // The events that had been sent are read to the end.
                        while let event = try await stream.next() { seen.append(event) }
                        return try await group.reduce(into: []) { $0 += $1 }
                    })
                try await server.start()
                stream = try await server.client(reader).stream(after: seen.last?.id)
                let marker = try await server.client(author).publish()
                while seen.last?.postID != marker {
                    let more = try await stream.posts(1)
                    try #require(!more.isEmpty)
                    seen += more
                }
            }
            let all = try await server.client(reader).ids("/v1/timelines/home")
            #expect(acknowledged.isSubset(of: all) && acknowledged.count > 60)
            #expect(seen.compactMap(\.postID) == all.reversed())
        }
    }
}
