@testable import SocialGraph
@testable import SocialGraphModel
import Database
import Importing
import TestSupport
import Testing

/// Boundaries of the home walk: the budget, the page, and posts whose rows lie on both sides of either.
@Suite(.timeLimit(.process))
struct HomeWalkTests {
    private static let limits = [1, 2, 12, 17, 30, 100]

    @Test
    func `a co-authored post across the end of the budget comes exactly once`() async throws {
        try await withGraph { fixture in
            var network = try await Network(fixture)
            // Oldest first: the posts at the budget's end from the newest cursors, then strangers' posts up to the top.
            let edge = network.coauthored(24)
            let strangers = network.strangers(FeedStore.homeWalkBudget - 24)
            try await network.publish(edge + strangers + network.coauthored(12))
            try await network.expectSlices(below: network.newest(20), limits: Self.limits)
        }
    }

    @Test
    func `reshares across the end of the budget come exactly once`() async throws {
        try await withGraph { fixture in
            var network = try await Network(fixture)
            let count = FeedStore.homeWalkBudget
            let posts = try await network.publish(network.strangers(count))
            try await network.reshare(posts.prefix(20), by: network.followees[0])
            try await network.reshare(posts.dropFirst(10).prefix(20), by: network.followees[1])
            try await network.reshare(posts.prefix(count - 25), by: network.strangers[0])
            try await network.reshare(posts.suffix(12), by: network.viewer)
            try await network.expectSlices(below: network.newest(20), limits: Self.limits)
        }
    }

    /// The walks over posts and over reshares run out at different depths. The slice is complete as far down as both
    /// are, and the probes continue from there.
    @Test(arguments: [true, false])
    func `both budgets ending at different depths leave no gap`(resharesEndFirst: Bool) async throws {
        try await withGraph { fixture in
            var network = try await Network(fixture)
            let count = FeedStore.homeWalkBudget + 40
            let early = try await network.publish(network.coauthored(16) + network.strangers(20))
            try await network.reshare(early.suffix(20), by: network.followees[2])
            let posts = try await network.publish(network.strangers(count) + network.coauthored(8))
            let reshares = resharesEndFirst ? posts.prefix(count) : posts.prefix(60)
            try await network.reshare(reshares, by: network.strangers[1])
            try await network.reshare(posts.suffix(10), by: network.followees[3])
            if !resharesEndFirst { try await network.publish(network.strangers(30)) }
            try await network.expectSlices(below: network.newest(24), limits: Self.limits)
        }
    }

    @Test
    func `what is muted of reshares is proposed by neither way`() async throws {
        try await withGraph { fixture in
            var network = try await Network(fixture)
            let posts = try await network.publish(network.strangers(40))
            try await network.reshare(posts.prefix(20), by: network.followees[0])
            try await network.reshare(posts.suffix(20), by: network.followees[1])
            try await network.muteReshares(of: network.followees[0])
            try await network.expectSlices(below: network.newest(20), limits: Self.limits)
            try await network.publish(network.strangers(FeedStore.homeWalkBudget))
            try await network.expectSlices(below: [.end], limits: Self.limits)
        }
    }

    @Test
    func `readers at either side of the probing limit see the same`() async throws {
        try await withGraph { fixture in
            let graph = fixture.graph
            let authors = try await fixture.users(FeedStore.homeProbeFollowees, prefix: "author")
            let readers = try await fixture.users(2, prefix: "reader")
            for author in authors { try await graph.follows.follow(readers[0], author) }
            for author in authors.dropLast() { try await graph.follows.follow(readers[1], author) }
            let silent = try #require(authors.last)
            let ids = try await graph.bulkPosts.publish(batch: (0..<90).map { NewPost.sample(authors[$0 % 40]) })
            let reshares = try await fixture.reshare(
                ids.suffix(30).map { ($0, authors[0]) } + ids.prefix(10).map { ($0, authors[1]) })
            let hidden = FeedPosition(try await fixture.post(silent))
            let expected = Array((ids.map(FeedEntry.init) + reshares).reversed())
            let contexts = [
                try await graph.feeds.viewerContext(of: readers[0]),
                try await graph.feeds.viewerContext(of: readers[1]),
            ]
            for limit in [1, 39, 40, 41, 129, 130, 131] {
                let walked = try await graph.feeds.homeSlice(of: contexts[0], below: hidden, limit: limit)
                let probed = try await graph.feeds.homeSlice(of: contexts[1], below: hidden, limit: limit)
                #expect(walked.fault(below: hidden, limit: limit, of: expected) == nil)
                #expect(probed.fault(below: hidden, limit: limit, of: expected) == nil)
                #expect(probed.entries == Array(expected.prefix(limit)))
            }
            for reader in readers {
                let window = try await graph.feeds.windowEntries(of: reader, limit: 100)
                #expect(window.filter { $0.position < hidden } == ids.suffix(90).reversed().map(FeedEntry.init))
            }
        }
    }

