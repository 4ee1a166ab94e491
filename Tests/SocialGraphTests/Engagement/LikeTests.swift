import Database
import TestSupport
import Testing

@testable import SocialGraph

@Suite(.timeLimit(.unit))
struct LikeTests {
    @Test
    func `a thousand at once are counted exactly, each once`() async throws {
        try await withGraph { fixture in
            let (graph, users) = (fixture.graph, try await fixture.users(1_001))
            let post = try await fixture.post(users[0])
            try await withThrowingTaskGroup(of: Void.self) { group in
                for user in users.dropFirst() {
                    group.addTask { try await graph.likes.like(post, by: user) }
                    group.addTask { try await graph.likes.like(post, by: user) }
                }
                try await group.waitForAll()
            }
            #expect(try await graph.engagement.counts(of: post).likes == 1_000)
            #expect(try await fixture.integer("SELECT COUNT(*) FROM post_like") == 1_000)
            #expect(try await fixture.integer("SELECT SUM(likes) FROM engagement_hour") == 1_000)
            let groups = try await graph.notifications.notificationGroups(of: users[0], below: nil, limit: 5)
            #expect(groups.map(\.actorsCount) == [1_000] && groups[0].actors.count == NotificationGroup.actorsShown)
            try await withThrowingTaskGroup(of: Void.self) { group in
                for user in users.dropFirst() { group.addTask { try await graph.likes.unlike(post, by: user) } }
                try await group.waitForAll()
            }
            #expect(try await graph.engagement.counts(of: post).likes == 0)
            #expect(try await fixture.integer("SELECT SUM(likes) FROM engagement_hour") == 0)
            #expect(try await fixture.integer("SELECT COUNT(*) FROM notification_group") == 0)
        }
    }

    @Test
    func `what is taken back is taken out of the hour in which it was done`() async throws {
        try await withGraph { fixture in
            let (graph, users) = (fixture.graph, try await fixture.users(3))
            let post = try await fixture.post(users[0])
            try await graph.likes.like(post, by: users[1])
            fixture.clock.advance(by: EngagementClock.millisecondsPerHour)
            try await graph.likes.like(post, by: users[2])
            try await graph.likes.unlike(post, by: users[1])
            try await graph.reshares.reshare(post, by: users[1])
            #expect(try await fixture.integers("SELECT likes FROM engagement_hour ORDER BY hour") == [0, 1])
            #expect(try await fixture.integers("SELECT shares FROM engagement_hour ORDER BY hour") == [0, 1])
        }
    }

    @Test
    func `shares elsewhere count beside reshares, each anew`() async throws {
        try await withGraph { fixture in
            let (graph, users) = (fixture.graph, try await fixture.users(2))
            let post = try await fixture.post(users[0])
            try await graph.reshares.reshare(post, by: users[1])
            for count in 2...3 {
                let share = try await graph.engagement.shareExternally(post, by: users[1], platform: "elsewhere")
                #expect(share.counts.shares == Int64(count))
            }
            try await graph.reshares.unreshare(post, by: users[1])
            #expect(try await graph.engagement.counts(of: post).shares == 2)
            #expect(try await graph.engagement.externalShares(by: users[1], below: nil, limit: 5).items.count == 2)
            await #expect(throws: GraphError.postNotFound) {
                try await graph.engagement.shareExternally(PostID(rawValue: 1), by: users[1], platform: "x")
            }
        }
    }
}
