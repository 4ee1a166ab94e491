import TestSupport
import Testing

@testable import SocialGraph

@Suite(.timeLimit(.unit))
struct PeopleListTests {
    @Test(arguments: 1...6)
    func `every list leaves out who is gone, across a block, or silenced and not followed`(seed: UInt64) async throws {
        try await withGraph { fixture in
            var network = try await Network(fixture, seed: seed)
            for _ in 1...6 {
                try await network.change()
                try await network.check()
            }
        }
    }

    @Test
    func `who has blocked the viewer cannot be opened, who is blocked can`() async throws {
        try await withGraph { fixture in
            let (graph, users) = (fixture.graph, try await fixture.users(2))
            try await graph.blocksAndMutes.block(users[0], users[1])
            #expect(try await graph.blocksAndMutes.shownAccount(users[0], to: users[1]) == nil)
            #expect(try await graph.blocksAndMutes.shownAccount(username: "user0", to: users[1]) == nil)
            #expect(try await graph.blocksAndMutes.shownAccount(users[1], to: users[0])?.id == users[1])
            await #expect(throws: GraphError.accountNotFound) {
                try await graph.blocksAndMutes.requireShown(users[0], to: users[1])
            }
            await #expect(throws: GraphError.accountNotFound) {
                _ = try await graph.feeds.authorFeed(of: users[0], for: users[1], below: nil, limit: 1)
            }
            #expect(try await graph.feeds.authorFeed(of: users[1], for: users[0], below: nil, limit: 1).isEmpty)
        }
    }
}

/// A network in which, at first, everybody follows everybody, likes one post and is in one community.
private struct Network {
    private let fixture: GraphFixture
    private let users: [UserID]
    private let post: PostID
    private let community: CommunityID
    private var random: SplitMix64
    private var follows: Set<[UserID]> = []
    private var blocks: Set<[UserID]> = []
    private var suspended: Set<UserID> = []
    private var silenced: Set<UserID> = []

    private var graph: GraphStore { fixture.graph }

    init(_ fixture: GraphFixture, seed: UInt64) async throws {
        self.fixture = fixture
        random = SplitMix64(seed: seed)
        users = try await fixture.users(6)
        post = try await fixture.post(users[0])
        community = try await fixture.graph.communities.createCommunity(name: "c", description: "", by: users[0]).id
        for user in users {
            try await graph.likes.like(post, by: user)
            try await graph.communities.joinCommunity(community, by: user)
            for other in users where other != user && Bool.random(using: &random) {
                try await graph.follows.follow(user, other)
                follows.insert([user, other])
            }
        }
    }

    mutating func change() async throws {
        let (one, other) = (users.randomElement(using: &random)!, users.randomElement(using: &random)!)
        switch Int.random(in: 0..<3, using: &random) {
        case 0 where one != other:
            try await graph.blocksAndMutes.block(one, other)
            blocks.insert([one, other])
            follows.subtract([[one, other], [other, one]])
        case 1:
            if silenced.remove(one) == nil { silenced.insert(one) }
            try await graph.setSilenced(silenced.contains(one), one)
        default:
            if suspended.remove(one) == nil { suspended.insert(one) }
            try await graph.setSuspended(suspended.contains(one), one)
        }
    }

    private func meets(_ viewer: UserID, _ user: UserID) -> Bool {
        !suspended.contains(user) && !blocks.contains([viewer, user]) && !blocks.contains([user, viewer])
            && (!silenced.contains(user) || viewer == user || follows.contains([viewer, user]))
    }

    func check() async throws {
        for viewer in users {
            func expect(_ found: [UserID], _ all: [UserID], _ list: String) {
                #expect(
                    Set(found) == Set(all.filter { meets(viewer, $0) }) && found.count == Set(found).count, "\(list)")
            }
            expect(
                try await walk {
                    try await graph.likes.likes(of: post, for: viewer, below: $0, limit: 2)
                } user: {
                    $0.user
                }, users, "likes")
            expect(
                try await walk {
                    try await graph.communities.members(of: community, for: viewer, below: $0, limit: 2)
                } user: {
                    $0.user
                }, users, "members")
            expect(
                try await graph.communities.moderators(of: community, for: viewer, limit: 9).map(\.user), [users[0]],
                "moderators")
            for user in users {
                let followers = users.filter { follows.contains([$0, user]) }
                let following = users.filter { follows.contains([user, $0]) }
                expect(
                    try await walk {
                        try await graph.follows.followList(of: user, .followers, for: viewer, below: $0, limit: 2)
                    } user: {
                        $0.user
                    }, followers, "followers")
                expect(
                    try await walk {
                        try await graph.follows.followList(of: user, .following, for: viewer, below: $0, limit: 2)
                    } user: {
                        $0.user
                    }, following, "following")
                expect(
                    try await walk {
                        try await graph.follows.mutuals(of: user, for: viewer, below: $0, limit: 2)
                    } user: {
                        $0.user
                    }, following.filter(followers.contains), "mutuals")
            }
        }
    }

    /// Reads all pages. Each page but the last is full.
    private func walk<Entry>(
        _ page: (Int64?) async throws -> Page<Entry, Int64>, user: (Entry) -> UserID
    ) async throws -> [UserID] {
        var users: [UserID] = []
        var cursor: Int64?
        repeat {
            let page = try await page(cursor)
            #expect(page.next == nil || page.items.count == 2)
            users += page.items.map(user)
            cursor = page.next
        } while cursor != nil
        return users
    }
}
