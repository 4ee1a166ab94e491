@testable import SocialGraph
import Database
import Importing
import TestSupport
import Testing

/// Slices of feeds and their merging, without a database, and the slices of rare topics.
@Suite(.timeLimit(.unit))
struct FeedSliceTests {
    private func slice(_ positions: [Int64], end: Int64 = 0) -> FeedSlice {
        FeedSlice(entries: positions.map { FeedEntry(PostID(rawValue: $0)) }, end: FeedPosition(rawValue: end))
    }

    @Test
    func `a merge is complete as far down as all of its runs`() {
        #expect(FeedSlice.merged([]) == .nothing)
        #expect(FeedSlice.merged([slice([9, 7], end: 7)]) == slice([9, 7], end: 7))
        #expect(FeedSlice.merged([slice([9, 7], end: 7), slice([8, 6, 5], end: 5)]) == slice([9, 8, 7], end: 7))
        #expect(FeedSlice.merged([slice([9, 7]), slice([8, 6])]) == slice([9, 8, 7, 6]))
        #expect(FeedSlice.merged([slice([9, 7, 2]), slice([], end: 6)]) == slice([9, 7], end: 6))
    }

    @Test
    func `an entry of several runs comes once, a post at two places twice`() {
        #expect(FeedSlice.merged([slice([9, 7], end: 7), slice([9, 7, 3]), slice([7])]) == slice([9, 7], end: 7))
        let reshare = FeedEntry(position: FeedPosition(rawValue: 8), post: PostID(rawValue: 7))
        let both = FeedSlice.merged([slice([7]), FeedSlice(entries: [reshare], end: .beginning)])
        #expect(both.entries == [reshare, FeedEntry(PostID(rawValue: 7))])
    }

    @Test
    func `a run of fewer than asked for is the end, and a cut one is not`() {
        let entries = slice([9, 7]).entries
        #expect(FeedSlice(entries, limit: 3).end == .beginning)
        #expect(FeedSlice(entries, limit: 2).end == FeedPosition(rawValue: 7))
        #expect(slice([9, 7]).prefix(2) == slice([9, 7]))
        #expect(slice([9, 7, 5]).prefix(2) == slice([9, 7], end: 7))
        #expect(FeedSlice([], limit: 1) == .nothing)
    }

    @Test
    func `what is wrong with a run is noticed`() {
        let all = slice([9, 7, 5]).entries
        #expect(slice([9, 7], end: 7).fault(below: .end, limit: 2, of: all) == nil)
        #expect(slice([9, 5], end: 5).fault(below: .end, limit: 2, of: all) != nil, "a gap")
        #expect(slice([9, 7]).fault(below: .end, limit: 2, of: all) != nil, "an end too far down")
        #expect(slice([9, 9, 7], end: 7).fault(below: .end, limit: 2, of: all) != nil, "an entry twice")
        #expect(slice([7, 9], end: 7).fault(below: .end, limit: 2, of: all) != nil, "not in order")
        #expect(slice([9], end: 9).fault(below: .end, limit: 2, of: all) != nil, "too few")
        #expect(slice([], end: 9).fault(below: FeedPosition(rawValue: 9), limit: 0, of: all) != nil, "no step down")
    }

    @Test
    func `an actor set has the reader in its place, and leaves out whom it is to`() {
        let ids = (1...5).map { UserID(rawValue: $0) }
        let set = ActorSet(
            viewer: ids[2], followees: [ids[0], ids[1], ids[3], ids[4]], withoutReshares: [ids[1]], leavingOut: [ids[3]]
        )
        #expect(set.actors == [ids[0], ids[1], ids[2], ids[4]])
        #expect(ids.filter(set.contains) == set.actors)
        #expect(ids.filter(set.reshareCounts) == [ids[0], ids[2], ids[4]])
        for (viewer, followees) in [(0, [1, 2]), (2, [0, 1]), (1, [])] {
            let set = ActorSet(viewer: ids[viewer], followees: followees.map { ids[$0] }, withoutReshares: [])
            #expect(set.actors == (followees + [viewer]).sorted().map { ids[$0] })
        }
    }

