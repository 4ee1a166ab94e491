import Database
import Importing
import RedisClient
import SocialGraph
import TestSupport
import Testing

@testable import Timeline

@Suite(.timeLimit(.process))
struct HomeReadingTests {
    /// The account's posts and reshares are in windows until they have been erased.
    @Test(.redisServer)
    func `a post stays where it has another reason while an account is being erased`() async throws {
        try await withTimeline { harness async throws in
            let (graph, users) = (harness.graph, try await harness.users(4))
            let (reader, leaving, staying, author) = (users[0], users[1], users[2], users[3])
            for user in [leaving, staying] { try await graph.follows.follow(reader, user) }
            let post = try await harness.post(author)
            try await graph.reshares.reshare(post, by: leaving)
            try await graph.reshares.reshare(post, by: staying)
            try await harness.waitForJobs()
            try await harness.warm([reader])
            #expect(try await harness.walk(reader, limit: 7) == [post])
            try await graph.erasures.deleteAccount(leaving)
            let truth = try await graph.feeds.homeByDefinition(of: reader).map(\.post)
            #expect(truth == [post])
            #expect(try await harness.walk(reader, limit: 7) == truth)
        }
    }

    @Test(.redisServer)
    func `a next cursor is given exactly where something follows, from SQLite and from the window`() async throws {
        try await withTimeline { harness async throws in
            let users = try await harness.users(2)
            try await harness.graph.follows.follow(users[0], users[1])
            for count in 1...40 {
                try await harness.post(users[count % 2])
                if count == 20 { try await harness.waitForJobs(); try await harness.warm(users) }
                guard count % 5 == 0 else { continue }
                try await harness.waitForJobs()
                for limit in [1, 5, 10, count, count + 1] {
                    let posts = try await harness.walk(users[0], limit: limit)
                    #expect(posts.count == count)
                    #expect(zip(posts, posts.dropFirst()).allSatisfy { $0 > $1 })
                }
            }
            let empty = try await harness.graph.accounts.createAccount(username: "empty", email: nil, passwordHash: nil)
                .id
            for _ in 0..<2 {
                let page = try await harness.timelines.home.page(of: empty, below: nil, limit: 10)
                #expect(page.items.isEmpty && page.next == nil)
                try await harness.warm([empty])
            }
        }
    }

    @Test(.redisServer)
    func `own acts are exact with their acknowledgement, while the outbox stands still`() async throws {
        try await withTimeline(.impatient) { harness async throws in
            let users = try await harness.users(2)
            let (me, other) = (users[0], users[1])
            let theirs = try await harness.post(other)
            try await harness.waitForJobs()
            try await harness.warm(users)
            await harness.server.stall()
            let mine = try await harness.post(me)
            #expect(try await harness.walk(me, limit: 10) == [mine])
            try await harness.graph.follows.follow(me, other)
            #expect(try await harness.walk(me, limit: 10) == [mine, theirs])
            try await harness.graph.follows.unfollow(me, other)
            #expect(try await harness.walk(me, limit: 10) == [mine])
            try await harness.graph.posts.deletePost(mine, by: me)
            #expect(try await harness.walk(me, limit: 10) == [])
            await harness.server.resume()
            try await harness.waitForJobs()
            #expect(try await harness.verify(users).isClean)
        }
    }

    @Test(.redisServer)
    func `what another process imports is read as soon as the outbox is empty`() async throws {
        try await withTimeline { harness async throws in
            let users = try await harness.users(12)
            let post = try await harness.post(users[11])
            try await harness.waitForJobs()
            for (number, user) in users.dropLast().enumerated() {
                _ = try await harness.walk(user, limit: 10)
                var importer = FollowImporter(graph: harness.otherGraph)
                try await importer.write([("user\(number)", "user11")])
                // Wakes the worker, so that the import's job does not wait for the next poll.
                try await harness.post(users[10])
                try await harness.waitForJobs()
                #expect(try await harness.walk(user, limit: 100).last == post)
            }
        }
    }

