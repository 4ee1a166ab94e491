import Database
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

    /// Names that no other test uses, because the public timeline shows everybody's posts.
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
