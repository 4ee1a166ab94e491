import Database
import Glibc
import Importing
import ServiceTestSupport
import SocialGraph
import TestSupport
import Testing

@testable import StrictJSON

/// Filtered pages down to the end, with Redis lost in between.
@Suite(.serialized, .timeLimit(.process))
struct FilteredPagingTests {
    /// Kills the private Redis and returns once the server has noticed. Who polls the state may miss that, because the
    /// next redis-server is soon there; the log keeps it.
    private func killRedis(of server: GraphdServer) async throws {
        let pid = try await server.redisProcessID()
        _ = Glibc.kill(pid, SIGKILL)
        try await server.waitUntil {
            server.logLines.contains {
                $0.contains("redis-server ended unexpectedly") && $0.contains("\"redis.pid\":\"\(pid)\"")
            }
        }
    }

    @Test func `pages under a filter end exactly where the matches end with or without Redis`() async throws {
        try await GraphdServer.running(["--window-cap", "16"]) { server in
            let (author, reader) = (try await server.person(), try await server.person())
            let client = server.client(reader)
            try await client.act("PUT", "\(author.path)/follow")
            // One post in 3 carries one tag, one in 97 the other.
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
                            try await killRedis(of: server)
                        }
                    } while cursor != nil
                    #expect(seen == expected, "\(query) by \(limit)")
                    let least = max(1, (expected.count + limit - 1) / limit)
                    #expect(pages == least, "\(query) by \(limit): \(pages) pages")
                }
                try await server.waitForJobs()
            }
            // Reads again from the filtered windows that the walk has built. They contain a new post.
            let fresh = try await server.client(author).publish(
                with: #""category":"FIFTH","algorithmTags":["Rare","Third"]"#)["postId"]?.text
            try await server.waitForJobs()
            for (query, expected) in questions {
                #expect(
                    try await client.page("/v1/timelines/home?limit=100&\(query)")
                        == Array(([try #require(fresh)] + expected).prefix(100)), "\(query)")
            }
        }
    }
}
