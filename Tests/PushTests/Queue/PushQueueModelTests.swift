import Database
import TestSupport
import Testing

@testable import Push
@testable import SocialGraph

/// Random acts, planning, attempts, crashes and clock changes, compared with a model in plain collections. Each target
/// gets each message once; it gets a message twice only if an attempt was interrupted after it was accepted.
@Suite(.timeLimit(.model))
struct PushQueueModelTests {
    /// One message to one target.
    private struct Parcel: Hashable {
        let subject: Int64
        let target: Int64
    }

    private struct Model {
        /// The planned messages, one for each target at that time.
        var expected: Set<Parcel> = []
        /// The number of times the receiver has accepted each message, and the number of those that were not recorded.
        var taken: [Parcel: Int] = [:]
        var cutOff: [Parcel: Int] = [:]
        var messages: [Parcel: Int64] = [:]
        var underWay: [PushDelivery] = []
    }

    @Test(arguments: 1...8 as ClosedRange<UInt64>)
    func `each target is told once, whatever is cut off`(seed: UInt64) async throws {
        try await withGraph { first in
            var generator = SplitMix64(seed: seed)
            var (fixture, model) = (first, Model())
            var opened: [GraphFixture] = []
            let users = try await first.users(40)
            let ann = users[0]
            try await first.graph.devices.registerDevice("d0", platform: .ios, app: nil, of: ann)
            _ = try await first.graph.webhooks.addWebhook("https://h.example/", kinds: [.follow], secret: [1], of: ann)
            var followers = users.dropFirst()
            for step in 0..<300 {
                switch Int.random(in: 0..<12, using: &generator) {
                case 0, 1:
                    guard let follower = followers.popFirst() else { continue }
                    try await fixture.graph.follows.follow(follower, ann)
                    try await fixture.graph.notifications.markAllNotificationsRead(of: ann)
                case 2, 3: try await tell(fixture, &model, ann)
                case 4, 5, 6: try await take(fixture, &model, &generator)
                case 7, 8, 9: try await acknowledge(fixture, &model, &generator)
                case 10:
                    // Sometimes longer than any lease.
                    fixture.clock.advance(by: Int64.random(in: 1...4_000, using: &generator))
                default:
                    if Bool.random(using: &generator) {
                        try await fixture.graph.devices.registerDevice("d\(step)", platform: .web, app: nil, of: ann)
                    } else {
                        // After a kill, attempts in progress are interrupted, and the next run knows the file only.
                        model.underWay = []
                        fixture = try fixture.another()
                        opened.append(fixture)
                        try await fixture.graph.pushDeliveries.freeDeliveries(from: .isDead)
                    }
                }
            }
            try await finish(fixture, &model, ann)
            try check(model)
            for fixture in opened { try fixture.database.close() }
        }
    }

    private func tell(_ fixture: GraphFixture, _ model: inout Model, _ ann: UserID) async throws {
        let due = try await fixture.graph.pushEvents.duePushes(at: fixture.clock.now, limit: 3)
        let devices = try await fixture.graph.devices.devices(of: ann).map(\.id)
        let webhooks = try await fixture.graph.webhooks.webhooks(of: ann).filter { $0.disabledAt == nil }.map(\.id)
        // Applied twice, like by two planners that have read the same events.
        for _ in 0..<2 { try await fixture.graph.pushEvents.apply(due.map { ($0, .tell(payload: "{}", post: nil)) }) }
        for event in due {
            for target in event.channel == .device ? devices : webhooks {
                let parcel = Parcel(subject: event.subject, target: target)
                #expect(model.expected.insert(parcel).inserted, "told twice")
            }
        }
    }

    private func take(_ fixture: GraphFixture, _ model: inout Model, _ generator: inout SplitMix64) async throws {
        for channel in PushChannel.allCases {
            let taken = try await fixture.takeDeliveries(channel, limit: 3, lease: 2_000)
            for delivery in taken {
                let parcel = Parcel(subject: delivery.subject, target: delivery.targetID)
                #expect(model.messages[parcel] ?? delivery.message == delivery.message, "another identity")
                model.messages[parcel] = delivery.message
                if Bool.random(using: &generator) {
                    // The message was accepted, but this is not recorded until it is settled.
                    model.taken[parcel, default: 0] += 1
                    model.cutOff[parcel, default: 0] += 1
                    model.underWay.append(delivery)
                } else {
                    try await fixture.graph.pushDeliveries.acknowledge(
                        delivery, .retry(at: fixture.clock.now + 100, status: 500, failure: "f"))
                }
            }
        }
    }

    private func acknowledge(_ fixture: GraphFixture, _ model: inout Model, _ generator: inout SplitMix64) async throws
    {
        guard let index = model.underWay.indices.randomElement(using: &generator) else { return }
        let delivery = model.underWay.remove(at: index)
        let isOurs =
            try await fixture.integer(
                "SELECT 1 FROM push_delivery WHERE id = \(delivery.id) AND attempts = \(delivery.attempts)") != nil
        try await fixture.graph.pushDeliveries.acknowledge(delivery, .finished)
        if isOurs { model.cutOff[Parcel(subject: delivery.subject, target: delivery.targetID), default: 0] -= 1 }
    }

    private func finish(_ fixture: GraphFixture, _ model: inout Model, _ ann: UserID) async throws {
        model.underWay = []
        try await fixture.graph.pushDeliveries.freeDeliveries(from: .isDead)
        while try await !fixture.graph.pushEvents.duePushes(at: fixture.clock.now, limit: 1).isEmpty {
            try await tell(fixture, &model, ann)
        }
        while try await fixture.graph.pushDeliveries.pushBacklog().deliveries > 0 {
            fixture.clock.advance(by: 100)
            for channel in PushChannel.allCases {
                for delivery in try await fixture.takeDeliveries(channel, limit: 3, lease: 2_000) {
                    model.taken[Parcel(subject: delivery.subject, target: delivery.targetID), default: 0] += 1
                    try await fixture.graph.pushDeliveries.acknowledge(delivery, .finished)
                }
            }
        }
    }

    private func check(_ model: Model) throws {
        #expect(model.expected.count > 20, "nothing was tested")
        #expect(Set(model.taken.keys) == model.expected)
        for (parcel, count) in model.taken {
            #expect(count == 1 + model.cutOff[parcel, default: 0], "\(parcel)")
        }
    }
}
