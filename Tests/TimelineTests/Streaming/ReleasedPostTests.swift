import Moderation
import SocialGraph
import TestSupport
import Testing

@testable import Timeline

/// A post that was held from its creation on reaches streams when it is released.
@Suite(.timeLimit(.process))
struct ReleasedPostTests {
    /// Holds every post with the word "maybe", for the site.
    private func hold(_ harness: TimelineHarness) async throws -> UserID {
        let admin = try await harness.graph.accounts.createAccount(username: "chief", email: nil, passwordHash: nil).id
        _ = try await harness.graph.moderation.appoint(.admin, admin, reason: "r")
        let definition = RuleDefinition.keyword(words: ["maybe"], wholeWords: true)
        _ = try await harness.graph.rules.createRule(
            NewRule("Maybe", definition, action: .hold), by: admin)
        return admin
    }

    private func publish(_ caption: String, by author: UserID, _ harness: TimelineHarness) async throws -> PostID {
        try await harness.graph.posts.publish(.sample(author, caption)).id
    }

    /// Makes the first user follow the second, who then publishes a post that is held. Returns the position in the log
    /// before that post.
    private func follow(_ users: [UserID], _ harness: TimelineHarness) async throws -> (start: Int64, held: PostID) {
        try await harness.graph.follows.follow(users[0], users[1])
        let start = try await harness.graph.changes.latestChange()
        return (start, try await publish("maybe", by: users[1], harness))
    }

    private func decide(
        _ action: ModerationAction, _ post: PostID, by admin: UserID, _ harness: TimelineHarness
    ) async throws {
        _ = try await harness.graph.moderation.moderate(
            ModerationOrder(action, [.post(post)], reason: "r"), by: admin)
    }

    @Test(.redisServer, arguments: [true, false])
    func `an open stream gets a held post once it is approved, as a new one`(hasWindow: Bool) async throws {
        try await withTimeline { harness async throws in
            let users = try await harness.users(3)
            let (me, friend, stranger) = (users[0], users[1], users[2])
            let admin = try await hold(harness)
            try await harness.graph.follows.follow(me, friend)
            if hasWindow { try await harness.warm([me]) }
            let (client, other) = (try #require(harness.open(me)), try #require(harness.open(stranger)))
            let held = try await publish("maybe", by: friend, harness)
            let next = try await publish("sure", by: friend, harness)
            #expect(await client.read(until: next))
            #expect(client.posts == [next])
            try await decide(.approvePost, held, by: admin, harness)
            #expect(await client.read(until: held))
            // Once only: neither a second hold nor a removal and a restoration make it new again.
            for action in [.holdPost, .approvePost, .takedownPost, .reinstatePost] as [ModerationAction] {
                try await decide(action, held, by: admin, harness)
            }
            let marker = try await publish("sure", by: friend, harness)
            #expect(await client.read(until: marker))
            #expect(client.posts == [next, held, marker])
            let own = try await publish("sure", by: stranger, harness)
            #expect(await other.read(until: own))
            #expect(other.posts == [own])
            // The page has it at its original position.
            try await harness.waitForJobs()
            #expect(try await harness.walk(me, limit: 20) == [marker, next, held])
        }
    }

    @Test(.redisServer)
    func `a post removed from the queue never comes, and a restored one does`() async throws {
        try await withTimeline { harness async throws in
            let users = try await harness.users(2)
            let admin = try await hold(harness)
            try await harness.graph.follows.follow(users[0], users[1])
            let client = try #require(harness.open(users[0]))
            let held = try await publish("maybe", by: users[1], harness)
            try await decide(.takedownPost, held, by: admin, harness)
            try await decide(.approvePost, held, by: admin, harness)
            let marker = try await publish("sure", by: users[1], harness)
            #expect(await client.read(until: marker))
            #expect(client.posts == [marker])
            try await decide(.reinstatePost, held, by: admin, harness)
            #expect(await client.read(until: held))
        }
    }

    /// The log then has two changes that bring the post, with more posts between them than a stream remembers.
    @Test(.redisServer)
    func `a reader who comes back gets a released post once, however much came between`() async throws {
        try await withTimeline { harness async throws in
            let (users, admin) = (try await harness.users(2), try await hold(harness))
            let (start, held) = try await follow(users, harness)
            var between: [PostID] = []
            for _ in 0..<100 { between.append(try await publish("sure", by: users[1], harness)) }
            let middle = try await harness.graph.changes.latestChange()
            try await decide(.approvePost, held, by: admin, harness)
            let marker = try await publish("sure", by: users[1], harness)
            let client = try #require(harness.open(users[0], after: start))
            #expect(await client.read(until: marker))
            #expect(client.posts == [held] + between + [marker])
            let late = try #require(harness.open(users[0], after: middle))
            #expect(await late.read(until: marker))
            #expect(late.posts == [held, marker])
        }
    }

    /// The stream then replays the first part of the log and gets the rest, with the release, from the broker.
    @Test(.redisServer)
    func `a released post comes once, although the broker is far behind`() async throws {
        try await withTimeline { harness async throws in
            let (users, admin) = (try await harness.users(2), try await hold(harness))
            let (start, held) = try await follow(users, harness)
            var between: [PostID] = []
            for _ in 0..<80 { between.append(try await publish("sure", by: users[1], harness)) }
            let middle = try await harness.graph.changes.latestChange()
            for _ in 0..<80 { between.append(try await publish("sure", by: users[1], harness)) }
            try await decide(.approvePost, held, by: admin, harness)
            let marker = try await publish("sure", by: users[1], harness)
            let broker = try await harness.broker(harness.service.streams.judge, tail: middle)
            let client = StreamClient(try #require(broker.open(for: users[0], lastEvent: start)))
            try await broker.advance()
            #expect(await client.read(until: marker))
            #expect(client.posts == [held] + between + [marker])
        }
    }
}
