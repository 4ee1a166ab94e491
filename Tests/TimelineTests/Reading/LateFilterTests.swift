import Importing
import Moderation
import Privacy
import SocialGraph
import TestSupport
import Testing

@testable import Timeline

@Suite(.timeLimit(.process))
struct LateFilterTests {
    private static let condition = FeedTruth.Condition(tags: ["rare"])

    /// Prepares, has the window built, performs `act`, and expects `change` more posts.
    private func expect(
        _ change: Int, prepare: (FilteredReading) async throws -> PostID,
        act: (FilteredReading, PostID) async throws -> Void
    ) async throws {
        try await withFiltered { reading in
            let post = try await prepare(reading)
            _ = try await reading.harness.post(reading.author)
            try await reading.harness.waitForJobs()
            try await reading.build(Self.condition)
            let before = try await reading.expectExact(Self.condition, limit: 3)
            let window = try #require(try await reading.window(Self.condition))
            try await act(reading, post)
            // Acts of others reach the home window with a delay. The part below it must not be older than that.
            try await reading.harness.waitForJobs()
            #expect(try await reading.expectExact(Self.condition, limit: 3) == before + change)
            #expect(try await reading.window(Self.condition)?.number != window.number, "the window is over")
            try await reading.harness.waitForJobs()
            try await reading.build(Self.condition)
            #expect(try await reading.expectExact(Self.condition, limit: 100) == before + change)
        }
    }

    private func publish(_ reading: FilteredReading, by author: UserID, with partners: [UserID] = []) async throws
        -> PostID
    {
        try await reading.harness.graph.posts.publish(.sample(author, with: partners, tags: ["rare"])).id
    }

    @Test(.redisServer)
    func `the reader's own follow, and its end`() async throws {
        try await expect(+1) {
            try await publish($0, by: $0.stranger)
        } act: { reading, _ in
            try await reading.harness.graph.follows.follow(reading.viewer, reading.stranger)
        }
    }

    @Test(.redisServer)
    func `a collaboration that is accepted by somebody followed`() async throws {
        try await expect(+1) {
            try await publish($0, by: $0.stranger, with: [$0.author])
        } act: { reading, post in
            try await reading.harness.graph.collaborations.acceptCollaboration(on: post, by: reading.author)
        }
    }

    @Test(.redisServer)
    func `another's reshare that is taken back: the post goes to the place of the next`() async throws {
        try await expect(0) { reading in
            let graph = reading.harness.graph
            let post = try await publish(reading, by: reading.stranger)
            try await graph.reshares.reshare(post, by: reading.author)
            try await graph.follows.follow(reading.viewer, reading.partner)
            _ = try await publish(reading, by: reading.author)
            try await graph.reshares.reshare(post, by: reading.partner)
            return post
        } act: { reading, post in
            try await reading.harness.graph.reshares.unreshare(post, by: reading.author)
        }
    }

    @Test(.redisServer)
    func `an edit that takes a muted word out of a post`() async throws {
        try await expect(+1) { reading in
            let graph = reading.harness.graph
            _ = try await graph.mutedWords.mute("spoiler", isWhole: true, until: nil, by: reading.viewer)
            var post = NewPost.sample(reading.author, tags: ["rare"])
            post.caption = "a spoiler"
            return try await graph.posts.publish(post).id
        } act: { reading, post in
            var change = PostChange()
            change.caption = "nothing"
            _ = try await reading.harness.graph.posts.editPost(post, by: reading.author, change)
        }
    }

    @Test(.redisServer)
    func `somebody muted leaves a post and thereby shows it`() async throws {
        try await expect(+1) { reading in
            let graph = reading.harness.graph
            try await graph.blocksAndMutes.mute(reading.viewer, reading.partner, .posts)
            let post = try await publish(reading, by: reading.author, with: [reading.partner])
            try await graph.collaborations.acceptCollaboration(on: post, by: reading.partner)
            return post
        } act: { reading, post in
            try await reading.harness.graph.collaborations.leaveCollaboration(on: post, by: reading.partner)
        }
    }

    @Test(.redisServer)
    func `somebody who has blocked the reader leaves a post and thereby shows it`() async throws {
        try await expect(+1) { reading in
            let graph = reading.harness.graph
            try await graph.blocksAndMutes.block(reading.partner, reading.viewer)
            let post = try await publish(reading, by: reading.author, with: [reading.partner])
            try await graph.collaborations.acceptCollaboration(on: post, by: reading.partner)
            return post
        } act: { reading, post in
            try await reading.harness.graph.collaborations.leaveCollaboration(on: post, by: reading.partner)
        }
    }

    @Test(.redisServer)
    func `a block that another lifts, and a post that is reinstated`() async throws {
        try await expect(+1) { reading in
            try await reading.harness.graph.follows.follow(reading.viewer, reading.partner)
            let post = try await publish(reading, by: reading.author)
            try await reading.harness.graph.communities.setTakenDown(true, post: post)
            return post
        } act: { reading, post in
            try await reading.harness.graph.communities.setTakenDown(false, post: post)
        }
        try await expect(+1) { reading in
            let post = try await publish(reading, by: reading.partner)
            try await reading.harness.graph.reshares.reshare(post, by: reading.author)
            try await reading.harness.graph.blocksAndMutes.block(reading.partner, reading.viewer)
            return post
        } act: { reading, _ in
            try await reading.harness.graph.blocksAndMutes.unblock(reading.partner, reading.viewer)
        }
    }

    @Test(.redisServer)
    func `a topic that is followed, a community that is joined, follows that another process imports`() async throws {
        try await expect(+1) {
            try await publish($0, by: $0.stranger)
        } act: { reading, _ in
            try await reading.harness.graph.topics.followTopic("rare", by: reading.viewer)
        }
        try await expect(+1) { reading in
            let graph = reading.harness.graph
            let community = try await graph.communities.createCommunity(
                name: "club", description: "", by: reading.stranger
            ).id
            var post = NewPost.sample(reading.stranger, tags: ["rare"])
            post.community = community
            return try await graph.posts.publish(post).id
        } act: { reading, post in
            let community = try #require(try await reading.harness.graph.posts.posts([post]).first?.community)
            try await reading.harness.graph.communities.joinCommunity(community.id, by: reading.viewer)
        }
        try await expect(+1) {
            try await publish($0, by: $0.stranger)
        } act: { reading, _ in
            var importer = FollowImporter(graph: reading.harness.otherGraph)
            try await importer.write([("user0", "user3")])
            // Wakes the worker, so that the import's job does not wait for the next poll.
            try await reading.harness.post(reading.partner)
            try await reading.harness.waitForJobs()
        }
    }
}
