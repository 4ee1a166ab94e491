import Database
import Importing
import SocialGraph
import TestSupport
import Testing

@testable import Timeline

@Suite(.timeLimit(.process))
struct HomeStreamTests {
    @Test(.redisServer)
    func `an edit that was acknowledged before an item is sent is in it`() async throws {
        try await withTimeline { harness async throws in
            let (graph, users) = (harness.graph, try await harness.users(2))
            try await graph.follows.follow(users[0], users[1])
            let client = try #require(harness.open(users[0]))
            let post = try await harness.post(users[1])
            #expect(await client.read(until: post))
            let told = try #require(client.events.last)
            var change = PostChange()
            change.caption = "edited"
            _ = try await graph.posts.editPost(post, by: users[1], change)
            try await harness.waitForBroker()
            let judge = harness.service.streams.judge
            let standing = try #require(try await judge.standing(told, for: users[0]))
            #expect(standing.item.post.caption == "edited" && standing.sequence == told.sequence)
            try await graph.posts.deletePost(post, by: users[1])
            try await harness.waitForBroker()
            #expect(try await judge.standing(told, for: users[0]) == nil)
        }
    }

    @Test(.redisServer)
    func `what is new in the home timeline comes as it is committed, and what is hidden does not`() async throws {
        try await withTimeline { harness async throws in
            let (graph, users) = (harness.graph, try await harness.users(7))
            let (me, friend, stranger, blocked, muted) = (users[0], users[1], users[2], users[3], users[4])
            for user in [friend, muted] { try await graph.follows.follow(me, user) }
            try await graph.blocksAndMutes.block(blocked, me)
            try await graph.blocksAndMutes.mute(me, muted, .posts)
            try await graph.topics.followTopic("AI", by: me)
            let club = try await graph.communities.createCommunity(name: "club", description: "", by: stranger).id
            try await graph.communities.joinCommunity(club, by: me)
            let secret = try await graph.communities.createCommunity(
                name: "x", description: "", by: stranger, isPrivate: true
            ).id
            let client = try #require(harness.open(me))
            var expected: [PostID] = []
            // None of these are for the reader.
            let old = try await harness.post(stranger)
            for user in [blocked, muted] { try await harness.post(user) }
            var post = NewPost.sample(stranger, tags: ["AI"])
            post.visibility = .followers
            _ = try await graph.posts.publish(post)
            post = .sample(stranger, tags: ["AI"])
            post.community = secret
            _ = try await graph.posts.publish(post)
            try await graph.reshares.reshare(try await harness.post(stranger), by: muted)
            // All of these are.
            expected.append(try await harness.post(me))
            expected.append(try await harness.post(friend))
            expected.append(try await graph.posts.publish(.sample(stranger, tags: ["ai"])).id)
            post = .sample(stranger)
            post.community = club
            expected.append(try await graph.posts.publish(post).id)
            try await graph.reshares.reshare(old, by: friend)
            expected.append(old)
            let together = try await harness.post(stranger, with: [friend])
            try await graph.collaborations.acceptCollaboration(on: together, by: friend)
            expected.append(together)
            // The reader has these posts already.
            try await graph.reshares.reshare(expected[1], by: friend)
            try await graph.reshares.reshare(old, by: me)
            expected.append(try await harness.post(me))
            #expect(await client.read(until: expected[expected.count - 1]))
            // The reshare by the muted user is sent, because only posts are muted.
            #expect(client.posts.filter { expected.contains($0) } == expected)
            #expect(client.posts.count == expected.count + 1)
            let sequences = client.events.map(\.sequence)
            #expect(zip(sequences, sequences.dropFirst()).allSatisfy { $0 < $1 })
            let truth = Set(try await graph.feeds.homeByDefinition(of: me))
            #expect(client.events.allSatisfy { truth.contains(FeedEntry($0.item)) })
        }
    }

