import Database
import Saves
import TestSupport
import Testing

@testable import Discovery
@testable import SocialGraph

@Suite(.timeLimit(.unit))
struct WatchTests {
    @Test
    func `of several events of a user and post the longest, the end and the last time are kept`() async throws {
        try await withGraph { fixture in
            let (graph, users) = (fixture.graph, try await fixture.users(2))
            let posts = [try await fixture.post(users[0]), try await fixture.post(users[0])]
            let log = CommitLog(of: fixture.database)
            try await graph.watches.watch(posts[0], by: users[1], seconds: 12.5, isCompleted: false)
            try await graph.watches.watch(posts[1], by: users[1], seconds: 3, isCompleted: true)
            fixture.clock.advance(by: 60_000)
            for _ in 0..<2 { try await graph.watches.watch(posts[1], by: users[1], seconds: 2, isCompleted: false) }
            fixture.clock.advance(by: 60_000)
            try await graph.watches.watch(posts[0], by: users[1], seconds: 40, isCompleted: false)
            let watches = try await graph.watches.watches(by: users[1], below: nil, limit: 5).items
            #expect(watches.map(\.post) == posts)
            #expect(watches.map(\.seconds) == [40, 3] && watches.map(\.isCompleted) == [false, true])
            #expect(
                watches.map { IDSequence.milliseconds(of: $0.id) } == [fixture.clock.now, fixture.clock.now - 60_000])
            #expect(try await graph.watches.watches(by: users[0], below: nil, limit: 5).items == [])
            #expect(
                log.changes.filter { $0.kind == .watched }.count == 5
                    && log.changes.contains(
                        GraphChange.watched(posts[0], by: users[1]))
            )
            let first = try await graph.watches.watches(by: users[1], below: nil, limit: 1)
            #expect(try await graph.watches.watches(by: users[1], below: first.next, limit: 1).items == [watches[1]])
        }
    }

    @Test
    func `what is gone cannot be watched, and takes its watches with it`() async throws {
        try await withGraph { fixture in
            let (graph, users) = (fixture.graph, try await fixture.users(2))
            let post = try await fixture.post(users[0])
            try await graph.watches.watch(post, by: users[1], seconds: 1, isCompleted: true)
            try await graph.posts.deletePost(post, by: users[0])
            while try await graph.posts.purgeLeftovers(of: post, limit: 5) {}
            #expect(try await fixture.integer("SELECT COUNT(*) FROM watch") == 0)
            await #expect(throws: GraphError.postNotFound) {
                try await graph.watches.watch(post, by: users[1], seconds: 1, isCompleted: true)
            }
            let other = try await fixture.post(users[0])
            await #expect(throws: GraphError.accountNotFound) {
                try await graph.watches.watch(other, by: UserID(rawValue: 1), seconds: 1, isCompleted: true)
            }
        }
    }

    @Test(arguments: [
        (seconds: 29.9, isCompleted: false, duration: nil as Double?, isSeen: false), (30, false, nil, true),
        (0, true, nil, true), (49, false, 100, false), (50, false, 100, true), (0, true, 100, true),
        (4, false, 8, true), (40, false, 600, false),
    ])
    func `half of a video is seen, or half a minute`(
        seconds: Double, isCompleted: Bool, duration: Double?, isSeen: Bool
    ) async throws {
        try await withGraph { fixture in
            let users = try await fixture.users(2)
            var new = NewPost.sample(users[0])
            new.attributes = duration.map { ["duration": .number($0)] } ?? [:]
            let post = try await fixture.graph.posts.publish(new).id
            #expect(try await fixture.graph.recommendations.hasSeen([post], users[1]) == [false])
            try await fixture.graph.watches.watch(post, by: users[1], seconds: seconds, isCompleted: isCompleted)
            #expect(try await fixture.graph.recommendations.hasSeen([post], users[1]) == [isSeen])
            #expect(try await fixture.graph.recommendations.hasSeen([post], users[0]) == [false])
            let share = WatchedEnough.share(seconds: seconds, isCompleted: isCompleted, duration: duration)
            #expect((share >= WatchedEnough.share) == isSeen)
        }
    }

    @Test
    func `likes, saves and reshares are seen as long as they stand, and tell of a taste`() async throws {
        try await withGraph { fixture in
            let (graph, users) = (fixture.graph, try await fixture.users(2))
            var posts: [PostID] = []
            for _ in 0..<6 { posts.append(try await fixture.post(users[0])) }
            let reader = users[1]
            try await graph.likes.like(posts[0], by: reader)
            try await graph.saves.save(posts[1], by: reader)
            try await graph.reshares.reshare(posts[2], by: reader)
            let comment = try await graph.comments.comment(on: posts[3], by: reader, content: "c")
            _ = try await graph.engagement.shareExternally(posts[4], by: reader, platform: "p")
            try await graph.watches.watch(posts[5], by: reader, seconds: 15, isCompleted: false)
            #expect(try await graph.recommendations.hasSeen(posts, reader) == [true, true, true, false, false, false])
            let acts = try await graph.recommendations.tasteActs(of: reader, limit: 9)
            let kinds = Dictionary(acts.map { ($0.post, $0.kind) }) { first, _ in first }
            #expect(posts.map { kinds[$0] } == [.like, .save, .reshare, .comment, .externalShare, .watch])
            #expect(acts.allSatisfy { $0.user == reader } && acts.first { $0.kind == .watch }?.share == 0.25)
            for kind in TasteAct.Kind.allCases {
                #expect(
                    try await graph.recommendations.tasteActs(kind, below: .max, limit: 9)
                        == acts.filter { $0.kind == kind }, "\(kind)"
                )
            }
            try await graph.likes.unlike(posts[0], by: reader)
            try await graph.saves.unsave(posts[1], by: reader)
            _ = try await graph.reshares.unreshare(posts[2], by: reader)
            try await graph.comments.deleteComment(comment.id, by: reader)
            #expect(try await graph.recommendations.hasSeen(posts, reader) == posts.map { _ in false })
            #expect(
                try await graph.recommendations.tasteActs(of: reader, limit: 9).map(\.kind) == [.externalShare, .watch])
        }
    }

    @Test
    func `a user has few lists of recommendations, for a while`() async throws {
        try await withGraph { fixture in
            let (graph, users) = (fixture.graph, try await fixture.users(2))
            var lists: [StoredRecommendations] = []
            for number in 0...DiscoveryLimits.recommendationListsPerUser {
                lists.append(
                    try await graph.recommendations.storeRecommendations([UInt8(number)], for: users[0], scope: "s"))
            }
            let other = try await graph.recommendations.storeRecommendations([], for: users[1], scope: "s")
            #expect(try await graph.recommendations.recommendations(lists[0].id) == nil)
            for list in lists.dropFirst() + [other] {
                #expect(try await graph.recommendations.recommendations(list.id) == list)
            }
            fixture.clock.advance(by: DiscoveryLimits.rankingRetention + 1)
            try await graph.changes.prune()
            #expect(try await fixture.integer("SELECT COUNT(*) FROM recommendation_list") == 0)
        }
    }
}