    @Test
    func `a feed of exactly the budget ends`() async throws {
        try await withGraph { fixture in
            let network = try await Network(fixture)
            let graph = fixture.graph
            let own = FeedEntry(try await fixture.post(network.viewer))
            try await fixture.publish(network.strangers(FeedStore.homeWalkBudget - 1))
            let context = try await graph.feeds.viewerContext(of: network.viewer)
            for limit in [1, 2] {
                let slice = try await graph.feeds.homeSlice(of: context, below: .end, limit: limit)
                #expect(slice.fault(below: .end, limit: limit, of: [own]) == nil)
                #expect(slice.entries == [own])
            }
            #expect(try await graph.feeds.homeSlice(of: context, below: own.position, limit: 2) == .nothing)
            #expect(try await graph.feeds.windowEntries(of: network.viewer, limit: 9) == [own])
        }
    }

    @Test
    func `an unknown reader has an empty home and an empty window`() async throws {
        try await withGraph { fixture in
            try await fixture.post(fixture.user("ann"))
            let unknown = UserID(rawValue: 5)
            let context = try await fixture.graph.feeds.viewerContext(of: unknown)
            #expect(try await fixture.graph.feeds.homeSlice(of: context, below: .end, limit: 10) == .nothing)
            #expect(try await fixture.graph.feeds.homeByDefinition(of: unknown) == [])
            #expect(try await fixture.graph.feeds.windowEntries(of: unknown, limit: 10) == [])
        }
    }
}

/// A reader with many followees, two of whom co-author with strangers, among strangers who write alone.
private struct Network {
    let fixture: GraphFixture
    let viewer: UserID
    let followees: [UserID]
    let strangers: [UserID]
    private var model = ReferenceGraph()

    init(_ fixture: GraphFixture) async throws {
        self.fixture = fixture
        // Ids ascend, so the strangers' rows of a shared post come before, between and after the followees'.
        let early = try await fixture.user("early")
        followees = try await fixture.users(FeedStore.homeProbeFollowees + 2, prefix: "followee")
        strangers = [early, try await fixture.user("late")]
        let graph = fixture.graph
        viewer = try await fixture.user("viewer")
        let edges = followees.map { (viewer, $0) } + Self.pairs(strangers + followees.prefix(2))
        for user in strangers + followees + [viewer] {
            model.add(user, named: "\(user.rawValue)", accepting: .following)
        }
        for (follower, followee) in edges {
            try await graph.follows.follow(follower, followee)
            _ = try model.follow(follower, followee)
        }
    }

    /// All pairs of different users, so that everybody follows everybody and may be a co-author.
    private static func pairs(_ users: [UserID]) -> [(UserID, UserID)] {
        users.flatMap { first in users.filter { $0 != first }.map { (first, $0) } }
    }

    func strangers(_ count: Int) -> [NewPost] { (0..<count).map { .sample(strangers[$0 % 2]) } }

    /// Posts of one to four authors, up to two of whom the viewer follows.
    func coauthored(_ count: Int) -> [NewPost] {
        (0..<count).map { index in
            switch index % 4 {
            case 0: .sample(strangers[0], with: [followees[0], strangers[1]])
            case 1: .sample(followees[0], with: [strangers[0], followees[1], strangers[1]])
            case 2: .sample(strangers[1], with: [strangers[0]])
            default: .sample(followees[1])
            }
        }
    }

    @discardableResult
    mutating func publish(_ posts: [NewPost]) async throws -> [PostID] {
        let ids = try await fixture.publish(posts)
        for (post, id) in zip(posts, ids) { model.publish(post, as: id) }
        return ids
    }

    mutating func reshare(_ posts: some Sequence<PostID>, by user: UserID) async throws {
        for entry in try await fixture.reshare(posts.map { ($0, user) }) {
            model.reshares.append(.init(id: entry.position.rawValue, user: user, post: entry.post))
        }
    }

    mutating func muteReshares(of user: UserID) async throws {
        try await fixture.graph.blocksAndMutes.mute(viewer, user, .reshares)
        _ = model.mute(viewer, user, .reshares)
    }

    /// The positions of the newest posts and reshares, and the end.
    func newest(_ count: Int) -> [FeedPosition] {
        let all = model.posts.map { FeedPosition($0.id) } + model.reshares.map(\.entry.position)
        return [.end] + all.sorted().suffix(count)
    }

    /// Checks one slice from each cursor with each limit, and the slices from the first cursor down to the beginning.
    func expectSlices(below cursors: [FeedPosition], limits: [Int]) async throws {
        let context = try await fixture.graph.feeds.viewerContext(of: viewer)
        let proposals = model.proposals(viewer)
        for cursor in cursors {
            for limit in limits {
                let slice = try await fixture.graph.feeds.homeSlice(of: context, below: cursor, limit: limit)
                #expect(slice.fault(below: cursor, limit: limit, of: proposals) == nil, "below \(cursor), \(limit)")
            }
        }
        #expect(!proposals.isEmpty)
        let window = model.window(viewer)
        for limit in limits {
            let entries = try await fixture.graph.feeds.windowEntries(of: viewer, limit: limit)
            #expect(entries == Array(window.prefix(limit)), "window of \(limit)")
        }
    }
}
