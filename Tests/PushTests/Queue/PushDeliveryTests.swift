import Database
import TestSupport
import Testing

@testable import Push
@testable import SocialGraph

/// The queue of messages to send.
@Suite(.timeLimit(.unit))
struct PushDeliveryTests {
    /// Creates a user with messages about `count` new followers, one message each.
    private static func told(
        _ fixture: GraphFixture, _ count: Int, by reach: (UserID) async throws -> Void
    ) async throws -> UserID {
        let users = try await fixture.users(count + 1)
        try await reach(users[0])
        for user in users.dropFirst() {
            try await fixture.graph.follows.follow(user, users[0])
            try await fixture.graph.notifications.markAllNotificationsRead(of: users[0])
        }
        try await fixture.graph.tellAll(at: fixture.clock.now)
        return users[0]
    }

    @Test
    func `a token belongs to one user, and nothing for the former reaches the latter`() async throws {
        try await withGraph { fixture in
            let graph = fixture.graph
            let ann = try await Self.told(fixture, 1) {
                try await graph.devices.registerDevice("t", platform: .ios, app: "a", of: $0)
            }
            let bob = try await fixture.user("bob")
            try await graph.devices.registerDevice("t", platform: .web, app: nil, of: bob)
            #expect(try await graph.devices.devices(of: ann) == [])
            #expect(try await graph.devices.devices(of: bob).map(\.platform) == [.web])
            #expect(try await fixture.takeDeliveries(.device, limit: 9, lease: 1_000).isEmpty)
            try await graph.devices.removeDevice("t", of: ann)
            #expect(try await graph.devices.devices(of: bob).count == 1)
            for index in 0..<PushLimits.devicesPerUser + 3 {
                try await graph.devices.registerDevice("t\(index)", platform: .ios, app: nil, of: bob)
            }
            let tokens = try await graph.devices.devices(of: bob).map(\.token)
            #expect(tokens.count == PushLimits.devicesPerUser && !tokens.contains("t") && tokens[0] == "t22")
        }
    }

