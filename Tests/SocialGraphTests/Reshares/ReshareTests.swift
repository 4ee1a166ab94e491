@testable import SocialGraph
import Database
import TestSupport
import Testing

@Suite(.timeLimit(.unit))
struct ReshareTests {
    @Test
    func `a reshare is one act however often it is asked for`() async throws {
        try await withGraph { fixture in
            let graph = fixture.graph
            let users = try await fixture.users(2)
            let post = try await fixture.post(users[0])
            try await fixture.acknowledgeAll()
            #expect(try await graph.reshares.reshare(post, by: users[1]))
            #expect(try await !graph.reshares.reshare(post, by: users[1]))
            let first = try #require(try await graph.feeds.reshares(of: post, limit: 9).first)
            #expect(try await graph.posts.posts([post]).first?.counts.shares == 1)
            let entry = FeedEntry(position: first.position, post: post)
            #expect(try await fixture.work() == [.addReason(entry: entry, actor: users[1])])
            #expect(try await graph.reshares.unreshare(post, by: users[1]))
            #expect(try await !graph.reshares.unreshare(post, by: users[1]))
            #expect(try await graph.posts.posts([post]).first?.counts.shares == 0)
            #expect(
                try await fixture.work() == [
                    .addReason(entry: entry, actor: users[1]), .removeReason(entry: entry, actor: users[1]),
                ])
            #expect(try await graph.reshares.reshare(post, by: users[1]))
            let second = try #require(try await graph.feeds.reshares(of: post, limit: 9).first)
            #expect(second.position > first.position)
        }
    }

    @Test
    func `what cannot be reshared is refused`() async throws {
        try await withGraph { fixture in
            let graph = fixture.graph
            let ann = try await fixture.user("ann")
            let deleted = try await fixture.post(ann)
            try await graph.reshares.reshare(deleted, by: ann)
            try await graph.posts.deletePost(deleted, by: ann)
            for post in [deleted, PostID(rawValue: 3)] {
                await #expect(throws: GraphError.postNotFound) { try await graph.reshares.reshare(post, by: ann) }
                await #expect(throws: GraphError.postNotFound) { try await graph.reshares.unreshare(post, by: ann) }
            }
            let live = try await fixture.post(ann)
            await #expect(throws: GraphError.accountNotFound) {
                try await graph.reshares.reshare(live, by: UserID(rawValue: 3))
            }
        }
    }

    @Test
    func `the earliest reshare that counts is where the post stands`() async throws {
        try await withGraph { fixture in
            let graph = fixture.graph
            let users = try await fixture.users(4)
            let (viewer, first, second) = (users[0], users[1], users[2])
            for followee in [first, second] { try await graph.follows.follow(viewer, followee) }
            let post = try await fixture.post(users[3])
            var places: [FeedPosition] = []
            for user in [first, second, viewer] {
                try await graph.reshares.reshare(post, by: user)
                places.append(try #require(try await graph.feeds.reshares(of: post, limit: 9).last?.position))
            }
            func place() async throws -> [FeedPosition?] {
                let context = try await graph.feeds.viewerContext(of: viewer)
                let windowed = try await graph.feeds.windowPositions(of: post, for: [viewer])
                let entries = try await graph.feeds.windowEntries(of: viewer, limit: 9)
                let home = try await graph.feeds.homeByDefinition(of: viewer)
                let reshare = try await graph.feeds.firstReshare(of: post, for: context)
                #expect([home.first?.position] == windowed)
                #expect([entries.first?.position] == windowed)
                #expect(home.count <= 1 && entries.count <= 1)
                return windowed + [reshare?.position]
            }
            #expect(try await place() == [places[0], places[0]])
            try await graph.blocksAndMutes.mute(viewer, first, .reshares)
            #expect(try await place() == [places[1], places[1]])
            try await graph.reshares.unreshare(post, by: second)
            #expect(try await place() == [places[2], places[2]])
            try await graph.blocksAndMutes.mute(viewer, first, .posts)
            #expect(try await place() == [places[0], places[0]])
            // Authorship outranks every reshare.
            try await graph.follows.follow(viewer, users[3])
            #expect(try await place() == [FeedPosition(post), places[0]])
        }
    }

    @Test(arguments: [0, 1])
    func `the first of very many reshares is found past those that are looked through`(extra: Int) async throws {
        try await withGraph { fixture in
            let graph = fixture.graph
            let count = FeedStore.resharesLookedThrough - 1 + extra
            let crowd = try await fixture.users(count, prefix: "crowd")
            let users = try await fixture.users(4)
            for followee in users[1...2] { try await graph.follows.follow(users[0], followee) }
            let post = try await fixture.post(users[3])
            _ = try await fixture.reshare(crowd.map { (post, $0) })
            // The entry with the larger id comes first.
            let entries = try await fixture.reshare([(post, users[2]), (post, users[1])])
            let context = try await graph.feeds.viewerContext(of: users[0])
            #expect(
                try await graph.feeds.firstReshare(of: post, for: context)
                    == Reshare(position: entries[0].position, user: users[2]))
            #expect(try await graph.feeds.windowEntries(of: users[0], limit: 5) == [entries[0]])
            #expect(try await graph.feeds.windowEntries(of: users[3], limit: 5) == [FeedEntry(post)])
            try await graph.blocksAndMutes.mute(users[0], users[2], .reshares)
            #expect(try await graph.feeds.windowEntries(of: users[0], limit: 5) == [entries[1]])
        }
    }

    @Test
    func `purging takes what a deleted post leaves behind, a little at a time`() async throws {
        try await withGraph { fixture in
            let graph = fixture.graph
            let users = try await fixture.users(8)
            var post = NewPost.sample(users[0])
            post.category = "run"
            post.algorithmTags = ["run", "yoga"]
            let deleted = try await graph.posts.publish(post).id
            let kept = try await graph.posts.publish(post).id
            for user in users.dropFirst() {
                try await graph.reshares.reshare(deleted, by: user)
                try await graph.reshares.reshare(kept, by: user)
            }
            try await graph.posts.deletePost(deleted, by: users[0])
            #expect(try await graph.posts.purgeLeftovers(of: deleted, limit: 3))
            #expect(try await graph.feeds.reshares(of: deleted, limit: 99).count == 4)
            #expect(try await graph.posts.purgeLeftovers(of: deleted, limit: 3))
            #expect(try await !graph.posts.purgeLeftovers(of: deleted, limit: 3))
            #expect(try await !graph.posts.purgeLeftovers(of: deleted, limit: 3))
            #expect(try await graph.feeds.reshares(of: deleted, limit: 99) == [])
            #expect(try await graph.feeds.reshares(of: kept, limit: 99).count == 7)
            #expect(
                try await graph.feeds.slice(of: .actor(users[1]), below: .end, limit: 9).entries.map(\.post) == [kept])
            let topics = try await fixture.integers("SELECT DISTINCT post_id FROM topic_reshare")
            #expect(topics == [kept.rawValue])
            #expect(try await fixture.integer("SELECT COUNT(*) FROM topic_reshare") == 21)
        }
    }

    @Test
    func `deleting a post keeps what is yet to be taken back by others`() async throws {
        try await withGraph { fixture in
            let graph = fixture.graph
            let users = try await fixture.users(3)
            try await graph.follows.follow(users[1], users[0])
            let post = try await fixture.post(users[0], with: [users[1]])
            try await graph.reshares.reshare(post, by: users[2])
            let reshare = try #require(try await graph.feeds.reshares(of: post, limit: 1).first?.position)
            try await fixture.acknowledgeAll()
            // Both have been delivered, and neither user is an actor of the post any more when it is deleted.
            try await graph.collaborations.leaveCollaboration(on: post, by: users[1])
            try await graph.reshares.unreshare(post, by: users[2])
            try await graph.posts.deletePost(post, by: users[0])
            #expect(
                try await fixture.work() == [
                    .removeReason(entry: FeedEntry(post), actor: users[1]),
                    .removeReason(entry: FeedEntry(position: reshare, post: post), actor: users[2]),
                    .remove(post: post, author: users[0]),
                ])
        }
    }
}
