import Database
import Synchronization
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

    private static func take(_ fixture: GraphFixture, _ places: PushPlaces = PushPlaces()) async throws -> [Int64] {
        try await fixture.takeDeliveries(.webhook, limit: 16, lease: 100, places: places).map(\.targetID)
    }

    @Test
    func `a webhook is served beside others with thousands of older messages`() async throws {
        try await withGraph { fixture in
            let (graph, users) = (fixture.graph, try await fixture.users(2))
            let slow = try await Self.webhooks(10, of: users[0], graph)
            try await Self.enqueue(Int(PushLimits.undeliveredPerWebhook), for: slow, graph)
            let other = try await Self.webhooks(1, of: users[1], graph)
            try await Self.enqueue(2, for: other, graph)
            let taken = try await Self.take(fixture)
            #expect(taken == (slow + other).map(\.id))
            // The attempts at the slow webhooks are still in progress.
            var places = PushPlaces()
            for webhook in slow { places.occupy(webhook.id, of: users[0]) }
            #expect(try await Self.take(fixture, places) == other.map(\.id))
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
            #expect(try await Self.take(fixture, places) == (many.prefix(2) + other).map(\.id))
            for webhook in many.prefix(2) { places.occupy(webhook.id, of: users[0]) }
            #expect(try await Self.take(fixture, places) == other.map(\.id))
            places.release(many[0].id, of: users[0])
            #expect(try await Self.take(fixture, places) == [many[0].id])
        }
    }

    @Test
    func `users with slow webhooks leave a place to one who has none`() async throws {
        try await withGraph { fixture in
            let (graph, users) = (fixture.graph, try await fixture.users(6))
            var slow: [[Webhook]] = []
            for user in users.prefix(4) { slow.append(try await Self.webhooks(4, of: user, graph)) }
            try await Self.enqueue(3, for: slow.flatMap(\.self), graph)
            let others = try await Self.webhooks(2, of: users[4], graph)
            try await Self.enqueue(1, for: others, graph)
            var places = PushPlaces(limit: 16, share: 4)
            let taken = slow.prefix(3).flatMap(\.self) + slow[3].prefix(2) + others.prefix(1)
            #expect(try await Self.take(fixture, places) == taken.map(\.id))
            for webhook in taken { places.occupy(webhook.id, of: webhook.user) }
            #expect(try await Self.take(fixture, places) == [])
            let last = try await Self.webhooks(1, of: users[5], graph)
            try await Self.enqueue(1, for: last, graph)
            #expect(try await Self.take(fixture, places) == last.map(\.id))
            // The place that an attempt frees is not for a user who has others.
            places.occupy(last[0].id, of: users[5])
            places.release(taken[0].id, of: users[0])
            #expect(try await Self.take(fixture, places) == [])
        }
    }

    @Test
    func `messages that are all passed over are read without a write`() async throws {
        try await withGraph { fixture in
            let users = try await fixture.users(1)
            let webhooks = try await Self.webhooks(2, of: users[0], fixture.graph)
            try await Self.enqueue(300, for: webhooks, fixture.graph)
            let writes = RoundTrips()
            let deliveries = GraphStore(database: WatchedWrites(inner: fixture.database, writes: writes)).pushDeliveries
            var places = PushPlaces()
            for webhook in webhooks { places.occupy(webhook.id, of: users[0]) }
            let none = try await deliveries.takeDeliveries(
                .webhook, at: fixture.clock.now, limit: 14, lease: 100, places: places)
            #expect(none.isEmpty && writes.count == 0)
            places.release(webhooks[1].id, of: users[0])
            let one = try await deliveries.takeDeliveries(
                .webhook, at: fixture.clock.now, limit: 14, lease: 100, places: places)
            #expect(one.map(\.targetID) == [webhooks[1].id] && writes.count == 1)
        }
    }

    @Test
    func `a delivery that another node takes after it was chosen is left to it`() async throws {
        try await withGraph { fixture in
            let users = try await fixture.users(1)
            let webhooks = try await Self.webhooks(3, of: users[0], fixture.graph)
            try await Self.enqueue(1, for: webhooks, fixture.graph)
            let early = EarlierTaker(inner: fixture.database) {
                _ = try await fixture.takeDeliveries(.webhook, limit: 1, lease: 100)
            }
            // The next one is chosen in its place.
            let taken = try await GraphStore(database: early).pushDeliveries.takeDeliveries(
                .webhook, at: fixture.clock.now, limit: 1, lease: 100)
            #expect(taken.map(\.targetID) == [webhooks[1].id] && taken.map(\.attempts) == [1])
            #expect(try await Self.take(fixture) == [webhooks[2].id])
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
            let taken = try await fixture.takeDeliveries(.webhook, limit: 1, lease: 100)
            try await graph.pushDeliveries.acknowledge(try #require(taken.first), .finished)
            try await follow(users[3...])
            #expect(try await waiting() == [limit, 3])
        }
    }
}

/// Hands everything on to another database, and counts the writes.
private struct WatchedWrites: ForwardingDatabase {
    let inner: any GraphDatabase
    let writes: RoundTrips

    func write<T: Sendable>(_ body: @escaping @Sendable (any GraphTransaction) throws -> T) async throws -> T {
        writes.note()
        return try await inner.write(body)
    }
}

/// Hands everything on to another database, and lets another taker come before the first write.
private final class EarlierTaker: ForwardingDatabase {
    let inner: any GraphDatabase
    private let take: @Sendable () async throws -> Void
    private let hasTaken = Mutex(false)

    init(inner: any GraphDatabase, take: @escaping @Sendable () async throws -> Void) {
        (self.inner, self.take) = (inner, take)
    }

    func write<T: Sendable>(_ body: @escaping @Sendable (any GraphTransaction) throws -> T) async throws -> T {
        let isFirst = hasTaken.withLock { hasTaken in
            defer { hasTaken = true }
            return !hasTaken
        }
        if isFirst { try await take() }
        return try await inner.write(body)
    }
}
