import Coordination
import Importing
import RedisClient
import SocialGraph
import TestSupport
import Testing

@testable import Timeline

@Suite(.timeLimit(.process))
struct FilterWindowsTests {
    @Test(.redisServer)
    func `the first read asks for a window; posts that come later stand on top of it`() async throws {
        try await withFiltered { reading in
            let condition = FeedTruth.Condition(tags: ["rare"])
            #expect(try await reading.window(condition) == nil)
            try await reading.build(condition)
            let window = try #require(try await reading.window(condition))
            for round in 0..<3 {
                let stranger = NewPost.sample(reading.stranger, tags: ["rare"])
                for post in [NewPost.sample(reading.author, tags: ["rare"]), stranger, .sample(reading.author)] {
                    _ = try await reading.harness.graph.posts.publish(post)
                }
                try await reading.harness.waitForJobs()
                for limit in [1, 3, 100] { try await reading.expectExact(condition, limit: limit) }
                #expect(try await reading.window(condition)?.number == window.number, "round \(round)")
            }
        }
    }

    @Test(.redisServer)
    func `the entry at the ceiling, and those right above it, are on pages of any size`() async throws {
        try await withFiltered { reading in
            let (graph, condition) = (reading.harness.graph, FeedTruth.Condition(tags: ["fit"]))
            let posts = try await graph.bulkPosts.publish(
                batch: Array(repeating: NewPost.sample(reading.author, tags: ["fit"]), count: 6))
            try await reading.harness.waitForJobs()
            let filter = try await reading.filter(condition)
            let windows = reading.harness.timelines.home.filterWindows
            // A window as it would have been built when the fourth post was the newest.
            try await windows.store(
                posts[0..<4].reversed().map { FeedEntry($0) }, isWhole: true, ceiling: FeedPosition(posts[3]),
                mark: windows.mark, as: FilterWindows.Key(viewer: reading.viewer, filter: filter))
            for limit in [1, 2, 3, 6] { try await reading.expectExact(condition, limit: limit) }
            #expect(try await reading.window(condition)?.ceiling == FeedPosition(posts[3]))
        }
    }

    @Test(.redisServer)
    func `a timeline with more matches than a window holds is exact to its end`() async throws {
        try await withFiltered { reading in
            let condition = FeedTruth.Condition(category: "Deep")
            let length = FilterWindows.length
            _ = try await reading.harness.graph.bulkPosts.publish(
                batch: (0..<2 * length + 40).map { number in
                    var post = NewPost.sample(reading.author)
                    if number.isMultiple(of: 2) { post.category = number < 40 ? "Deep" : "deep" }
                    return post
                })
            try await reading.harness.waitForJobs()
            try await reading.build(condition)
            for limit in [7, 100] { try await reading.expectExact(condition, limit: limit) }
            #expect(try await reading.expectExact(condition, limit: length) == length + 20)
        }
    }

    @Test(.redisServer)
    func `category and tags together, and fifty tags, find what they should`() async throws {
        try await withFiltered { reading in
            let graph = reading.harness.graph
            for number in 0..<30 {
                var post = NewPost.sample(
                    reading.author, tags: ["tag\(number)", number.isMultiple(of: 3) ? "third" : "x"])
                post.category = number.isMultiple(of: 2) ? "Even" : "Odd"
                _ = try await graph.posts.publish(post)
            }
            try await reading.harness.waitForJobs()
            let conditions: [FeedTruth.Condition] = [
                .init(category: "even", tags: ["THIRD"]), .init(category: "Odd", tags: ["tag3", "tag4", "never"]),
                .init(tags: (0..<50).map { "tag\($0 * 2)" }), .init(category: "Even", tags: ["tag3"]),
                .init(category: "tag3"), .init(tags: ["never"]), .init(category: "never", tags: ["tag1"]),
            ]
            var counts: [Int] = []
            for condition in conditions {
                for _ in 0..<2 {
                    try await reading.expectExact(condition, limit: 4)
                    try await reading.waitForBuilds()
                }
                counts.append(try await reading.expectExact(condition, limit: 100))
            }
            #expect(counts == [5, 1, 15, 0, 0, 0, 0])
        }
    }

