import Database
import Foundation
import ServiceTestSupport
import SocialGraph
import TestSupport
import Testing

@testable import StrictJSON

/// `GET /v1/search/posts`, `/v1/search/users` and `/v1/search/communities`.
@Suite(.timeLimit(.process), .sharedGraphd)
struct SearchTests {
    let server: GraphdServer
    /// A word that no other test uses.
    private let word = "w" + String(UInt64.random(in: 1...UInt64.max), radix: 36).filter(\.isLetter)

    init() throws { server = try GraphdServer.shared }

    private func publish(_ client: APIClient, _ caption: String, _ members: String = #""category":null"#) async throws
        -> String
    {
        let answer = try await client.post(
            "/v1/posts", #"{"caption":"\#(caption)","mediaUrl":"https://example.org/v.mp4",\#(members)}"#)
        return try #require(answer.json["postId"]?.text, "\(answer)")
    }

    private func path(_ q: String, _ conditions: String = "") throws -> String {
        let text = try #require(q.addingPercentEncoding(withAllowedCharacters: .alphanumerics))
        return "/v1/search/posts?q=\(text)\(conditions)"
    }

    @Test func `posts are found from the acknowledgement on and as they are now`() async throws {
        // A word stands for few of the people who are named so, and the other tests' people are all named "user".
        let author = try await server.person("cook")
        let (writer, reader) = (server.client(author), server.client(try await server.person()))
        let post = try await publish(
            writer, "crème \(word)", #""title":"Soup","category":"Food","algorithmTags":["Quick meals"]"#)
        for q in [word, "\(word.uppercased()) CREME", "soup \(word)", "quick \(word)", "food \(word.prefix(9))"] {
            #expect(try await reader.page(try path(q)) == [post], "\(q)")
        }
        #expect(try await reader.page(try path("\(author.username) \(word)")) == [post])
        _ = try await writer.patch("/v1/me", #"{"displayName":"\#(word)x Walker"}"#)
        #expect(try await reader.page(try path("walker \(word)x")) == [post])
        _ = try await writer.patch("/v1/posts/\(post)", #"{"caption":"bread","title":null}"#)
        #expect(try await reader.page(try path("crème \(word)x")) == [])
        #expect(try await reader.page(try path("bread \(word)x")) == [post])
        try await writer.act("DELETE", "/v1/posts/\(post)")
        #expect(try await reader.page(try path("bread \(word)x")) == [])
    }

    @Test func `conditions and orders combine`() async throws {
        let author = try await server.person()
        let (writer, reader) = (server.client(author), server.client(try await server.person()))
        let community = try await writer.community("kitchen of \(word)")
        let quick = try await publish(
            writer, word, #""attributes":{"cuisineType":"Thai","cookingTime":10,"duration":599},"algorithmTags":["A"]"#)
        let slow = try await publish(
            writer, word, #""attributes":{"cuisineType":"thai","cookingTime":50,"duration":1800},"category":"Food""#)
        let inside = try await publish(writer, word, #""communityId":"\#(community)","algorithmTags":["B"]"#)
        _ = try await reader.put("/v1/posts/\(quick)/like")
        _ = try await reader.put("/v1/posts/\(slow)/reshare")
        let all = "&author=\(String(author.id.rawValue))"
        for (conditions, expected) in [
            ("&attributes.cuisineType=THAI", [slow, quick]), ("&attributes.cookingTime=..15", [quick]),
            ("&attributes.cookingTime=15..", [slow]), ("&duration=short", [quick]), ("&duration=medium", []),
            ("&duration=long", [slow]), ("&category=food", [slow]), ("&algorithms=a,b", [inside, quick]),
            ("&community=\(community)", [inside]), ("&since=2026-01-01T00:00:00Z", [inside, slow, quick]),
            ("&until=2026-01-01T00:00:00Z", []), ("&since=2026-01-02T00:00:00Z&until=2026-01-01T00:00:00Z", []),
            ("&sort=popularity", [slow, quick, inside]),
        ] {
            let sort = conditions.contains("sort") ? "" : "&sort=recency"
            #expect(try await reader.page(try path(word, conditions + sort)) == expected, "\(conditions)")
            let list = "/v1/search/posts?" + (all + conditions).dropFirst()
            #expect(try await reader.page(list) == expected, "\(list)")
        }
        for sort in ["relevance", "recency", "popularity"] {
            var (found, cursor): ([String], String?) = ([], nil)
            repeat {
                let next = cursor.map { "&cursor=\($0)" } ?? ""
                let page = try await reader.get(try path(word, "&limit=1&sort=\(sort)\(next)")).json
                #expect(page.names == ["items", "nextCursor", "corrected"] && page["corrected"] == .null)
                found += page.ids
                cursor = page["nextCursor"]?.text
            } while cursor != nil && found.count < 9
            #expect(found.sorted() == [quick, slow, inside].sorted(), "\(sort)")
        }
    }

    @Test func `what is hidden from the caller leaves no trace`() async throws {
        let (author, blocker, viewer) = (
            try await server.person(), try await server.person(), try await server.person()
        )
        let (writer, other, reader) = (server.client(author), server.client(blocker), server.client(viewer))
        let closed = try await publish(writer, word, #""visibility":"followers""#)
        let community = try await writer.post("/v1/communities", #"{"name":"\#(word) club","private":true}"#).json
        let club = try #require(community["communityId"]?.text)
        let inside = try await publish(writer, word, #""communityId":"\#(club)""#)
        let blocked = try await publish(other, word)
        try await other.act("PUT", "\(viewer.path)/block")
        let slip = "x" + word
        for q in [word, slip] {
            for conditions in ["", "&sort=recency", "&sort=popularity&limit=1", "&author=\(author.id.rawValue)"] {
                let answer = try await reader.get(try path(q, conditions))
                #expect(answer.text == #"{"items":[],"nextCursor":null,"corrected":null}"#, "\(conditions)")
            }
        }
        #expect(try await writer.page(try path(word, "&sort=recency")) == [blocked, inside, closed])
        #expect(try await writer.get(try path(slip)).json["corrected"]?.text == word)
        try await reader.act("PUT", "\(author.path)/follow")
        #expect(try await reader.page(try path(word)) == [closed])
        #expect(try await reader.get(try path(slip)).json["corrected"]?.text == word)
        try await reader.act("DELETE", "\(author.path)/follow")
        #expect(try await reader.page(try path(word)) == [])
    }

    @Test func `people are found by name and bio the most followed first`() async throws {
        // A name that is not the beginning of another: `user.1` finds `user.10`.
        let one = try await server.person("zoe.\(word)")
        let (two, viewer) = (try await server.person(), try await server.person())
        let (first, second, reader) = (server.client(one), server.client(two), server.client(viewer))
        _ = try await first.patch("/v1/me", #"{"displayName":"Zoë \#(word)"}"#)
        _ = try await second.patch("/v1/me", #"{"displayName":"Zoe \#(word)"}"#)
        func found(_ q: String) async throws -> [String] {
            let text = try #require(q.addingPercentEncoding(withAllowedCharacters: .alphanumerics))
            let answer = try await reader.get("/v1/search/users?q=\(text)")
            return answer.status == 200
                ? try #require(answer.json["items"]?.entries).compactMap { $0["userId"]?.text } : ["\(answer)"]
        }
        let ids = [one, two].map { String($0.id.rawValue) }
        try await reader.act("PUT", "\(two.path)/follow")
        #expect(try await found("ZOË \(word.prefix(5))") == [ids[1], ids[0]])
        #expect(try await found(one.username) == [ids[0]])
        #expect(try await found("\(word)x") == [])
        _ = try await first.patch("/v1/me", #"{"displayName":"","bio":"All of \#(word)"}"#)
        #expect(try await found(word) == [ids[1], ids[0]])
        try await second.act("PUT", "\(viewer.path)/block")
        #expect(try await found(word) == [ids[0]])
        try await reader.act("PUT", "\(one.path)/block")
        #expect(try await found(word) == [])
        try await reader.act("DELETE", "\(one.path)/block")
        #expect(try await found(word) == [ids[0]])
        try await first.act("DELETE", "/v1/me")
        #expect(try await found(word) == [])
        #expect(try await found("🔥") == [])
    }

    @Test func `communities are found by name`() async throws {
        let client = server.client(try await server.person())
        let ids = [try await client.community("Run \(word)"), try await client.community("\(word) soup")]
        let path = "/v1/search/communities?q=\(word)"
        func found(_ path: String) async throws -> [String?] {
            try #require(try await client.get(path).json["items"]?.entries).map { $0["communityId"]?.text }
        }
        #expect(try await found(path) == ids.reversed())
        #expect(try await found(path + "%20ru") == [ids[0]])
        let first = try await client.get(path + "&limit=1").json
        let cursor = try #require(first["nextCursor"]?.text)
        #expect(try await found("\(path)&cursor=\(cursor)") == [ids[0]])
    }

    @Test(arguments: [
        ("posts?q=", "invalid_parameter", "q"),
        ("posts?q=\(String(repeating: "x", count: 201))", "invalid_parameter", "q"),
        ("posts?sort=relevance", "invalid_parameter", "sort"), ("posts?sort=rank", "invalid_parameter", "sort"),
        ("posts?duration=5", "invalid_parameter", "duration"), ("posts?author=ann", "invalid_parameter", "author"),
        ("posts?community=0", "invalid_parameter", "community"), ("posts?since=today", "invalid_parameter", "since"),
        ("posts?until=1969-01-01T00:00:00Z", "invalid_parameter", "until"),
        ("posts?cursor=x", "invalid_cursor", "cursor"),
        ("posts?q=a&cursor=5", "invalid_cursor", "cursor"), ("posts?limit=0", "invalid_limit", "limit"),
        ("posts?words=a", "unknown_parameter", "words"), ("users", "invalid_parameter", "q"),
        ("users?q=a&cursor=5", "unknown_parameter", "cursor"), ("communities", "invalid_parameter", "q"),
        ("communities?q=a&sort=recency", "unknown_parameter", "sort"),
    ])
    func `what is no search is refused`(_ query: String, code: String, field: String) async throws {
        let client = server.client(try await server.person())
        try await client.get("/v1/search/\(query)").expectProblem(400, code, field: field, query)
    }

    @Test func `a ranking that is not kept any more is gone`() async throws {
        let client = server.client(try await server.person())
        try await client.get(try path(word, "&cursor=1.1")).expectProblem(410, "cursor_expired")
    }

    @Test(arguments: [
        "\"", "(", "a*", "NOT x", "NEAR(a b)", "caption:a", "🔥", "^a", "a\" OR \"b", "-- ; DROP TABLE post",
    ])
    func `nothing in a query is an operator`(_ q: String) async throws {
        let client = server.client(try await server.person())
        for sort in ["relevance", "recency", "popularity"] {
            #expect(try await client.get(try path(q, "&sort=\(sort)")).status == 200)
        }
    }
}
