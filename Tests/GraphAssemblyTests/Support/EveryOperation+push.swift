@testable import Push
@testable import SocialGraph
import Database
import TestSupport

extension EveryOperation {
    /// Devices, webhooks, reminders, and messages to them.
    static func push(on graph: GraphStore, _ ann: UserID, _ bob: UserID) async throws {
        try await graph.devices.registerDevice("gone", platform: .ios, app: nil, of: ann)
        try await graph.devices.registerDevice("gone", platform: .web, app: "a", of: ann)
        try await graph.devices.removeDevice("gone", of: ann)
        try await graph.reachByEveryChannel(ann)
        _ = try await graph.pushSettings.pushSettings(of: ann)
        _ = try await graph.devices.devices(of: ann)
        _ = try await graph.pushSettings.reminders(of: ann)
        // The API refuses a reminder that is already due, so the row is changed directly.
        try await graph.database.write { transaction in
            try transaction.execute(
                "UPDATE reminder SET next_at = ?2 WHERE user_id = ?1",
                [.user(ann), .integer(transaction.now)])
        }
        _ = try await graph.pushSettings.fireReminders(limit: 5)
        var change = ProfileChange()
        change.preferences = ["preferredTypes": .list(["Run"])]
        try await graph.accounts.changeProfile(of: ann, change)
        let post = try await graph.posts.publish(
            NewPost(author: bob, caption: "c", mediaURL: "m", attributes: ["workoutType": .text("run")])
        ).id
        while try await graph.pushEvents.matchInterests() {}
        _ = try await graph.pushEvents.newestMatches(of: ann, limit: 5)
        let own = try await graph.posts.publish(NewPost(author: ann, caption: "c", mediaURL: "m")).id
        try await graph.likes.like(own, by: bob)
        for event in try await graph.pushEvents.duePushes(at: .max, limit: 5) where event.kind == .like {
            try await graph.pushEvents.apply([(event, .wait(until: 1))])
            _ = try await graph.pushEvents.notificationGroup(event.subject, of: ann)
        }
        try await graph.tellAll(at: .max, about: post)
        try await graph.likes.unlike(own, by: bob)
        try await graph.likes.like(own, by: bob)
        _ = try await graph.pushDeliveries.pushBacklog()
        try await deliver(graph, ann)
        for event in try await graph.pushEvents.duePushes(at: .max, limit: 5) {
            try await graph.pushEvents.apply([(event, .drop)])
        }
        while try await graph.pushEvents.prunePushes(limit: 5) {}
    }

    private static func deliver(_ graph: GraphStore, _ ann: UserID) async throws {
        try await graph.pushDeliveries.freeDeliveries(from: .isDead)
        let webhook = try await graph.webhooks.webhooks(of: ann)[0].id
        let first = try await graph.pushDeliveries.takeDeliveries(.webhook, at: .max, limit: 1, lease: 0)[0]
        try await graph.pushDeliveries.acknowledge(first, .failed(status: 500, failure: "f"))
        _ = try await graph.webhooks.deadLetters(of: webhook, ann, below: nil, limit: 5)
        _ = try await graph.webhooks.retryDeadLetter(first.id, of: webhook, ann)
        for outcome in [
            PushOutcome.postponed(until: 1), .retry(at: 1, status: 500, failure: "f"), .finished, .targetGone,
        ] {
            for channel in PushChannel.allCases {
                for delivery in try await graph.pushDeliveries.takeDeliveries(channel, at: .max, limit: 1, lease: 1_000)
                {
                    try await graph.pushDeliveries.acknowledge(delivery, outcome)
                }
            }
        }
        // The topic is used if there is no device.
        for device in try await graph.devices.devices(of: ann) {
            try await graph.devices.removeDevice(device.token, of: ann)
        }
        _ = try await graph.webhooks.removeWebhook(webhook, of: ann)
    }
}
