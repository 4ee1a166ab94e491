import Privacy
import SocialGraph
import TestSupport
import Testing

@testable import Timeline

/// Mutes and muted words that end at a time, in cached contexts and windows.
@Suite(.timeLimit(.process))
struct MuteExpiryTests {
    @Test(.redisServer, arguments: [MuteKinds.posts, .reshares])
    func `a mute ends at its time, without a write`(kind: MuteKinds) async throws {
        try await withTimeline { harness async throws in
            let users = try await harness.users(3)
            try await harness.graph.follows.follow(users[0], users[1])
            let author = kind == .posts ? users[1] : users[2]
            let post = try await harness.graph.posts.publish(NewPost.sample(author)).id
            try await harness.graph.reshares.reshare(post, by: users[1])
            try await harness.graph.blocksAndMutes.mute(users[0], users[1], kind, until: harness.expiry.now + 100)
            // The first read builds the window, without the muted reshare.
            for _ in 0..<2 {
                #expect(try await harness.walk(users[0], limit: 5) == [])
                try await harness.waitForJobs()
            }
            harness.expiry.advance(by: 99)
            #expect(try await harness.walk(users[0], limit: 5) == [])
            harness.expiry.advance(by: 1)
            #expect(try await harness.walk(users[0], limit: 5) == [post])
            try await harness.graph.changes.prune()
            #expect(try await harness.walk(users[0], limit: 5) == [post])
            try await harness.waitForJobs()
            #expect(try await harness.walk(users[0], limit: 5) == [post])
            #expect(try await harness.verify([users[0]]).isClean)
        }
    }

    @Test(.redisServer)
    func `a muted word ends at its time, also under a filter`() async throws {
        try await withTimeline { harness async throws in
            let users = try await harness.users(2)
            try await harness.graph.follows.follow(users[0], users[1])
            var draft = NewPost.sample(users[1], "a spoiler")
            draft.algorithmTags = ["film"]
            let post = try await harness.graph.posts.publish(draft).id
            try await harness.waitForJobs()
            let end = harness.expiry.now + 100
            _ = try await harness.graph.mutedWords.mute("spoiler", isWhole: true, until: end, by: users[0])
            let tag = try #require(try await harness.graph.topics.topics(.tag, named: ["film"])[0])
            func filtered() async throws -> [PostID] {
                try await harness.timelines.home.page(
                    of: users[0], below: nil, limit: 5, filter: FeedFilter(algorithms: [tag])
                ).items.map(\.post.id)
            }
            for _ in 0..<3 {
                #expect(try await filtered() == [])
                #expect(try await harness.walk(users[0], limit: 5) == [])
                try await harness.waitForJobs()
            }
            harness.expiry.advance(by: 100)
            #expect(try await filtered() == [post])
            #expect(try await harness.walk(users[0], limit: 5) == [post])
            try await harness.graph.changes.prune()
            #expect(try await harness.graph.mutedWords.words(of: users[0]).isEmpty)
        }
    }
}
