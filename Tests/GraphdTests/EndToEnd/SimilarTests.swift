import ServiceTestSupport
import SocialGraph
import TestSupport
import Testing

@testable import CommandSupport
@testable import StrictJSON

/// `POST /v1/search/similar`: the most similar posts first, under the common visibility rules and filters.
@Suite(.timeLimit(.process))
struct SimilarTests {
    private static let path = "/v1/search/similar"

    /// Publishes posts at ascending angles to the first axis.
    private func embed(
        _ client: APIClient, _ members: [String]
    ) async throws -> [String] {
        var posts: [String] = []
        for (index, member) in members.enumerated() {
            let post = try await client.publish(with: member)
            let id = try #require(post["postId"]?.text)
            #expect(
                try await client.put("/v1/posts/\(id)/embedding", "{\"vector\":[10,\(index),0]}").status == 204)
            posts.append(id)
        }
        return posts
    }

    private func search(_ client: APIClient, _ members: String) async throws -> JSONValue {
        let answer = try await client.post(Self.path, "{\(members)}")
        guard answer.status == 200 else { throw UnexpectedAnswer(answer) }
        return try answer.json
    }

    @Test func `the most similar come first page by page`() async throws {
        try await GraphdServer.running(["--embedding-dimension", "3"]) { server in
            let (author, reader) = (server.client(try await server.person()), server.client(try await server.person()))
            let posts = try await embed(author, (0..<7).map { #""title":"\#($0)""# })
            var (found, similarities, cursor): ([String], [Double], String?) = ([], [], nil)
            repeat {
                let more = cursor.map { ",\"cursor\":\"\($0)\"" } ?? ""
                let page = try await search(reader, #""vector":[5,0,0],"limit":3\#(more)"#)
                found += page.ids
                similarities += page["items"]?.entries?.compactMap { $0["similarity"]?.real } ?? []
                cursor = page["nextCursor"]?.text
            } while cursor != nil
            #expect(found == posts)
            #expect(similarities.count == 7 && similarities == similarities.sorted(by: >))
            #expect(similarities.first == 1 && abs(similarities[6] - 0.857493) < 1e-5)
            let item = try await search(reader, #""vector":[5,0,0],"limit":1"#)["items"]?.entries?.first
            let post = try await reader.get("/v1/posts/\(posts[0])").json
            #expect(item?.names == post.names + ["similarity"])
            // A search by a post returns all others.
            #expect(try await search(reader, "\"postId\":\"\(posts[0])\"").ids == Array(posts[1...]))
            #expect(try await search(reader, "\"postId\":\"\(posts[6])\"").ids == posts[..<6].reversed())
        }
    }

    @Test func `filters leave full pages`() async throws {
        try await GraphdServer.running(["--embedding-dimension", "3"]) { server in
            let (author, other) = (try await server.person(), try await server.person())
            let reader = server.client(try await server.person())
            let members = (0..<30).map { index in
                index % 10 == 3
                    ? #""category":"Art","algorithmTags":["slow"],"#
                        + #""attributes":{"cookingTime":\#(index),"cuisineType":"Thai"}"#
                    : #""category":"Sport","attributes":{"cookingTime":\#(index)}"#
            }
            let posts = try await embed(server.client(author), members)
            let foreign = try await embed(server.client(other), [#""category":"Art""#])
            let art = [posts[3], posts[13], posts[23]]
            let target = #""vector":[1,0,0],"limit":3"#
            for (condition, expected) in [
                (#""algorithms":["slow"]"#, art), (#""attributes":{"cuisineType":"thai"}"#, art),
                (#""attributes":{"cookingTime":"..2"}"#, Array(posts[..<3])),
                (#""attributes":{"cookingTime":13}"#, [posts[13]]),
                (#""attributes":{"cookingTime":"13..","cuisineType":"Thai"}"#, [posts[13], posts[23]]),
                (#""category":"Art""#, [foreign[0], posts[3], posts[13]]),
                (#""category":"Art","excludeAuthor":"\#(other.idText)""#, art),
                (#""excludeAuthor":"\#(author.idText)""#, foreign), (#""category":"never heard of""#, []),
                (#""algorithms":[]"#, []), (#""algorithms":"selected""#, []),
            ] as [(String, [String])] {
                #expect(try await search(reader, target + "," + condition).ids == expected, "\(condition)")
            }
        }
    }

    @Test func `what is hidden is not found`() async throws {
        try await GraphdServer.running(["--embedding-dimension", "3"]) { server in
            let (author, blocked) = (try await server.person(), try await server.person())
            let (reader, readers) = (server.client(try await server.person()), server.client(author))
            let posts = try await embed(
                readers, [#""title":"a""#, #""visibility":"followers""#, #""title":"c""#, #""title":"d""#])
            let foreign = try await embed(server.client(blocked), [#""title":"f""#])
            let all = #""vector":[1,0,0]"#
            #expect(try await search(reader, all).ids == [foreign[0], posts[0], posts[2], posts[3]])
            try await reader.act("PUT", "\(blocked.path)/block")
            #expect(try await search(reader, all).ids == [posts[0], posts[2], posts[3]])
            try await readers.act("DELETE", "/v1/posts/\(posts[0])")
            #expect(try await search(reader, all).ids == [posts[2], posts[3]])
            try await readers.act("DELETE", "/v1/posts/\(posts[2])/embedding")
            #expect(try await search(reader, all).ids == [posts[3]])
            #expect(try await readers.put("/v1/posts/\(posts[2])/embedding", #"{"vector":[1,9,9]}"#).status == 204)
            #expect(try await search(reader, all).ids == [posts[3], posts[2]])
            // A search cannot name an invisible post, and posts without an embedding have no similar ones.
            for id in [posts[1], foreign[0], posts[0], "1"] {
                try await reader.post(Self.path, "{\"postId\":\"\(id)\"}").expectProblem(404, "post_not_found")
            }
            let bare = try await readers.publish()
            try await reader.post(Self.path, "{\"postId\":\"\(bare)\"}").expectProblem(404, "embedding_not_found")
        }
    }

    @Test func `a restart changes nothing`() async throws {
        try await GraphdServer.prepared { server in
            try await server.start(["--embedding-dimension", "3"])
            var reader = server.client(try await server.person())
            let author = try await server.person()
            let posts = try await embed(server.client(author), (0..<12).map { #""title":"\#($0)""# })
            let first = try await search(reader, #""vector":[1,0.5,0],"limit":5"#)
            #expect(Set(first.ids).count == 5)
            _ = await server.stop()
            // Another dimension is refused, with advice.
            let refused = try GraphdProcess(server.serveArguments + ["--embedding-dimension", "4"])
            #expect(await refused.wait() != .exited(0))
            #expect(refused.lines.contains { $0.contains("have 3 dimensions") && $0.contains("embeddings clear") })
            try await server.start()
            reader = server.client(try await server.person())
            #expect(try await search(reader, #""vector":[1,0.5,0],"limit":5"#)["items"] == first["items"])
            _ = await server.stop()
            let clearing = try GraphdProcess(["embeddings", "clear", "--data-dir", server.directory.path])
            #expect(await clearing.wait() == .exited(0))
            try await server.start(["--embedding-dimension", "4"])
            let writer = server.client(author)
            #expect(try await writer.put("/v1/posts/\(posts[0])/embedding", #"{"vector":[1,0,0,0]}"#).status == 204)
            #expect(try await search(writer, #""vector":[1,0,0,0]"#).ids == [posts[0]])
        }
    }

    @Test func `a malformed question is refused`() async throws {
        try await GraphdServer.running(["--embedding-dimension", "3"]) { server in
            let client = server.client(try await server.person())
            _ = try await embed(client, [#""title":"a""#])
            for (body, status, code, field) in [
                ("{}", 400, "missing_field", "vector"), (#"{"vector":[1,2]}"#, 400, "dimension_mismatch", "vector"),
                (#"{"vector":[1,2,3],"postId":"1"}"#, 422, "invalid_value", "postId"),
                (#"{"vector":[0,0,0]}"#, 422, "invalid_value", "vector"),
                (#"{"vector":[1,2,3],"limit":0}"#, 422, "invalid_value", "limit"),
                (#"{"vector":[1,2,3],"limit":101}"#, 422, "invalid_value", "limit"),
                (#"{"vector":[1,2,3],"limit":"5"}"#, 400, "invalid_type", "limit"),
                (#"{"vector":[1,2,3],"excludeAuthor":7}"#, 400, "invalid_type", "excludeAuthor"),
                (#"{"vector":[1,2,3],"category":""}"#, 422, "invalid_value", "category"),
                (#"{"vector":[1,2,3],"algorithms":"x"}"#, 400, "invalid_type", "algorithms"),
                (#"{"vector":[1,2,3],"attributes":{"a":null}}"#, 400, "invalid_type", "attributes.a"),
                (
                    #"{"vector":[1,2,3],"attributes":{"cookingTime":"x"}}"#, 422, "invalid_value",
                    "attributes.cookingTime"
                ),
                (#"{"vector":[1,2,3],"attributes":[]}"#, 400, "invalid_type", "attributes"),
                (#"{"vector":[1,2,3],"explain":true}"#, 400, "unknown_field", "explain"),
            ] as [(String, Int, String, String)] {
                try await client.post(Self.path, body).expectProblem(status, code, field: field, body)
            }
            for cursor in ["", "x", "1", "1065353216.", "1065353216.0", "01065353216.5", "4290000000.5", "1.1.1"] {
                try await client.post(Self.path, #"{"vector":[1,2,3],"cursor":"\#(cursor)"}"#)
                    .expectProblem(400, "invalid_cursor", field: "cursor")
            }
            try await server.client().post(Self.path, #"{"vector":[1,2,3]}"#).expectProblem(401, "token_missing")
        }
    }
}
