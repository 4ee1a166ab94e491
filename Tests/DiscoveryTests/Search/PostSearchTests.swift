import Database
import Discovery
import SocialGraph
import TestSupport
import Testing
import Text

@testable import Discovery

@Suite(.timeLimit(.unit))
struct PostSearchTests {
    /// Posts by Ann, and searches over them.
    private struct Shelf {
        let fixture: DiscoveryFixture
        let search: PostSearch
        let ann: UserID
        var hidden: Set<PostID> = []

        init(_ fixture: DiscoveryFixture) async throws {
            self.fixture = fixture
            search = PostSearch(graph: fixture.graph, rankings: fixture.rankings)
            ann = try await fixture.user()
        }

        func post(_ caption: String, title: String? = nil) async throws -> PostID {
            try await fixture.graph.posts.publish(
                NewPost(author: ann, caption: caption, mediaURL: "https://example.org/1", title: title)
            ).id
        }

        func page(
            _ words: String, _ sort: PostSort = .relevance, cursor: SearchCursor? = nil, limit: Int = 20
        ) async throws -> SearchPage<PostID>? {
            let concealed = hidden
            return try await search.page(
                PostQuery(words: words, sort: sort), for: ann, cursor: cursor, limit: limit
            ) { ids in ids.map { concealed.contains($0) ? nil : $0 } }
        }

        func find(_ words: String, _ sort: PostSort = .relevance) async throws -> [PostID] {
            try #require(try await page(words, sort)).items
        }

        func rankings() async throws -> Int64? {
            try await fixture.integers("SELECT COUNT(*) FROM ranking").first
        }
    }

    @Test
    func `a word in the title is worth more than one in the caption, and rare words more than common ones`()
        async throws
    {
        try await withDiscovery { fixture in
            let shelf = try await Shelf(fixture)
            let said = try await shelf.post("soup of the day")
            let named = try await shelf.post("of the day", title: "Soup")
            for _ in 0..<5 { _ = try await shelf.post("bread of the day") }
            let bread = try await shelf.post("bread")
            #expect(try await shelf.find("soup") == [named, said])
            #expect(try await shelf.find("bread").first == bread, "the shorter text says more of it")
            // Among equal matches, the newer post comes first.
            let later = try await shelf.post("soup of the day")
            #expect(try await shelf.find("soup") == [named, later, said])
        }
    }

    @Test(
        arguments: [
            ("sqat", "squat"), ("sqaut", "squat"), ("squatt", "squat"), ("squar", "squat"), ("crème brulee", nil),
            ("brulle", "brulee"), ("warmup brulle", nil), ("soup brulle", "soup brulee"), ("Привит", "привет"),
            ("ann", nil), ("anna", "ann"), ("marioon", "marion"), ("sqt", nil), ("squ", nil), ("xyzzy", nil),
        ] as [(String, String?)])
    func `a slip of one letter is found where nothing else is`(words: String, corrected: String?) async throws {
        try await withDiscovery { fixture in
            let shelf = try await Shelf(fixture)
            var change = ProfileChange()
            change.displayName = "Marion"
            try await fixture.graph.accounts.changeProfile(of: shelf.ann, change)
            for text in ["squat", "Soup of crème brûlée", "Привет"] { _ = try await shelf.post(text) }
            let page = try #require(try await shelf.page(words))
            #expect(page.corrected == corrected)
            let isFound = corrected != nil || ["crème brulee", "ann", "squ"].contains(words)
            #expect(page.items.isEmpty == !isFound)
        }
    }

    @Test
    func `hidden posts change neither what is found nor what is suggested`() async throws {
        try await withDiscovery { fixture in
            var shelf = try await Shelf(fixture)
            let secret = try await shelf.post("secret plan")
            shelf.hidden = [secret]
            for sort in PostSort.allCases {
                for words in ["secret", "secrte", "plam"] {
                    let page = try #require(try await shelf.page(words, sort))
                    #expect(page.items.isEmpty && page.next == nil && page.corrected == nil, "\(words)")
                }
            }
            // A word that occurs in hidden posts only does not prevent a correction …
            let shown = try await shelf.post("sacred plant")
            #expect(try await shelf.page("secred")?.corrected == "sacred")
            #expect(try await shelf.find("secred") == [shown])
            // … and does not count among two candidates one letter away.
            shelf.hidden.insert(try await shelf.post("sacret sacret"))
            shelf.hidden.insert(try await shelf.post("sacret"))
            #expect(try await shelf.page("sacret")?.corrected == "sacred")
            // A cursor counts the posts that were shown.
            for _ in 0..<3 { shelf.hidden.insert(try await shelf.post("run")) }
            for _ in 0..<2 { _ = try await shelf.post("run run") }
            let next = try #require(try await shelf.page("run", .popularity, limit: 1)?.next)
            #expect(next.text.hasSuffix(".1"))
        }
    }

