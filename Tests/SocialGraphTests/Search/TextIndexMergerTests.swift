import Database
import TestSupport
import Testing
import Text

@testable import Discovery
@testable import SocialGraph

@Suite(.timeLimit(.unit))
struct TextIndexMergerTests {
    private static let segments = "SELECT COUNT(DISTINCT segid) FROM post_text_idx"

    @Test
    func `posts that come one by one leave an index of few segments, in which each is found`() async throws {
        try await withSQLiteGraph { fixture in
            let ann = try await fixture.user("ann")
            var posts: [PostID] = []
            for number in 0..<600 {
                posts.append(try await fixture.post(ann, "alike word\(number) third\(number % 3)"))
                if number % 50 == 49 {
                    let segments = try await fixture.integer(Self.segments)
                    #expect(segments ?? 0 <= 24)
                }
            }
            let found = try await fixture.graph.search.newestPosts(
                having: SearchWords("alike"), PostFilter(), below: nil, limit: 1_000)
            #expect(found.posts == posts.reversed())
            for number in [0, 299, 599] {
                let found = try await fixture.graph.search.newestPosts(
                    having: SearchWords("word\(number)"), PostFilter(), below: nil, limit: 9)
                #expect(found.posts == [posts[number]])
            }
            try await fixture.checkTextIndex("post_text")
        }
    }

    @Test
    func `a commit that would have to merge hundreds of pages does not`() async throws {
        try await withSQLiteGraph { fixture in
            let automerge = try await fixture.integer("SELECT v FROM post_text_config WHERE k = 'automerge'")
            #expect(automerge == 0, "FTS5 would merge within commits")
        }
    }

    @Test
    func `groups of posts, changed and deleted ones among them, are merged as well`() async throws {
        try await withSQLiteGraph { fixture in
            let ann = try await fixture.user("ann")
            var alive: [PostID] = []
            for round in 0..<40 {
                let posts = try await fixture.database.write { transaction in
                    try (0..<64).map { number in
                        try PostStore.Writer(transaction).insert(.sample(ann, "alike round\(round) n\(number)")).id
                    }
                }
                try await fixture.graph.posts.deletePost(posts[round], by: ann)
                alive += posts.filter { $0 != posts[round] }
            }
            let segments = try await fixture.integer(Self.segments)
            #expect(segments ?? 0 <= 48)
            let found = try await fixture.graph.search.newestPosts(
                having: SearchWords("alike"), PostFilter(), below: nil, limit: 10_000)
            #expect(found.posts == alive.reversed())
            try await fixture.checkTextIndex("post_text")
        }
    }

    @Test
    func `a full disk stops merges and no post that still fits`() async throws {
        try await withSQLiteGraph { fixture in
            let ann = try await fixture.user("ann")
            for number in 0..<200 { try await fixture.post(ann, "alike word\(number)") }
            try await fixture.limitPages(extra: 3)
            var stored = 200
            for number in 0..<200 {
                do { try await fixture.post(ann, "alike more\(number)") } catch { break }
                stored += 1
            }
            #expect(stored < 400)
            try await fixture.limitPages(extra: 10_000)
            for number in 0..<100 { try await fixture.post(ann, "alike last\(number)") }
            let found = try await fixture.graph.search.newestPosts(
                having: SearchWords("alike"), PostFilter(), below: nil, limit: 1_000)
            #expect(found.posts.count == stored + 100)
            try await fixture.checkTextIndex("post_text")
        }
    }
}
