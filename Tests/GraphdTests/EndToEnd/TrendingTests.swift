import Database
import ServiceTestSupport
import SocialGraph
import TestSupport
import Testing

@testable import StrictJSON

/// `GET /v1/timelines/trending`. Each test has a server of its own, because a ranking is kept for a minute.
@Suite(.timeLimit(.process))
struct TrendingTests {
    private static let path = "/v1/timelines/trending"

    private func publish(_ client: APIClient, _ members: String = #""category":null"#) async throws -> String {
        try #require(try await client.publish(with: members)["postId"]?.text)
    }

    @Test func `posts rank by what they got within the window`() async throws {
        try await GraphdServer.running { server in
            let client = server.client(try await server.person())
            let posts = [try await publish(client), try await publish(client), try await publish(client)]
            _ = try await publish(client)
            try await server.engage(posts[0], likes: 5)
            try await server.engage(posts[1], shares: 2)
            try await server.engage(posts[2], hoursAgo: 100, likes: 1_000)
            #expect(try await client.page(Self.path) == [posts[1], posts[0]])
            #expect(try await client.page(Self.path + "?window=24h") == [posts[1], posts[0]])
            #expect(try await client.page(Self.path + "?window=7d") == [posts[2], posts[1], posts[0]])
            // Within the hour, acts count immediately.
            try await client.act("PUT", "/v1/posts/\(posts[0])/reshare")
            #expect(try await client.put("/v1/posts/\(posts[2])/like").status == 200)
            #expect(try await client.page(Self.path + "?window=1h") == [posts[0], posts[2]])
        }
    }

    @Test func `what the reader may not see is not shown and the rest is filtered`() async throws {
        try await GraphdServer.running { server in
            let (reader, author, blocker) = (
                try await server.person(), try await server.person(), try await server.person()
            )
            let (client, writer, other) = (server.client(reader), server.client(author), server.client(blocker))
            let food = try await publish(writer, #""category":"Food","algorithmTags":["Soup"]"#)
            let sport = try await publish(writer, #""category":"Sport","algorithmTags":["Run","Soup"]"#)
            let closed = try await publish(writer, #""visibility":"followers""#)
            let deleted = try await publish(writer)
            let hidden = try await publish(other)
            for (rank, post) in [hidden, deleted, closed, sport, food].enumerated() {
                try await server.engage(post, likes: Int64(50 - rank))
            }
            try await client.act("PUT", "\(author.path)/follow")
            #expect(try await client.page(Self.path) == [hidden, deleted, sport, food])
            // A post that is hidden later disappears at once, although the ranking stays the same.
            try await other.act("PUT", "\(reader.path)/block")
            try await writer.act("DELETE", "/v1/posts/\(deleted)")
            #expect(try await client.page(Self.path) == [sport, food])
            #expect(try await client.page(Self.path + "?category=food") == [food])
            #expect(try await client.page(Self.path + "?algorithms=soup") == [sport, food])
            #expect(try await client.page(Self.path + "?algorithms=run,none&category=sport") == [sport])
            #expect(try await client.page(Self.path + "?algorithms=none") == [])
            _ = try await client.patch("/v1/me", #"{"selectedAlgorithms":["run"]}"#)
            #expect(try await client.page(Self.path + "?algorithms=selected") == [sport])
            let explained = try await client.get(Self.path + "?explain=true&category=food").json
            #expect(explained.names == ["items", "nextCursor"])
            let reasons = explained["items"]?.entries?.first?["reasons"]?.entries ?? []
            #expect(reasons.compactMap { $0["kind"]?.text } == ["public", "trending", "category"])
            #expect(reasons.dropFirst().first?["window"]?.text == "24h")
        }
    }

    @Test func `a walk goes on through the same ranking also after a restart`() async throws {
        try await GraphdServer.running { server in
            let client = server.client(try await server.person())
            var posts: [String] = []
            for rank in 0..<7 {
                posts.append(try await publish(client))
                try await server.engage(posts[rank], likes: Int64(70 - rank))
            }
            for limit in [1, 2, 3, 7] { #expect(try await client.ids(Self.path, limit: limit) == posts) }
            let first = try await client.get(Self.path + "?limit=3").json
            let cursor = try #require(first["nextCursor"]?.text)
            #expect(cursor.hasSuffix(".3"))
            // The last post becomes the first, and one of the remaining posts is deleted.
            try await server.engage(posts[6], likes: 1_000)
            try await client.act("DELETE", "/v1/posts/\(posts[4])")
            _ = await server.stop()
            try await server.start()
            let again = server.client(token: client.token)
            let second = try await again.get("\(Self.path)?limit=3&cursor=\(cursor)").json
            #expect(second.ids == [posts[3], posts[5], posts[6]])
            #expect(second["nextCursor"] == .null)
        }
    }

    @Test func `a cursor of no ranking is refused and one of a forgotten ranking is gone`() async throws {
        try await GraphdServer.running { server in
            let client = server.client(try await server.person())
            for _ in 0..<3 { try await server.engage(try await publish(client), likes: 1) }
            let cursor = try #require(try await client.get(Self.path + "?limit=1").json["nextCursor"]?.text)
            for wrong in ["", "1", "x.1", "1.0", "\(cursor).1", cursor.replacing(".1", with: ".4")] {
                try await client.get("\(Self.path)?cursor=\(wrong)")
                    .expectProblem(400, "invalid_cursor", field: "cursor", wrong)
            }
            try await client.get("\(Self.path)?window=7d&cursor=\(cursor)")
                .expectProblem(400, "invalid_cursor", field: "cursor")
            try await client.get("\(Self.path)?cursor=1.1").expectProblem(410, "cursor_expired")
            try await server.graph.database.write { try $0.execute("UPDATE ranking SET created_at = 1", []) }
            _ = await server.stop()
            try await server.start()
            try await server.client(token: client.token).get("\(Self.path)?cursor=\(cursor)")
                .expectProblem(410, "cursor_expired")
        }
    }

    @Test func `wrong parameters are named`() async throws {
        try await GraphdServer.running { server in
            let client = server.client(try await server.person())
            for window in ["", "2h", "24H"] {
                try await client.get("\(Self.path)?window=\(window)")
                    .expectProblem(400, "invalid_parameter", field: "window")
            }
            try await client.get("\(Self.path)?limit=101").expectProblem(400, "invalid_limit", field: "limit")
            try await client.get("\(Self.path)?kind=tag").expectProblem(400, "unknown_parameter", field: "kind")
            #expect(try await client.get(Self.path).text == #"{"items":[],"nextCursor":null}"#)
        }
    }
}
