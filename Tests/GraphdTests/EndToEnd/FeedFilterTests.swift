import Database
import Glibc
import Importing
import ServiceTestSupport
import SocialGraph
import TestSupport
import Testing

@testable import StrictJSON

/// `category` and `algorithms` on the home, public and community timelines.
@Suite(.timeLimit(.process), .sharedGraphd)
struct FeedFilterTests {
    let server: GraphdServer

    init() throws { server = try GraphdServer.shared }

    /// Names that no other test uses: the public timeline is everybody's.
    private func names(_ count: Int) async throws -> [String] {
        let number = try await server.person().idText
        return (0..<count).map { "Tag\($0).\(number)" }
    }

    private func publish(
        _ client: APIClient, category: String? = nil, _ tags: [String] = [], _ more: String = ""
    ) async throws -> String {
        let tags = tags.map { "\"\($0)\"" }.joined(separator: ",")
        let category = category.map { "\"\($0)\"" } ?? "null"
        let members = #""category":\#(category),"algorithmTags":[\#(tags)]\#(more)"#
        return try #require(try await client.publish(with: members)["postId"]?.text)
    }

    @Test func `a filter shows exactly what matches on every timeline`() async throws {
        let client = server.client(try await server.person())
        let names = try await names(4)
        let community = try await client.community("Filters \(names[0])")
        let inside = #","communityId":"\#(community)""#
        let a = try await publish(client, category: names[3], [names[0]], inside)
        let b = try await publish(client, category: names[3], [names[1], names[2]], inside)
        let c = try await publish(client, [names[0], names[1]], inside)
        let d = try await publish(client, category: names[0], [], inside)
        for path in ["/v1/timelines/home", "/v1/timelines/public", "/v1/communities/\(community)/timeline"] {
            for (query, expected) in [
                ("category=\(names[3])", [b, a]), ("category=\(names[3].uppercased())", [b, a]),
                ("algorithms=\(names[0])", [c, a]), ("algorithms=\(names[0].lowercased()),\(names[2])", [c, b, a]),
                ("algorithms=\(names[1])&category=\(names[3])", [b]), ("category=\(names[0])", [d]),
                ("algorithms=\(names[3])", []), ("category=\(names[1])", []), ("algorithms=no.such.tag.\(a)", []),
                ("category=no.such.category.\(a)", []), ("algorithms=\(names[0]),\(names[0])", [c, a]),
                ("category=\(names[3])&algorithms=no.such.tag.\(a)", []),
            ] {
                #expect(try await client.page("\(path)?\(query)") == expected, "\(path)?\(query)")
                let paged = try await page(client, path, query, limit: 1)
                #expect(paged == expected, "\(path)?\(query), page by page")
            }
        }
        #expect(try await client.page("/v1/timelines/home") == [d, c, b, a])
    }

    private func page(_ client: APIClient, _ path: String, _ query: String, limit: Int) async throws -> [String] {
        var (ids, cursor): ([String], String?) = ([], nil)
        repeat {
            let answer = try await client.get(
                "\(path)?limit=\(limit)&\(query)" + (cursor.map { "&cursor=\($0)" } ?? ""))
            guard answer.status == 200 else { throw UnexpectedAnswer(answer) }
            let page = try answer.json
            cursor = page["nextCursor"]?.text
            guard page.ids.count == limit || cursor == nil, page.ids.count <= limit else {
                throw UnexpectedAnswer(answer)
            }
            ids += page.ids
        } while cursor != nil
        return ids
    }

    @Test func `selected algorithms are in force with the next request`() async throws {
        let client = server.client(try await server.person())
        let names = try await names(3)
        var posts: [String] = []
        for name in names { posts.append(try await publish(client, [name])) }
        for path in ["/v1/timelines/home", "/v1/timelines/public"] {
            let selected = "\(path)?algorithms=selected"
            for chosen in [[0], [1, 2], [0, 2], [], [2]] {
                let list = chosen.map { "\"\(names[$0].uppercased())\"" }.joined(separator: ",")
                #expect(try await client.patch("/v1/me", #"{"selectedAlgorithms":[\#(list)]}"#).status == 200)
                #expect(try await client.page(selected) == chosen.reversed().map { posts[$0] }, "\(chosen)")
                let why = try await client.get("/v1/timelines/home/why/\(posts[0])?algorithms=selected").json
                #expect(why["visible"] == .bool(chosen.contains(0)))
            }
        }
    }