    @Test
    func `a ranking is stored where there is a second page, and its cursor belongs to its search`() async throws {
        try await withDiscovery { fixture in
            var shelf = try await Shelf(fixture)
            var posts: [PostID] = []
            for _ in 0..<5 { posts.insert(try await shelf.post("run"), at: 0) }
            #expect(try await shelf.find("run") == posts)
            #expect(try await shelf.rankings() == 0)
            let first = try #require(try await shelf.page("run", limit: 2))
            #expect(first.items == Array(posts.prefix(2)))
            #expect(try await shelf.rankings() == 1)
            let cursor = try #require(first.next)
            // Later posts are not in the list, and posts hidden since are left out.
            _ = try await shelf.post("run")
            shelf.hidden = [posts[2]]
            let second = try #require(try await shelf.page("run", cursor: cursor, limit: 2))
            #expect(second.items == Array(posts.suffix(2)) && second.next == nil)
            for (words, sort) in [("runs", PostSort.relevance), ("run", .popularity), ("run", .recency)] {
                #expect(try await shelf.page(words, sort, cursor: cursor) == nil, "\(words) \(sort)")
            }
            #expect(try await shelf.page("run", cursor: .below(posts[0])) == nil)
            let bob = try await fixture.user("bob")
            let stolen = try await shelf.search.page(
                PostQuery(words: "run"), for: bob, cursor: cursor, limit: 2, show: { $0.map(Optional.some) })
            #expect(stolen == nil)
            fixture.clock.advance(by: DiscoveryLimits.rankingRetention + 1)
            await #expect(throws: GraphError.rankingExpired) { try await shelf.page("run", cursor: cursor) }
        }
    }

    @Test
    func `a corrected search goes on with the same words, also by recency`() async throws {
        try await withDiscovery { fixture in
            let shelf = try await Shelf(fixture)
            var posts: [PostID] = []
            for _ in 0..<3 { posts.insert(try await shelf.post("squat"), at: 0) }
            let first = try #require(try await shelf.page("sqaut", .recency, limit: 2))
            #expect(first.items == Array(posts.prefix(2)) && first.corrected == "squat")
            // The words of the request now have matches of their own.
            _ = try await shelf.post("sqaut")
            let second = try #require(try await shelf.page("sqaut", .recency, cursor: first.next, limit: 2))
            #expect(second.items == [posts[2]] && second.next == nil)
        }
    }

    @Test(arguments: [
        "\"", "\"\"", "'", "run\"", "\"run", "(run", "run)", "run*", "*run", "^run", "run AND", "AND", "OR", "NOT",
        "NOT run", "NEAR(run day)", "run NEAR/2 day", "caption:run", "{caption title}:run", "-caption : run",
        "run + day",
        "run; DROP TABLE post", "rowid:1", "rank", "🔥", "🔥run", "\u{FE0F}", "e\u{301}", "\\", "%", "?1", "run\u{0}day",
        "u1", "authors:u1", "हिन्दी", "走る", String(repeating: "(", count: 10_000),
        String(repeating: "run ", count: 2_500), String(repeating: "a b c d e f g ", count: 700),
    ])
    func `nothing in a text is an operator`(text: String) async throws {
        try await withDiscovery { fixture in
            let shelf = try await Shelf(fixture)
            let post = try await shelf.post("run the day and near or not drop table caption हिन्दी 走る é")
            for sort in PostSort.allCases {
                let found = try #require(try await shelf.page(text, sort)).items
                let words = SearchWords(text).words
                let isIn = ["run", "day", "and", "near", "or", "not", "drop", "table", "caption"]
                if !words.isEmpty, words.allSatisfy(isIn.contains) { #expect(found == [post], "\(sort)") }
                if words.isEmpty { #expect(found == [], "\(sort)") }
            }
            #expect(try await shelf.find("u\(shelf.ann.rawValue)") == [], "what stands for an author is no word")
        }
    }

    @Test
    func `words come out of a text folded, once each, in their order`() {
        #expect(SearchWords("Ｒｕｎ, run RUN día-DE_é\u{301} x²").words == ["run", "día", "de", "é\u{301}", "x2"])
        #expect(SearchWords("run run day run").words == ["run", "day", "run"], "the last may be a beginning")
        #expect(SearchWords(" 🔥 \u{FE0F} …").words == [])
        #expect(SearchWords((0..<99).map(String.init).joined(separator: " ")).words.count == 16)
    }

    @Test(arguments: ["1.1", "0", "-1", "x", "", "01", "1.0", "1.", "9007199254740992", "+1"])
    func `a cursor has one spelling`(text: String) {
        #expect(SearchCursor(text).map { $0.text == text } ?? !["1.1"].contains(text))
    }
}
