import ServiceTestSupport
import SocialGraph
import TestSupport
import Testing

/// `PUT`, `GET` and `DELETE /v1/posts/{id}/embedding`.
@Suite(.timeLimit(.process), .sharedGraphd("--embedding-dimension", "3"))
struct EmbeddingTests {
    let server: GraphdServer

    init() throws { server = try GraphdServer.shared }

    @Test func `of what is sent the direction is kept`() async throws {
        let author = server.client(try await server.person())
        let path = "/v1/posts/\(try await author.publish())/embedding"
        try await author.get(path).expectProblem(404, "embedding_not_found")
        #expect(try await author.put(path, #"{"vector":[3,4,0]}"#).status == 204)
        let kept = try await author.get(path)
        #expect(kept.status == 200 && kept.text.hasSuffix(#","vector":[0.6,0.8,0]}"#), "\(kept)")
        #expect(try await author.put(path, #"{"vector":[0,-2e-3,0.0]}"#).status == 204)
        #expect(try await author.get(path).text.hasSuffix(#","vector":[0,-1,0]}"#))
        try await author.act("DELETE", path, times: 2)
        try await author.get(path).expectProblem(404, "embedding_not_found")
    }

    @Test(arguments: [
        ("{}", 400, "missing_field"), (#"{"vector":null}"#, 400, "missing_field"),
        (#"{"vector":"x"}"#, 400, "invalid_type"), (#"{"vector":[1,"2",3]}"#, 400, "invalid_type"),
        (#"{"vector":[1,null,3]}"#, 400, "invalid_type"), (#"{"vector":[[1],2,3]}"#, 400, "invalid_type"),
        (#"{"vector":[]}"#, 422, "invalid_value"), (#"{"vector":[0,0.0,-0]}"#, 422, "invalid_value"),
        (#"{"vector":[1,1000001,0]}"#, 422, "invalid_value"), (#"{"vector":[1,-1e7,0]}"#, 422, "invalid_value"),
    ])
    func `a malformed vector is refused`(body: String, status: Int, code: String) async throws {
        let author = server.client(try await server.person())
        let path = "/v1/posts/\(try await author.publish())/embedding"
        try await author.put(path, body).expectProblem(status, code, field: "vector", body)
        try await author.get(path).expectProblem(404, "embedding_not_found")
    }

    @Test func `a vector that is too long or no number is refused`() async throws {
        let author = server.client(try await server.person())
        let path = "/v1/posts/\(try await author.publish())/embedding"
        let long = Array(repeating: "1", count: 4_097).joined(separator: ",")
        try await author.put(path, "{\"vector\":[\(long)]}").expectProblem(422, "too_many", field: "vector")
        try await author.put(path, #"{"vector":[1e400]}"#).expectProblem(400, "invalid_json")
        try await author.put(path, #"{"vector":[NaN]}"#).expectProblem(400, "invalid_json")
        try await author.put(path, #"{"vector":[1,2,3],"x":1}"#).expectProblem(400, "unknown_field", field: "x")
        try await author.put(path + "?x=1", #"{"vector":[1,2,3]}"#).expectProblem(400, "unknown_parameter", field: "x")
        #expect(try await author.put(path, #"{"vector":[1,2,3]}"#).status == 204)
        try await author.put(path, #"{"vector":[1,2]}"#).expectProblem(400, "dimension_mismatch", field: "vector")
    }

    @Test func `without a setting nobody fixes the dimension`() async throws {
        try await GraphdServer.prepared { server in
            try await server.start()
            let author = try await server.person()
            let path = "/v1/posts/\(try await server.client(author).publish())/embedding"
            for vector in ["[1]", "[1,2,3]"] {
                try await server.client(author).put(path, "{\"vector\":\(vector)}")
                    .expectProblem(409, "embedding_dimension_unset")
            }
            _ = await server.stop()
            try await server.start(["--embedding-dimension", "3"])
            #expect(try await server.client(author).put(path, #"{"vector":[1,2,3]}"#).status == 204)
            let refused = try await server.client(author).put(path, #"{"vector":[1]}"#)
            try refused.expectProblem(400, "dimension_mismatch", field: "vector")
            #expect(refused.text.contains("Expected 3 dimensions, got 1."))
            try await server.client(author).act("DELETE", path)
            _ = await server.stop()
            // The directory keeps the dimension it was given, even when no embedding is stored.
            try await server.start()
            #expect(try await server.client(author).put(path, #"{"vector":[3,2,1]}"#).status == 204)
        }
    }

    @Test func `only authors have to do with it`() async throws {
        let (author, other) = (server.client(try await server.person()), server.client(try await server.person()))
        let open = "/v1/posts/\(try await author.publish())/embedding"
        let hidden = try #require(try await author.publish(with: #""visibility":"followers""#)["postId"]?.text)
        for (path, status, code) in [
            (open, 403, "not_author"), ("/v1/posts/\(hidden)/embedding", 404, "post_not_found"),
        ] {
            try await other.put(path, #"{"vector":[1,2,3]}"#).expectProblem(status, code)
            try await other.get(path).expectProblem(status, code)
            try await other.delete(path).expectProblem(status, code)
        }
        for id in noIDs {
            try await author.put("/v1/posts/\(id)/embedding", #"{"vector":[1,2,3]}"#)
                .expectProblem(404, "post_not_found")
        }
    }

    @Test func `the export has the embeddings`() async throws {
        let author = server.client(try await server.person())
        var posts: [String] = []
        for number in 1...30 {
            let post = try await author.publish()
            #expect(try await author.put("/v1/posts/\(post)/embedding", "{\"vector\":[\(number),1,0]}").status == 204)
            posts.append(post)
        }
        let export = try await author.get("/v1/me/export").json
        let embeddings = try #require(export["embeddings"]?.entries)
        #expect(embeddings.map { $0["postId"]?.text } == posts.reversed())
        #expect(embeddings.allSatisfy { $0["vector"]?.entries?.count == 3 })
    }
}
