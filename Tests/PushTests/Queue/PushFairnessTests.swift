import Database
import TestSupport
import Testing

@testable import Push
@testable import SocialGraph

/// Webhooks with many messages, beside those of other users.
@Suite(.timeLimit(.unit))
struct PushFairnessTests {
    /// Adds webhooks of `user`.
    private static func webhooks(_ count: Int, of user: UserID, _ graph: GraphStore) async throws -> [Webhook] {
        var webhooks: [Webhook] = []
        for number in 0..<count {
            webhooks.append(
                try await graph.webhooks.addWebhook(
                    "https://h.example/\(number)", kinds: [.follow], secret: [1], of: user))
        }
        return webhooks
    }

    /// Enqueues `count` messages for each of `webhooks`.
    private static func enqueue(_ count: Int, for webhooks: [Webhook], _ graph: GraphStore) async throws {
        try await graph.database.write { transaction in
            for webhook in webhooks {
                let event = PushEvent(
                    id: 0, user: webhook.user, channel: .webhook, kind: .follow, subject: 1, post: nil,
                    createdAt: transaction.now)
                for _ in 0..<count {
                    try PushDeliveryStore.Writer(transaction).deliver(event, to: [webhook.id], "{}", nil)
                }
            }
        }
    }

    private static func take(_ graph: GraphStore, _ places: PushPlaces = PushPlaces()) async throws -> [Int64] {
        try await graph.pushDeliveries.takeDeliveries(.webhook, limit: 16, lease: 100, places: places).map(\.targetID)
    }

    @Test
    func `a webhook is served beside others with thousands of older messages`() async throws {
        try await withGraph { fixture in
            let (graph, users) = (fixture.graph, try await fixture.users(2))
            let slow = try await Self.webhooks(10, of: users[0], graph)
            try await Self.enqueue(Int(PushLimits.undeliveredPerWebhook), for: slow, graph)
            let other = try await Self.webhooks(1, of: users[1], graph)
            try await Self.enqueue(2, for: other, graph)
            let taken = try await Self.take(graph)
            #expect(taken == (slow + other).map(\.id))
            // The attempts at the slow webhooks are still in progress.
            var places = PushPlaces()
            for webhook in slow { places.occupy(webhook.id, of: users[0]) }
            #expect(try await Self.take(graph, places) == other.map(\.id))
        }
    }

    @Test
    func `the webhooks of one user occupy no more than a share of the places`() async throws {
        try await withGraph { fixture in
            let (graph, users) = (fixture.graph, try await fixture.users(2))
            let many = try await Self.webhooks(5, of: users[0], graph)
            let other = try await Self.webhooks(1, of: users[1], graph)
            try await Self.enqueue(30, for: many, graph)
            try await Self.enqueue(2, for: other, graph)
            var places = PushPlaces(share: 2)
            #expect(try await Self.take(graph, places) == (many.prefix(2) + other).map(\.id))
            for webhook in many.prefix(2) { places.occupy(webhook.id, of: users[0]) }
            #expect(try await Self.take(graph, places) == other.map(\.id))
            places.release(many[0].id, of: users[0])
            #expect(try await Self.take(graph, places) == [many[0].id])
        }
    }

    @Test
    func `a webhook has one place, and a user those of the share`() {
        var places = PushPlaces(share: 2)
        let (ann, bob) = (UserID(rawValue: 1), UserID(rawValue: 2))
        let first = [
            places.occupy(1, of: ann), places.occupy(1, of: ann), places.occupy(2, of: ann), places.occupy(3, of: ann),
            places.occupy(4, of: bob),
        ]
        #expect(first == [true, false, true, false, true])
        places.release(9, of: ann)
        let full = places.occupy(3, of: ann)
        places.release(1, of: ann)
        let open = places.occupy(3, of: ann)
        #expect(!full && open)
        for (webhook, user) in [(Int64(2), ann), (3, ann), (4, bob)] { places.release(webhook, of: user) }
        #expect(places == PushPlaces(share: 2))
    }

    @Test
    func `a webhook that accepts nothing collects a bounded number of messages, and keeps none from another`()
        async throws
    {
        try await withGraph { fixture in
            let (graph, users) = (fixture.graph, try await fixture.users(4))
            let (ann, limit) = (users[0], PushLimits.undeliveredPerWebhook)
            let webhooks = try await Self.webhooks(2, of: ann, graph)
            try await Self.enqueue(Int(limit) - 1, for: [webhooks[0]], graph)
            func follow(_ followers: ArraySlice<UserID>) async throws {
                for follower in followers {
                    try await graph.follows.follow(follower, ann)
                    // Each follow opens a group of its own.
                    try await graph.notifications.markAllNotificationsRead(of: ann)
                }
                try await graph.tellAll(at: fixture.clock.now)
            }
            func waiting() async throws -> [Int64] {
                try await fixture.integers(
                    "SELECT COUNT(*) FROM push_delivery GROUP BY target_id ORDER BY target_id")
            }
            // Both are announced in one transaction.
            try await follow(users[1...2])
            #expect(try await waiting() == [limit, 2])
            // There is room after a message has been accepted.
            let taken = try await graph.pushDeliveries.takeDeliveries(.webhook, limit: 1, lease: 100)
            try await graph.pushDeliveries.acknowledge(try #require(taken.first), .finished)
            try await follow(users[3...])
            #expect(try await waiting() == [limit, 3])
        }
    }
}
