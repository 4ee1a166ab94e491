import Database
import ServiceTestSupport
import SocialGraph
import TestSupport
import Testing

@testable import StrictJSON

/// `GET /v1/timelines/for-you` and `POST /v1/posts/{id}/watch`. Most tests start a server of their own, because
/// recommendations depend on all posts.
@Suite(.timeLimit(.process))
struct ForYouTests {
    private static let path = "/v1/timelines/for-you"

    private func publish(_ client: APIClient, _ members: String = #""category":null"#) async throws -> String {
        try #require(try await client.publish(with: members)["postId"]?.text)
    }

    private func scores(_ page: JSONValue) -> [Double] {
        page["items"]?.entries?.compactMap { item in
            switch item["score"] {
            case .double(let score)?: score
            case .integer(let score)?: Double(score)
            default: nil
            }
        } ?? []
    }

    @Test func `a new user is recommended public posts with scores and reasons`() async throws {
        try await GraphdServer.running { server in
            let reader = server.client(try await server.person())
            #expect(try await reader.get(Self.path).json["items"] == .array([]))
            let writer = server.client(try await server.person())
            let posts = [try await publish(writer), try await publish(writer)]
            _ = try await publish(writer, #""visibility":"followers""#)
            let other = server.client(try await server.person())
            let page = try await other.get(Self.path + "?explain=true").json
            #expect(Set(page["items"]?.entries?.compactMap { $0["postId"]?.text } ?? []) == Set(posts))
            #expect(page["nextCursor"] == .null)
            let scores = scores(page)
            #expect(scores.count == 2 && scores.allSatisfy { (0...1).contains($0) } && scores[0] >= scores[1])
            let reason = try #require(page["items"]?.entries?.first?["reasons"]?.entries?.first)
            #expect(reason.names == ["type", "text"] && reason["type"]?.text == "new")
            #expect(try await other.get(Self.path).json["items"]?.entries?.first?["reasons"] == nil)
            #expect(try await writer.page(Self.path) == [])
        }
    }

    @Test func `the next list reflects what one has done`() async throws {
        try await GraphdServer.running { server in
            let (writer, other) = (server.client(try await server.person()), server.client(try await server.person()))
            let reader = server.client(try await server.person())
            let runs = [
                try await publish(writer, #""category":"Run""#), try await publish(other, #""category":"Run""#),
            ]
            var yoga: [String] = []
            for _ in 0..<4 { yoga.append(try await publish(server.client(server.person()), #""category":"Yoga""#)) }
            #expect(try await reader.page(Self.path).first == yoga.last)
            #expect(try await reader.put("/v1/posts/\(runs[0])/save").status == 200)
            let page = try await reader.get(Self.path + "?explain=true").json
            let first = try #require(page["items"]?.entries?.first)
            #expect(first["postId"]?.text == runs[1])
            let reason = try #require(first["reasons"]?.entries?.first)
            #expect(reason["type"]?.text == "saved" && reason["postId"]?.text == runs[0])
            #expect(reason.names == ["type", "postId", "text"])
            // A post that was watched to its end, or half of it, is not shown again.
            let watch = try await reader.post("/v1/posts/\(runs[1])/watch", #"{"seconds":12.5,"completed":true}"#)
            #expect(watch.status == 204 && watch.body.isEmpty)
            #expect(try await Set(reader.page(Self.path)) == Set(yoga))
        }
    }

    @Test func `pages are of one list without what was hidden meanwhile`() async throws {
        try await GraphdServer.running { server in
            let reader = server.client(try await server.person())
            var (posts, writers): ([String], [Person]) = ([], [])
            for _ in 0..<7 {
                writers.append(try await server.person())
                posts.append(try await publish(server.client(writers[writers.count - 1])))
            }
            let whole = try await reader.page(Self.path)
            #expect(Set(whole) == Set(posts))
            let first = try await reader.get(Self.path + "?limit=3").json
            let cursor = try #require(first["nextCursor"]?.text)
            let hidden = try #require(posts.firstIndex(of: whole[4]))
            try await reader.act("PUT", "\(writers[hidden].path)/block")
            let rest = try await reader.get(Self.path + "?limit=9&cursor=\(cursor)").json
            #expect(rest["items"]?.entries?.compactMap { $0["postId"]?.text } == [whole[3]] + whole[5...])
            #expect(scores(first) + scores(rest) == (scores(first) + scores(rest)).sorted(by: >))
            let other = server.client(writers[0])
            try await other.get(Self.path + "?cursor=\(cursor)").expectProblem(400, "invalid_cursor", field: "cursor")
            try await reader.get(Self.path + "?cursor=7.1").expectProblem(410, "cursor_expired")
            try await reader.get(Self.path + "?cursor=x").expectProblem(400, "invalid_cursor", field: "cursor")
        }
    }

    @Test func `filters hold`() async throws {
        try await GraphdServer.running { server in
            let (writer, reader) = (server.client(try await server.person()), server.client(try await server.person()))
            let quick = try await publish(
                writer, #""category":"Food","attributes":{"cookingTime":10,"cuisineType":"Thai"}"#)
            let slow = try await publish(writer, #""category":"Food","attributes":{"cookingTime":50}"#)
            let tagged = try await publish(writer, #""algorithmTags":["Soup"]"#)
            func list(_ query: String) async throws -> Set<String> {
                Set(try await reader.page(Self.path + "?" + query))
            }
            #expect(try await list("category=food") == [quick, slow])
            #expect(try await list("attributes.cookingTime=..15") == [quick])
            #expect(try await list("attributes.cuisineType=thai") == [quick])
            #expect(try await list("algorithms=soup") == [tagged])
            for name in ["category", "algorithms"] { #expect(try await list("\(name)=nothing") == []) }
            try await reader.get(Self.path + "?window=1h").expectProblem(400, "unknown_parameter", field: "window")
        }
    }

    @Test func `watching asks for seconds and a post that one may see`() async throws {
        try await GraphdServer.running { server in
            let (writer, reader) = (server.client(try await server.person()), server.client(try await server.person()))
            let (post, closed) = (try await publish(writer), try await publish(writer, #""visibility":"followers""#))
            func watch(_ body: String, _ post: String = post) async throws -> Answer {
                try await reader.post("/v1/posts/\(post)/watch", body)
            }
            try await watch("{}").expectProblem(400, "missing_field", field: "seconds")
            try await watch(#"{"seconds":"1"}"#).expectProblem(400, "invalid_type", field: "seconds")
            for seconds in ["-1", "86401", "-0.5", "1e9"] {
                try await watch(#"{"seconds":\#(seconds)}"#).expectProblem(422, "invalid_value", field: "seconds")
            }
            try await watch(#"{"seconds":1,"completed":1}"#).expectProblem(400, "invalid_type", field: "completed")
            try await watch(#"{"seconds":1,"at":2}"#).expectProblem(400, "unknown_field", field: "at")
            try await watch(#"{"seconds":1}"#, closed).expectProblem(404, "post_not_found")
            for seconds in ["7", "86400", "0.25"] {
                #expect(try await watch(#"{"seconds":\#(seconds)}"#).status == 204)
            }
            let watches = try await reader.get("/v1/me/export").json["watches"]?.entries
            #expect(watches?.count == 1 && watches?.first?.names == ["postId", "seconds", "completed", "watchedAt"])
            #expect(watches?.first?["seconds"] == .integer(86_400) && watches?.first?["completed"] == .bool(false))
        }
    }

    @Test func `what others liked together is found in the background`() async throws {
        try await GraphdServer.prepared { server in
            let graph = server.graph
            var posts: [PostID] = []
            for _ in 0..<3 {
                let author = try await server.person()
                posts.append(
                    try await graph.posts.publish(
                        NewPost(author: author.id, caption: "c", mediaURL: "https://example.org/1")
                    ).id)
            }
            for _ in 0..<30 {
                let (one, other) = (try await server.person(), try await server.person())
                for post in posts[..<2] { try await graph.likes.like(post, by: one.id) }
                try await graph.likes.like(posts[2], by: other.id)
            }
            let person = try await server.person()
            try await graph.likes.like(posts[0], by: person.id)
            try await server.start()
            let reader = server.client(person)
            var reason: JSONValue?
            while reason?["type"]?.text != "liked" {
                // Not for synchronisation: the pause between two polls.
                try await Task.sleep(for: .milliseconds(50))
                let first = try await reader.get(Self.path + "?explain=true").json["items"]?.entries?.first
                #expect(first != nil)
                if first?["postId"]?.text == String(posts[1].rawValue) { reason = first?["reasons"]?.entries?.first }
            }
            #expect(reason?["postId"]?.text == String(posts[0].rawValue))
        }
    }
}
