import SocialGraph
import Testing

/// The walk's seams: the budget, the page, and posts with several rows that lie across either.
@Suite(.timeLimit(.minutes(2)))
struct HomeWalkTests {
    @Test
    func `a co-authored post across the end of the budget comes exactly once`() async throws {
        try await withGraph { fixture in
            let network = try await Network(fixture)
            var model = network.model
            // Oldest first: what lies at the budget's end from the newest cursors, then strangers' posts up to the top.
            let edge = network.coauthored(24)
            let strangers = network.strangers(SocialGraphLimits.homeWalkBudget - 24)
            let top = network.coauthored(12)
            let posts = edge + strangers + top
            for (post, id) in zip(posts, try await fixture.graph.publish(batch: posts)) { model.publish(post, as: id) }
            let newest = model.posts.suffix(40).map(\.id)
            for cursor in [nil] + newest.map(Optional.some) {
                for limit in [1, 2, 12, 13, 17, 20, 30, 100] {
                    let page = try await fixture.graph.homeFeed(of: network.viewer, below: cursor, limit: limit)
                    let expected = model.home(network.viewer, below: cursor, limit: limit)
                    #expect(page == expected, "\(String(describing: cursor))")
                }
            }
        }
    }

    @Test
    func `readers at either side of the probing limit see the same`() async throws {
        try await withGraph { fixture in
            let authors = try await fixture.users(SocialGraphLimits.homeProbeFollowees + 1, prefix: "author")
            let readers = try await fixture.users(2, prefix: "reader")
            for author in authors { try await fixture.graph.follow(readers[0], author) }
            for author in authors.dropLast() { try await fixture.graph.follow(readers[1], author) }
            let silent = try #require(authors.last)
            let posts = (0..<90).map { NewPost.sample(authors[$0 % 40]) }
            let ids = try await fixture.graph.publish(batch: posts)
            let hidden = try await fixture.post(silent)
            let expected = Array(ids.reversed())
            for limit in [1, 89, 90, 91] {
                let walked = try await fixture.graph.homeFeed(of: readers[0], below: hidden, limit: limit)
                let probed = try await fixture.graph.homeFeed(of: readers[1], below: nil, limit: limit)
                #expect(walked == Array(expected.prefix(limit)))
                #expect(probed == walked)
            }
        }
    }

    @Test
    func `a feed of exactly the budget ends`() async throws {
        try await withGraph { fixture in
            let network = try await Network(fixture)
            let posts = network.strangers(SocialGraphLimits.homeWalkBudget - 1)
            let own = try await fixture.post(network.viewer)
            try await fixture.graph.publish(batch: posts)
            #expect(try await fixture.graph.homeFeed(of: network.viewer, below: nil, limit: 1) == [own])
            #expect(try await fixture.graph.homeFeed(of: network.viewer, below: nil, limit: 2) == [own])
            #expect(try await fixture.graph.homeFeed(of: network.viewer, below: own, limit: 2) == [])
        }
    }

    @Test
    func `an unknown reader has an empty home`() async throws {
        try await withGraph { fixture in
            try await fixture.post(fixture.user("ann"))
            #expect(try await fixture.graph.homeFeed(of: UserID(rawValue: 5), below: nil, limit: 10) == [])
        }
    }
}

/// A reader of many, two of whom write with strangers, among strangers who write alone.
private struct Network {
    let viewer: UserID
    let followees: [UserID]
    let strangers: [UserID]
    private(set) var model = ReferenceGraph()

    init(_ fixture: GraphFixture) async throws {
        // Ids ascend: the strangers' rows of a shared post come before, between and after the followees'.
        let early = try await fixture.user("early")
        followees = try await fixture.users(SocialGraphLimits.homeProbeFollowees + 2, prefix: "followee")
        strangers = [early, try await fixture.user("late")]
        let graph = fixture.graph
        viewer = try await fixture.user("viewer")
        let edges = followees.map { (viewer, $0) } + Self.pairs(strangers + followees.prefix(2))
        for user in strangers + followees + [viewer] { model.add(user, named: "\(user.rawValue)") }
        for (follower, followee) in edges {
            try await graph.follow(follower, followee)
            _ = model.follow(follower, followee)
        }
    }

    /// Everybody follows everybody, so that everybody may be a co-author.
    private static func pairs(_ users: [UserID]) -> [(UserID, UserID)] {
        users.flatMap { first in users.filter { $0 != first }.map { (first, $0) } }
    }

    func strangers(_ count: Int) -> [NewPost] { (0..<count).map { .sample(strangers[$0 % 2]) } }

    /// Posts of one to four authors, of whom the viewer follows none, one or two.
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
}
