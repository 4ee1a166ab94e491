import Database
import Importing
import SocialGraph
import TestSupport
import Testing

@testable import Timeline

@Suite(.timeLimit(.process))
struct BoundedReadingTests {
    /// Reads all pages, which may be short. The positions must descend.
    private func walk(
        _ page: (FeedPosition?) async throws -> TimelinePage
    ) async throws -> (posts: [PostID], pages: Int) {
        var (posts, pages): ([PostID], Int) = ([], 0)
        var cursor: FeedPosition?
        repeat {
            let page = try await page(cursor)
            posts += page.items.map(\.post.id)
            pages += 1
            if let next = page.next { #expect(next < cursor ?? .end, "each page gets further") }
            cursor = page.next
        } while cursor != nil
        return (posts, pages)
    }

    @Test(.redisServer)
    func `a page ends where as many rows have been examined as it may cost, and the next goes on there`() async throws {
        try await withTimeline { harness async throws in
            let (graph, users) = (harness.graph, try await harness.users(3))
            let (me, hidden, shown) = (users[0], users[1], users[2])
            try await graph.blocksAndMutes.block(me, hidden)
            try await graph.follows.follow(me, shown)
            let old = try await graph.bulkPosts.publish(batch: (0..<3).map { _ in .sample(shown) })
            _ = try await graph.bulkPosts.publish(batch: (0..<600).map { _ in .sample(hidden) })
            let new = try await harness.post(shown)
            let home = harness.timelines.home
            var feeds = harness.timelines.feeds
            let expected = [new] + old.reversed()
            let whole = try await feeds.everything(for: me, below: nil, limit: 9)
            #expect(whole.items.map(\.post.id) == expected && whole.next == nil)
            feeds.examinedRows = 100
            let short = try await feeds.everything(for: me, below: nil, limit: 9)
            #expect(short.items.map(\.post.id) == [new] && short.next != nil)
            let all = try await walk { try await feeds.everything(for: me, below: $0, limit: 9) }
            #expect(all.posts == expected && all.pages > 2)
            // The home timeline has none of these posts, so its page is full at once.
            try await harness.waitForJobs()
            let found = try await walk { try await home.page(of: me, below: $0, limit: 9) }
            #expect(found.posts == expected && found.pages == 1)
        }
    }

    @Test(.redisServer)
    func `a timeline of posts that are not shown costs no more than a page may`() async throws {
        try await withTimeline { harness async throws in
            let (graph, users) = (harness.graph, try await harness.users(2))
            let open = try await harness.post(users[1])
            _ = try await graph.bulkPosts.publish(
                batch: (0..<300).map { _ in
                    var post = NewPost.sample(users[1])
                    post.visibility = .followers
                    return post
                })
            var feeds = harness.timelines.feeds
            feeds.examinedRows = 60
            let found = try await walk { try await feeds.author(users[1], for: users[0], below: $0, limit: 5) }
            #expect(found.posts == [open] && found.pages > 1)
        }
    }

    @Test(.redisServer)
    func `a filter that few posts meet is answered from indexes: public, community and home`() async throws {
        try await withTimeline { harness async throws in
            let (graph, users) = (harness.graph, try await harness.users(3))
            let (me, friend) = (users[0], users[1])
            try await graph.follows.follow(me, friend)
            let club = try await graph.communities.createCommunity(name: "club", description: "", by: friend).id
            func post(_ text: String?) -> NewPost {
                var post = NewPost.sample(friend)
                post.community = club
                if let text { post.attributes = ["x": .text(text)] }
                return post
            }
            let rare = try await graph.posts.publish(post("1")).id
            let stranger = try await harness.post(users[2])
            try await graph.reshares.reshare(stranger, by: friend)
            _ = try await graph.bulkPosts.publish(batch: (0..<900).map { post($0.isMultiple(of: 2) ? "2" : nil) })
            try await harness.waitForJobs()
            var (home, feeds) = (harness.timelines.home, harness.timelines.feeds)
            // The limit is far below the number of posts, and still every answer is complete.
            home.examinedRows = 100
            feeds.examinedRows = 100
            for (text, expected) in [("1", [rare]), ("3", [])] {
                let filter = FeedFilter(attributes: [AttributeCondition(name: "x", text: text)])
                let pages = [
                    try await feeds.everything(for: me, below: nil, limit: 20, filter: filter),
                    try await feeds.community(club, for: me, below: nil, limit: 20, filter: filter),
                    try await home.page(of: me, below: nil, limit: 20, filter: filter),
                ]
                for page in pages { #expect(page.items.map(\.post.id) == expected && page.next == nil) }
            }
        }
    }

    @Test(.redisServer)
    func `a walk ends where its client has left`() async throws {
        try await withTimeline { harness async throws in
            let users = try await harness.users(2)
            try await harness.graph.blocksAndMutes.block(users[0], users[1])
            _ = try await harness.graph.bulkPosts.publish(batch: (0..<200).map { _ in .sample(users[1]) })
            let presence = ClientPresence()
            presence.leave()
            await #expect(throws: CancellationError.self) {
                try await ClientPresence.$current.withValue(presence) {
                    _ = try await harness.timelines.feeds.everything(for: users[0], below: nil, limit: 5)
                }
            }
        }
    }
}