    @Test(arguments: [
        ("explain=maybe", "invalid_parameter", "explain"), ("explain=", "invalid_parameter", "explain"),
        ("explain=TRUE", "invalid_parameter", "explain"), ("explain=1", "invalid_parameter", "explain"),
        ("explain=true&explain=true", "repeated_parameter", "explain"),
        ("algorithms=", "invalid_parameter", "algorithms"),
        ("algorithms=,", "invalid_parameter", "algorithms"), ("algorithms=a,,b", "invalid_parameter", "algorithms"),
        ("algorithms=a,", "invalid_parameter", "algorithms"),
        ("algorithms=a&algorithms=b", "repeated_parameter", "algorithms"),
        ("category=", "invalid_parameter", "category"), ("category=%00", "invalid_parameter", nil),
        ("category=%FF", "invalid_parameter", nil), ("categories=a", "unknown_parameter", "categories"),
        ("limit=0&category=a", "invalid_limit", "limit"), ("cursor=x&algorithms=a", "invalid_cursor", "cursor"),
        ("algorithms=" + Array(repeating: "t", count: 51).joined(separator: ","), "invalid_parameter", "algorithms"),
        ("algorithms=" + String(repeating: "t", count: 65), "invalid_parameter", "algorithms"),
        ("category=" + String(repeating: "%C3%A9", count: 65), "invalid_parameter", "category"),
    ])
    func `a bad question is refused`(_ query: String, _ code: String, _ field: String?) async throws {
        let client = server.client(try await server.person())
        let community = try await client.community("Bad \(try await names(1)[0])")
        for path in ["/v1/timelines/home", "/v1/timelines/public", "/v1/communities/\(community)/timeline"] {
            let answer = try await client.get("\(path)?\(query)")
            #expect(answer.status == 400, "\(path)?\(query): \(answer)")
            #expect(try answer.json["code"] == .string(code), "\(path)?\(query): \(answer)")
            if let field { #expect(try answer.json["field"] == .string(field), "\(path)?\(query): \(answer)") }
        }
    }

    @Test func `the longest question is answered`() async throws {
        let client = server.client(try await server.person())
        let names = try await names(50)
        let first = try await publish(client, [names[0]])
        let last = try await publish(client, [names[49]])
        let query = "algorithms=\(names.joined(separator: ","))"
        #expect(try await client.page("/v1/timelines/home?\(query)") == [last, first])
        let long = String(repeating: "é", count: 64)
        let escaped = String(repeating: "%C3%A9", count: 64)
        let post = try await publish(client, category: long, [long])
        #expect(try await client.page("/v1/timelines/home?category=\(escaped)&algorithms=\(escaped)") == [post])
    }

    @Test(arguments: [1, 9_007_199_254_740_991])
    func `a cursor of another timeline is a place in this one`(_ end: Int64) async throws {
        let client = server.client(try await server.person())
        let name = try await names(1)[0]
        let post = try await publish(client, category: name, [name])
        for path in ["/v1/timelines/home", "/v1/timelines/public"] {
            let found = try await client.page("\(path)?category=\(name)&cursor=\(end)")
            #expect(found == (end == 1 ? [] : [post]))
        }
    }
}

/// Filtered pages to the true end, with Redis gone in between.
@Suite(.serialized, .timeLimit(.process))
struct FilteredPagingTests {
    @Test func `pages under a filter end exactly where the matches end with or without Redis`() async throws {
        try await GraphdServer.running(["--window-cap", "16"]) { server in
            let (author, reader) = (try await server.person(), try await server.person())
            let client = server.client(reader)
            try await client.act("PUT", "\(author.path)/follow")
            // 1 in 3 carries the one tag, 1 in 97 the other.
            let posts = (0..<600).map { number in
                NewPost(
                    author: author.id, caption: "\(number)", mediaURL: "https://example.org/v",
                    category: number.isMultiple(of: 5) ? "Fifth" : nil,
                    algorithmTags: (number.isMultiple(of: 3) ? ["third"] : [])
                        + (number.isMultiple(of: 97) ? ["rare"] : []))
            }
            let ids = try await server.graph.bulkPosts.publish(batch: posts).map { String($0.rawValue) }
            func expected(_ matches: (Int) -> Bool) -> [String] {
                ids.indices.filter(matches).reversed().map { ids[$0] }
            }
            let questions: [(String, [String])] = [
                ("algorithms=THIRD", expected { $0.isMultiple(of: 3) }),
                ("algorithms=rare", expected { $0.isMultiple(of: 97) }),
                ("algorithms=rare,third", expected { $0.isMultiple(of: 97) || $0.isMultiple(of: 3) }),
                ("category=fifth", expected { $0.isMultiple(of: 5) }),
                ("category=fifth&algorithms=rare", expected { $0.isMultiple(of: 5) && $0.isMultiple(of: 97) }),
            ]
            for limit in [1, 3, 7, 40, 100] {
                for (index, (query, expected)) in questions.enumerated() {
                    var (seen, cursor): ([String], String?) = ([], nil)
                    var pages = 0
                    repeat {
                        let page = try await client.get(
                            "/v1/timelines/home?limit=\(limit)&\(query)" + (cursor.map { "&cursor=\($0)" } ?? "")
                        ).json
                        seen += page.ids
                        cursor = page["nextCursor"]?.text
                        pages += 1
                        if pages == 2, index == limit % questions.count, limit > 1 {
                            _ = Glibc.kill(try await server.redisProcessID(), SIGKILL)
                            try await server.waitUntilReady { $0["redis"]?.text == "down" }
                        }
                    } while cursor != nil
                    #expect(seen == expected, "\(query) by \(limit)")
                    let least = max(1, (expected.count + limit - 1) / limit)
                    #expect(pages == least, "\(query) by \(limit): \(pages) pages")
                }
                try await server.settle()
            }
            // The filters' windows that were built on the way are looked at once more, and a new post is in them.
            let fresh = try await server.client(author).publish(
                with: #""category":"FIFTH","algorithmTags":["Rare","Third"]"#)["postId"]?.text
            try await server.settle()
            for (query, expected) in questions {
                #expect(
                    try await client.page("/v1/timelines/home?limit=100&\(query)")
                        == Array(([try #require(fresh)] + expected).prefix(100)), "\(query)")
            }
        }
    }
}