    @Test(.redisServer)
    func `a filter that matches nothing gets a window that says so`() async throws {
        try await withFiltered { reading in
            let condition = FeedTruth.Condition(tags: ["elsewhere"])
            _ = try await reading.harness.graph.posts.publish(.sample(reading.stranger, tags: ["elsewhere"]))
            try await reading.build(condition)
            #expect(try await reading.expectExact(condition, limit: 5) == 0)
            let filter = try await reading.filter(condition)
            let windows = reading.harness.timelines.home.filterWindows
            let window = try #require(try await reading.window(condition))
            let run = try await windows.slice(
                window, of: FilterWindows.Key(viewer: reading.viewer, filter: filter), below: .end, count: 5)
            #expect(run == .nothing)
        }
    }

    @Test(.redisServer)
    func `a window whose key is lost, and one of a generation that is over, are done without`() async throws {
        try await withFiltered { reading in
            let condition = FeedTruth.Condition(tags: ["rare"])
            try await reading.build(condition)
            try await withConnection(reading.harness.server.configuration) { connection in
                let names = try await connection.send(RedisCommand("KEYS", ["f:*"])) { reply in
                    try (0..<reply.count).map { try reply[$0].text }
                }
                #expect(!names.isEmpty)
                for name in names { try await connection.send(RedisCommand("DEL", [name])) { _ in } }
            }
            try await reading.expectExact(condition, limit: 3)
            try await reading.build(condition)
            let generation = try await reading.window(condition)?.generation
            try await reading.harness.server.restart()
            try await reading.expectExact(condition, limit: 3)
            try await reading.harness.waitUntilUp()
            #expect(try await reading.window(condition)?.generation != generation)
            try await reading.build(condition)
            try await reading.expectExact(condition, limit: 3)
        }
    }
}

/// A reader of one author with enough posts to go below the home window, a few of them tagged.
struct FilteredReading {
    let harness: TimelineHarness
    let users: [UserID]
    var viewer: UserID { users[0] }
    var author: UserID { users[1] }
    var partner: UserID { users[2] }
    var stranger: UserID { users[3] }

    private var truth: FeedTruth { FeedTruth(graph: harness.graph) }

    func filter(_ condition: FeedTruth.Condition) async throws -> FeedFilter {
        try await harness.timelines.filters.filter(category: condition.category, algorithms: condition.tags).filter
    }

    func window(_ condition: FeedTruth.Condition) async throws -> FilterWindows.Window? {
        let key = FilterWindows.Key(viewer: viewer, filter: try await filter(condition))
        return harness.timelines.home.filterWindows.window(
            key, for: try await harness.timelines.home.sources.caches.viewer(viewer).context)
    }

    func waitForBuilds() async throws {
        // Not for synchronisation: the pause between two polls.
        while harness.timelines.home.filterWindows.requests.pending > 0 { try await Task.sleep(for: .milliseconds(1)) }
    }

    /// Reads until a window exists.
    func build(_ condition: FeedTruth.Condition) async throws {
        try await harness.waitUntilUp()
        while try await window(condition) == nil {
            try await expectExact(condition, limit: 3)
            try await waitForBuilds()
        }
    }

    /// Walks from the newest post to the end and compares the pages with the definition. Returns the number of posts.
    @discardableResult
    func expectExact(
        _ condition: FeedTruth.Condition, limit: Int, _ comment: Comment? = nil,
        sourceLocation: SourceLocation = #_sourceLocation
    ) async throws -> Int {
        let filter = try await filter(condition)
        var shown: [FeedEntry] = []
        var cursor: FeedPosition?
        repeat {
            let page = try await harness.timelines.home.page(of: viewer, below: cursor, limit: limit, filter: filter)
            shown += page.items.map { FeedEntry(position: $0.position, post: $0.post.id) }
            cursor = page.next
        } while cursor != nil
        let truth = try await truth.home(of: viewer, condition)
        #expect(shown == truth, comment, sourceLocation: sourceLocation)
        return shown.count
    }
}

func withFiltered(_ body: (FilteredReading) async throws -> Void) async throws {
    try await withTimeline { harness async throws in
        let users = try await harness.users(4)
        try await harness.graph.follows.follow(users[0], users[1])
        _ = try await harness.graph.bulkPosts.publish(
            batch: (0..<60).map { .sample(users[1], tags: $0.isMultiple(of: 12) ? ["rare"] : []) })
        try await harness.waitForJobs()
        try await harness.warm(users)
        try await body(FilteredReading(harness: harness, users: users))
    }
}

extension NewPost {
    static func sample(_ author: UserID, with collaborators: [UserID] = [], tags: [String]) -> NewPost {
        var post = sample(author, with: collaborators)
        post.algorithmTags = tags
        return post
    }
}