    @Test
    func `a filtered run gets past posts of very many authors, however small its budget`() async throws {
        try await withGraph { fixture in
            let graph = fixture.graph
            let users = try await fixture.users(SocialGraphLimits.collaboratorsPerPost + 1)
            for user in users.dropFirst() { try await graph.follows.follow(user, users[0]) }
            var post = NewPost.sample(users[0], with: Array(users.dropFirst()))
            post.algorithmTags = ["run"]
            let ids = try await graph.bulkPosts.publish(batch: Array(repeating: post, count: 5))
            let topic = try await graph.topics.topics(.tag, named: ["run"]).compactMap(\.self)
            let context = try await graph.feeds.viewerContext(of: users[7])
            var cursor = FeedPosition.end
            var all: [FeedEntry] = []
            for _ in 0..<20 where cursor != .beginning {
                let slice = try await graph.feeds.filteredSlice(of: context, topics: topic, below: cursor, budget: 1)
                all += slice.entries
                cursor = slice.end
            }
            #expect(cursor == .beginning)
            #expect(all == ids.reversed().map(FeedEntry.init))
        }
    }

    @Test
    func `a rare topic is found below very many posts of others`() async throws {
        try await withGraph { fixture in
            let graph = fixture.graph
            let users = try await fixture.users(3)
            try await graph.follows.follow(users[0], users[1])
            var rare = NewPost.sample(users[1])
            rare.category = "rare"
            let direct = try await graph.posts.publish(rare).id
            rare.author = users[2]
            let reshared = try await graph.posts.publish(rare).id
            try await graph.bulkPosts.publish(batch: Array(repeating: rare, count: 300))
            try await graph.reshares.reshare(reshared, by: users[1])
            let reshare = try #require(try await graph.feeds.reshares(of: reshared, limit: 1).first?.position)
            let topics = try await graph.topics.topics(.category, named: ["rare"]).compactMap(\.self)
            let context = try await graph.feeds.viewerContext(of: users[0])
            let all = [FeedEntry(position: reshare, post: reshared), FeedEntry(direct)]
            var slice = try await graph.feeds.filteredSlice(of: context, topics: topics, below: .end, budget: 50)
            #expect(slice.entries == [all[0]])
            #expect(slice.end != .beginning)
            slice = try await graph.feeds.filteredSlice(of: context, topics: topics, below: .end, budget: 1_000)
            #expect(slice == FeedSlice(entries: all, end: .beginning))
            #expect(try await graph.feeds.filteredSlice(of: context, topics: [], below: .end, budget: 9) == .nothing)
        }
    }

    @Test
    func `several sources together are one feed`() async throws {
        try await withGraph { fixture in
            let graph = fixture.graph
            let users = try await fixture.users(3)
            #expect(try await graph.feeds.latestPosition() >= FeedPosition(rawValue: users[2].rawValue))
            let ids = try await graph.bulkPosts.publish(batch: (0..<9).map { .sample(users[$0 % 3]) })
            try await graph.reshares.reshare(ids[1], by: users[0])
            let reshare = try #require(try await graph.feeds.reshares(of: ids[1], limit: 1).first?.position)
            #expect(try await graph.feeds.latestPosition() >= reshare)
            let all =
                [FeedEntry(position: reshare, post: ids[1])]
                + [7, 6, 4, 3, 1, 0].map { FeedEntry(ids[$0]) }
            let sources = users.prefix(2).map(FeedSource.actor)
            for limit in 1...8 {
                for cursor in [.end, reshare] + ids.map(FeedPosition.init) {
                    let slice = try await graph.feeds.slice(ofAny: sources, below: cursor, limit: limit)
                    #expect(slice.fault(below: cursor, limit: limit, of: all) == nil)
                }
            }
            #expect(try await graph.feeds.slice(ofAny: [], below: .end, limit: 5) == .nothing)
        }
    }

    @Test
    func `usernames are of those who exist`() async throws {
        try await withGraph { fixture in
            let users = try await fixture.users(2)
            let unknown = UserID(rawValue: 3)
            #expect(try await fixture.graph.feeds.usernames(of: [users[1], unknown, users[1]]) == [users[1]: "user1"])
        }
    }
}