    @Test(.redisServer)
    func `what was committed before a stream was opened is no news to it, however late it is told`() async throws {
        try await withTimeline { harness async throws in
            let (graph, users) = (harness.graph, try await harness.users(2))
            try await graph.follows.follow(users[0], users[1])
            for lastEvent in [nil, Int64(9_007_199_254_740_991)] {
                // The broker has not reached the first post when the stream is opened.
                let broker = try await harness.broker(harness.service.streams.judge)
                try await harness.post(users[1])
                let opened = try await graph.changes.latestChange()
                let stream = try #require(broker.open(for: users[0], lastEvent: lastEvent, opened: opened))
                let client = StreamClient(stream)
                let running = Task { await broker.run() }
                let second = try await harness.post(users[1])
                #expect(await client.read(until: second))
                #expect(client.posts == [second])
                running.cancel()
                await running.value
            }
        }
    }

    @Test(.redisServer)
    func `an accepted collaboration is news to those alone who had no other reason`() async throws {
        try await withTimeline { harness async throws in
            let (graph, users) = (harness.graph, try await harness.users(7))
            let (author, partner) = (users[0], users[1])
            // Reached through the partner alone, through the author too, by topic, and by a reshare.
            for reader in users[2...5] { try await graph.follows.follow(reader, partner) }
            try await graph.follows.follow(users[3], author)
            try await graph.topics.followTopic("AI", by: users[4])
            try await graph.follows.follow(users[5], users[6])
            let post = try await graph.posts.publish(.sample(author, with: [partner], tags: ["AI"])).id
            try await graph.reshares.reshare(post, by: users[6])
            try await harness.waitForBroker()
            let clients = try users.map { try #require(harness.open($0)) }
            try await graph.collaborations.acceptCollaboration(on: post, by: partner)
            let marker = try await graph.posts.publish(.sample(partner)).id
            let told: [[PostID]] = [[], [post, marker], [post, marker], [marker], [marker], [marker], []]
            for (client, told) in zip(clients, told) where !told.isEmpty {
                #expect(await client.read(until: marker))
                #expect(client.posts == told)
            }
        }
    }

    @Test(.redisServer)
    func `what another process publishes reaches a stream, though nothing happens here`() async throws {
        try await withTimeline { harness async throws in
            let users = try await harness.users(2)
            try await harness.graph.follows.follow(users[0], users[1])
            let client = try #require(harness.open(users[0]))
            for _ in 0..<5 {
                let post = try await harness.otherGraph.posts.publish(.sample(users[1])).id
                #expect(await client.read(until: post))
            }
        }
    }

    @Test(.redisServer)
    func `a follow and the post that it brings may be news of one moment, also from another process`() async throws {
        try await withTimeline { harness async throws in
            let users = try await harness.users(40)
            let me = users[0]
            let client = try #require(harness.open(me))
            for (index, author) in users.dropFirst().enumerated() {
                // The two writes may share a commit group.
                let graph = index.isMultiple(of: 2) ? harness.graph : harness.otherGraph
                async let follow = graph.follows.follow(me, author)
                async let post = graph.posts.publish(.sample(author))
                _ = try await (follow, post)
            }
            let marker = try await harness.post(me)
            #expect(await client.read(until: marker))
            let log = try await harness.graph.changes.changes(above: 0, limit: 10_000).map(\.change)
            var followed: Set<UserID> = []
            var due: [PostID] = []
            for change in log {
                if case .followed(_, let author) = change { followed.insert(author) }
                if case .postPublished(let post, let author) = change, followed.contains(author) { due.append(post) }
            }
            #expect(Set(due).isSubset(of: Set(client.posts)))
            #expect(Set(client.posts).count == client.posts.count && !due.isEmpty)
        }
    }

    @Test(.redisServer)
    func `what is hidden between the change and its turn is not sent`() async throws {
        try await withTimeline { harness async throws in
            let (graph, users) = (harness.graph, try await harness.users(2))
            let (me, friend) = (users[0], users[1])
            try await graph.follows.follow(me, friend)
            let start = try await graph.changes.latestChange()
            var posts: [PostID] = []
            for _ in 0..<3 { posts.append(try await harness.post(friend)) }
            // The missed posts are looked up together. The second one is deleted while the first is sent.
            let stream = try #require(harness.service.streams.open(for: me, lastEvent: start))
            var sent: [PostID] = []
            try await withThrowingTaskGroup(of: [PostID].self) { group in
                let doomed = posts[1]
                group.addTask {
                    var sent: [PostID] = []
                    try await stream.run(heartbeat: .seconds(60)) { message in
                        guard let event = message.itemEvent else { return }
                        if sent.isEmpty { try await graph.posts.deletePost(doomed, by: friend) }
                        sent.append(event.item.post.id)
                        if sent.count == 2 { stream.end() }
                    }
                    return sent
                }
                sent = try await group.next() ?? []
            }
            #expect(sent == [posts[0], posts[2]])
        }
    }

    @Test(.redisServer)
    func `so many streams of one reader, and so many of all, may be open`() async throws {
        try await withTimeline { harness async throws in
            let broker = harness.service.streams
            let me = UserID(rawValue: 1)
            var mine: [StreamSubscription] = []
            for _ in 0..<TimelineLimits.streamsPerReader { mine.append(try #require(broker.subscribe(me)).0) }
            #expect(
                !broker.hasRoom(for: me) && broker.subscribe(me) == nil && broker.open(for: me, lastEvent: nil) == nil)
            #expect(broker.hasRoom(for: UserID(rawValue: 2)))
            broker.unsubscribe(mine[0])
            broker.unsubscribe(mine[0])
            #expect(broker.hasRoom(for: me))
            mine[0] = try #require(broker.subscribe(me)).0
            #expect(broker.subscribe(me) == nil, "ending one stream twice makes no room for two")
            var others: [StreamSubscription] = []
            for number in mine.count..<TimelineLimits.streams {
                others.append(try #require(broker.subscribe(UserID(rawValue: Int64(10 + number)))).0)
            }
            #expect(!broker.hasRoom(for: UserID(rawValue: 2)) && broker.subscribe(UserID(rawValue: 2)) == nil)
            for subscription in mine + others { broker.unsubscribe(subscription) }
            #expect(broker.hasRoom(for: me))
        }
    }

    @Test(.redisServer)
    func `a stream ended from outside has left its place, though its connection does not know yet`() async throws {
        try await withTimeline { harness async throws in
            let (broker, me) = (harness.service.streams, UserID(rawValue: 1))
            let streams = try (0..<TimelineLimits.streamsPerReader).map { _ in
                try #require(broker.open(for: me, lastEvent: nil))
            }
            #expect(broker.open(for: me, lastEvent: nil) == nil)
            streams[0].end()
            #expect(broker.open(for: me, lastEvent: nil) != nil && broker.open(for: me, lastEvent: nil) == nil)
        }
    }

    @Test(.redisServer)
    func `a reader who is too slow is told, and the log has what was missed`() async throws {
        try await withTimeline { harness async throws in
            let users = try await harness.users(1)
            let start = try await harness.graph.changes.latestChange()
            let fast = try #require(harness.open(users[0]))
            let stream = try #require(harness.service.streams.open(for: users[0], lastEvent: nil))
            let gate = AsyncStream<Void>.makeStream()
            let slow = Task {
                var messages: [HomeStream.Message] = []
                try await stream.run(heartbeat: .seconds(60)) { message in
                    if messages.isEmpty { for await _ in gate.stream { break } }
                    messages.append(message)
                }
                return messages
            }
            var posts: [PostID] = []
            for _ in 0..<4 {
                posts += try await harness.graph.bulkPosts.publish(
                    batch: Array(repeating: .sample(users[0]), count: 100))
                #expect(await fast.read(until: posts[posts.count - 1]))
            }
            gate.continuation.yield()
            let messages = try await slow.value
            guard case .tooSlow = messages.last else { return #expect(Bool(false), "\(messages)") }
            #expect(messages.count < StreamSubscription.queueLength)
            #expect(harness.service.streams.hasRoom(for: users[0]))
            let again = try #require(harness.open(users[0], after: start))
            #expect(await again.read(until: posts[posts.count - 1]))
            #expect(again.posts == posts && fast.posts == posts)
        }
    }

    @Test(.redisServer)
    func `a stream that is ended says so, with whatever is still in its queue`() async throws {
        try await withTimeline { harness async throws in
            let users = try await harness.users(1)
            let stream = try #require(harness.service.streams.open(for: users[0], lastEvent: nil))
            stream.end()
            let client = StreamClient(stream)
            guard case .ended = await client.next() else { return #expect(Bool(false)) }
            #expect(await client.next() == nil)
        }
    }
}

extension FeedEntry {
    init(_ item: TimelineItem) { self.init(position: item.position, post: item.post.id) }
}