    @Test
    func `a delivery is one taker's until its lease is over, and then the former's word counts no more`() async throws {
        try await withGraph { fixture in
            let graph = fixture.graph
            _ = try await Self.told(fixture, 1) {
                try await graph.devices.registerDevice("t", platform: .ios, app: nil, of: $0)
            }
            let first = try #require(try await fixture.takeDeliveries(.device, limit: 9, lease: 100).first)
            #expect(try await fixture.takeDeliveries(.device, limit: 9, lease: 100).isEmpty)
            fixture.clock.advance(by: 100)
            let second = try #require(
                try await fixture.takeDeliveries(.device, limit: 9, lease: 100).first)
            #expect(second.message == first.message && second.attempts == 2)
            try await graph.pushDeliveries.acknowledge(first, .finished)
            // After a kill, the next run makes the delivery due at once.
            try await graph.pushDeliveries.freeDeliveries(from: .isDead)
            try await graph.pushDeliveries.acknowledge(second, .finished)
            let third = try #require(try await fixture.takeDeliveries(.device, limit: 9, lease: 100).first)
            #expect(third.message == first.message)
            try await graph.pushDeliveries.acknowledge(third, .postponed(until: fixture.clock.now + 5))
            fixture.clock.advance(by: 5)
            let fourth = try #require(
                try await fixture.takeDeliveries(.device, limit: 9, lease: 100).first)
            #expect(fourth.attempts == third.attempts)
            try await graph.pushDeliveries.acknowledge(fourth, .finished)
            fixture.clock.advance(by: 1_000)
            #expect(try await fixture.takeDeliveries(.device, limit: 9, lease: 100).isEmpty)
        }
    }

    @Test
    func `a device that is gone is forgotten, with what waits for it`() async throws {
        try await withGraph { fixture in
            let graph = fixture.graph
            let ann = try await Self.told(fixture, 3) {
                try await graph.devices.registerDevice("t", platform: .ios, app: nil, of: $0)
            }
            let taken = try #require(try await fixture.takeDeliveries(.device, limit: 1, lease: 100).first)
            try await graph.pushDeliveries.acknowledge(taken, .targetGone)
            #expect(try await graph.devices.devices(of: ann) == [])
            #expect(try await fixture.integer("SELECT COUNT(*) FROM push_delivery") == 0)
        }
    }

    @Test
    func `of a webhook one message is under way, and when it fails the others wait with it`() async throws {
        try await withGraph { fixture in
            let graph = fixture.graph
            let ann = try await Self.told(fixture, 4) {
                for path in ["a", "b"] {
                    _ = try await graph.webhooks.addWebhook(
                        "https://h.example/\(path)", kinds: [.follow], secret: [1], of: $0)
                }
            }
            let taken = try await fixture.takeDeliveries(.webhook, limit: 9, lease: 100)
            #expect(Set(taken.map(\.targetID)) == Set(try await graph.webhooks.webhooks(of: ann).map(\.id)))
            #expect(taken.count == 2)
            var places = PushPlaces()
            for delivery in taken { places.occupy(delivery.targetID, of: ann) }
            #expect(
                try await fixture.takeDeliveries(.webhook, limit: 9, lease: 100, places: places).isEmpty)
            try await graph.pushDeliveries.acknowledge(
                taken[0], .retry(at: fixture.clock.now + 50, status: 500, failure: "f"))
            try await graph.pushDeliveries.acknowledge(taken[1], .finished)
            let others = try await fixture.takeDeliveries(.webhook, limit: 9, lease: 100)
            #expect(others.map(\.targetID) == [taken[1].targetID])
            fixture.clock.advance(by: 50)
            places.release(taken[0].targetID, of: ann)
            let again = try await fixture.takeDeliveries(.webhook, limit: 9, lease: 100, places: places)
            #expect(again.map(\.targetID) == [taken[0].targetID])
            // The push service answers that the target is gone.
            try await graph.pushDeliveries.acknowledge(again[0], .targetGone)
            #expect(
                try await graph.webhooks.webhooks(of: ann).filter { $0.disabledAt != nil }.map(\.id) == [
                    taken[0].targetID
                ])
            #expect(
                try await fixture.integer(
                    "SELECT COUNT(*) FROM push_delivery WHERE target_id = \(taken[0].targetID)") == 0)
        }
    }

    @Test
    func `dead letters are kept, bounded, shown to their owner and sent again`() async throws {
        try await withGraph { fixture in
            let graph = fixture.graph
            let count = PushLimits.deadLettersPerWebhook
            let ann = try await Self.told(fixture, Int(PushEventStore.waitingPushes)) {
                _ = try await graph.webhooks.addWebhook("https://h.example/", kinds: [.follow], secret: [1], of: $0)
            }
            let bob = try await fixture.user("bob")
            let webhook = try #require(try await graph.webhooks.webhooks(of: ann).first).id
            try await graph.follows.follow(bob, ann)
            try await graph.tellAll(at: fixture.clock.now)
            var messages: [Int64] = []
            while let taken = try await fixture.takeDeliveries(.webhook, limit: 1, lease: 100).first {
                try await graph.pushDeliveries.acknowledge(taken, .failed(status: 500, failure: "f"))
                messages.append(taken.message)
            }
            #expect(messages.count == count + 1)
            let page = try #require(try await graph.webhooks.deadLetters(of: webhook, ann, below: nil, limit: 200))
            #expect(page.items.map(\.message) == messages.suffix(count).reversed())
            #expect(try await graph.webhooks.deadLetters(of: webhook, bob, below: nil, limit: 9) == nil)
            let letter = page.items[0]
            #expect(try await !graph.webhooks.retryDeadLetter(letter.id, of: webhook, bob))
            #expect(try await graph.webhooks.retryDeadLetter(letter.id, of: webhook, ann))
            #expect(try await !graph.webhooks.retryDeadLetter(letter.id, of: webhook, ann))
            let again = try #require(
                try await fixture.takeDeliveries(.webhook, limit: 9, lease: 100).first)
            #expect(again.message == letter.message && again.attempts == 1)
            fixture.clock.advance(by: RetainedData.failedDeliveries.standard + 1)
            while try await graph.pushEvents.prunePushes(limit: 10) {}
            #expect(try await graph.webhooks.deadLetters(of: webhook, ann, below: nil, limit: 9)?.items == [])
            #expect(try await graph.webhooks.removeWebhook(webhook, of: ann))
            #expect(try await !graph.webhooks.removeWebhook(webhook, of: ann))
        }
    }
}