    @Test(.redisServer)
    func `the verifier finds what was added, removed and misplaced by hand, and a repair mends it`() async throws {
        try await withTimeline { harness async throws in
            let users = try await harness.users(5)
            for user in users.dropFirst() { try await harness.graph.follows.follow(user, users[0]) }
            var published: [PostID] = []
            for _ in 0..<5 { published.append(try await harness.post(users[0])) }
            let posts = published
            let foreign = try await harness.post(users[4])
            try await harness.waitForJobs()
            try await harness.warm(users)
            let before = try await harness.verify(users)
            #expect(before.isClean && before.windows == 5)
            let generation = try #require(try await WindowSpace.stored(in: harness.graph)?.keys.generation)
            try await withConnection(harness.server.configuration) { connection in
                let key = { (user: UserID) in "h:\(generation):\(user.rawValue)" }
                for command in [
                    RedisCommand("ZREM", [key(users[1]), "\(posts[2].rawValue)"]),
                    RedisCommand("ZADD", [key(users[2]), "-\(foreign.rawValue)", "\(foreign.rawValue)"]),
                    RedisCommand("ZADD", [key(users[3]), "-\(posts[4].rawValue - 1)", "\(posts[0].rawValue)"]),
                ] { try await connection.send(command) { _ in } }
            }
            let report = try await harness.verify(users)
            #expect(report.missing == 1)
            // One entry is of another author, the other one is at a position without a reason.
            #expect(report.extra == 2)
            #expect(Set(report.drifted) == Set(users[1...3]))
            // Visibility does not depend on windows.
            #expect(try await harness.walk(users[2], limit: 10) == posts.reversed())
            let graph = harness.graph
            try await withConnection(harness.server.configuration) { connection in
                try await TimelineVerifier(graph: graph, connection: connection, keys: nil).repair(report.drifted)
            }
            try await harness.waitForJobs()
            try await harness.warm(users)
            let after = try await harness.verify(users)
            #expect(after.isClean && after.windows == 5)
        }
    }

    @Test(.redisServer)
    func `many tasks that follow, unfollow, publish and delete on the same pairs at once end exact`() async throws {
        try await withTimeline { harness async throws in
            let users = try await harness.users(6)
            for user in users {
                for other in users where user < other { try await harness.graph.follows.follow(user, other) }
            }
            for _ in 0..<4 { for user in users { try await harness.post(user) } }
            try await harness.waitForJobs()
            try await harness.warm(users)
            let (graph, timelines) = (harness.graph, harness.timelines)
            try await withThrowingTaskGroup(of: Void.self) { group in
                for task in 0..<16 {
                    group.addTask {
                        var random = SplitMix64(seed: UInt64(task))
                        var own: [(PostID, UserID)] = []
                        for _ in 0..<60 {
                            let (one, other) = (
                                users.randomElement(using: &random)!, users.randomElement(using: &random)!
                            )
                            switch Int.random(in: 0..<6, using: &random) {
                            case 0 where one != other: try await graph.follows.follow(one, other)
                            case 1 where one != other: try await graph.follows.unfollow(one, other)
                            case 2, 3:
                                own.append(
                                    (
                                        try await graph.posts.publish(.sample(one, with: one == other ? [] : [other]))
                                            .id, one
                                    ))
                            case 4:
                                if let (post, author) = own.popLast() {
                                    try await graph.posts.deletePost(post, by: author)
                                }
                            default: _ = try await timelines.home.page(of: one, below: nil, limit: 20)
                            }
                        }
                    }
                }
                try await group.waitForAll()
            }
            try await harness.waitForJobs()
            try await harness.warm(users)
            for user in users {
                let truth = try await graph.feeds.homeByDefinition(of: user).map(\.post)
                #expect(try await harness.walk(user, limit: 7) == truth)
                #expect(truth.count > TimelineHarness.cap)
            }
            let report = try await harness.verify(users)
            #expect(report.isClean && report.windows == users.count)
        }
    }
}
