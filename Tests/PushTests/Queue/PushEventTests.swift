import Database
import TestSupport
import Testing

@testable import Push
@testable import SocialGraph

/// Push events, written with the act they are about.
@Suite(.timeLimit(.unit))
struct PushEventTests {
    private static func kinds(_ fixture: GraphFixture) async throws -> [PushKind] {
        try await fixture.graph.pushEvents.duePushes(at: fixture.clock.now, limit: 100).map(\.kind)
    }

    @Test
    func `only who can be reached is told`() async throws {
        try await withGraph { fixture in
            let graph = fixture.graph
            let users = try await fixture.users(4)
            let (ann, bob, cat, dan) = (users[0], users[1], users[2], users[3])
            try await graph.devices.registerDevice("t", platform: .ios, app: nil, of: bob)
            try await graph.pushSettings.setPushSettings(PushSettings(usesTopic: true), of: cat)
            _ = try await graph.webhooks.addWebhook("https://h.example/", kinds: [.follow], secret: [1], of: dan)
            for user in [bob, cat, dan] { try await graph.follows.follow(ann, user) }
            try await graph.follows.follow(bob, ann)
            let due = try await graph.pushEvents.duePushes(at: fixture.clock.now, limit: 10)
            #expect(due.map(\.user) == [bob, cat, dan])
            #expect(due.map(\.channel) == [.device, .device, .webhook])
            #expect(due.allSatisfy { $0.kind == .follow && $0.post == nil })
            try await graph.tellAll(at: fixture.clock.now)
            let devices = try await fixture.takeDeliveries(.device, limit: 10, lease: 1_000)
            #expect(devices.map(\.target) == [.device(token: "t"), .topic])
            let webhooks = try await fixture.takeDeliveries(.webhook, limit: 10, lease: 1_000)
            #expect(webhooks.map(\.target) == [.webhook(url: "https://h.example/", secret: [1])])
        }
    }

    @Test
    func `what joins a group is told with it, or after a while`() async throws {
        try await withGraph { fixture in
            let graph = fixture.graph
            let users = try await fixture.users(5)
            let post = try await fixture.post(users[0])
            try await graph.devices.registerDevice("t", platform: .ios, app: nil, of: users[0])
            try await graph.likes.like(post, by: users[1])
            try await graph.likes.like(post, by: users[2])
            #expect(try await Self.kinds(fixture) == [.like])
            let first = try await graph.tellAll(at: fixture.clock.now)
            try await graph.likes.like(post, by: users[3])
            #expect(try await Self.kinds(fixture) == [])
            fixture.clock.advance(by: PushEventStore.spacing - 1)
            try await graph.likes.like(post, by: users[4])
            #expect(try await Self.kinds(fixture) == [])
            fixture.clock.advance(by: 1)
            let second = try await graph.tellAll(at: fixture.clock.now)
            #expect(second.map(\.subject) == first.map(\.subject))
            let taken = try await fixture.takeDeliveries(.device, limit: 10, lease: 1_000)
            #expect(taken.count == 2 && Set(taken.map(\.message)).count == 2)
            // After it was read, the next like opens a group of its own, which is sent at once.
            try await graph.notifications.markAllNotificationsRead(of: users[0])
            try await graph.likes.unlike(post, by: users[1])
            try await graph.likes.like(post, by: users[1])
            let third = try await graph.tellAll(at: fixture.clock.now)
            #expect(third.count == 1 && third[0].subject != first[0].subject)
        }
    }

    @Test
    func `an event is told once, and of what is gone nothing is left`() async throws {
        try await withGraph { fixture in
            let graph = fixture.graph
            let users = try await fixture.users(2)
            try await graph.devices.registerDevice("t", platform: .ios, app: nil, of: users[0])
            try await graph.follows.follow(users[1], users[0])
            let event = try #require(try await graph.pushEvents.duePushes(at: fixture.clock.now, limit: 1).first)
            try await graph.pushEvents.apply([(event, .wait(until: fixture.clock.now + 5))])
            // The event is not due any more, so the earlier decision is outdated.
            try await graph.pushEvents.apply([(event, .tell(payload: "{}", post: nil))])
            #expect(try await fixture.takeDeliveries(.device, limit: 9, lease: 1).isEmpty)
            fixture.clock.advance(by: 5)
            for _ in 0..<2 { try await graph.pushEvents.apply([(event, .tell(payload: "{}", post: nil))]) }
            #expect(try await fixture.takeDeliveries(.device, limit: 9, lease: 1).count == 1)
            fixture.clock.advance(by: PushEventStore.retention + 1)
            while try await graph.pushEvents.prunePushes(limit: 1) {}
            #expect(try await fixture.integer("SELECT COUNT(*) FROM push_event") == 0)
        }
    }

    @Test
    func `what waits for one user is bounded`() async throws {
        try await withGraph { fixture in
            let users = try await fixture.users(Int(PushEventStore.waitingPushes) + 5)
            try await fixture.graph.devices.registerDevice("t", platform: .ios, app: nil, of: users[0])
            for user in users.dropFirst() {
                try await fixture.graph.follows.follow(user, users[0])
                // Each follow opens a group of its own.
                try await fixture.graph.notifications.markAllNotificationsRead(of: users[0])
            }
            let due = try await fixture.graph.pushEvents.duePushes(at: fixture.clock.now, limit: 1_000)
            #expect(due.count == Int(PushEventStore.waitingPushes))
        }
    }

    @Test
    func `of several decisions on an event the first counts, and each event has its own targets`() async throws {
        try await withGraph { fixture in
            let (graph, users) = (fixture.graph, try await fixture.users(5))
            for (number, user) in users[1...].enumerated() {
                for device in 0..<number {
                    try await graph.devices.registerDevice("t\(number)-\(device)", platform: .ios, app: nil, of: user)
                }
                if number == 0 { try await graph.pushSettings.setPushSettings(PushSettings(usesTopic: true), of: user) }
                try await graph.follows.follow(users[0], user)
            }
            try await graph.pushEvents.apply([])
            let due = try await graph.pushEvents.duePushes(at: fixture.clock.now, limit: 9)
            #expect(due.map(\.user) == Array(users[1...]))
            try await graph.pushEvents.apply([
                (due[3], .wait(until: fixture.clock.now + 5)), (due[0], .tell(payload: "0", post: nil)),
                (due[3], .drop), (due[2], .tell(payload: "2", post: nil)), (due[1], .drop),
                (due[2], .tell(payload: "twice", post: nil)), (due[1], .tell(payload: "1", post: nil)),
            ])
            let taken = try await fixture.takeDeliveries(.device, limit: 9, lease: 1_000)
            let payloads = try await graph.database.read { reader in
                try reader.rows("SELECT payload FROM push_delivery ORDER BY id", []) { $0.text(0) }
            }
            #expect(payloads == ["0", "2", "2"])
            #expect(taken.map(\.user) == [users[1], users[3], users[3]])
            #expect(Set(taken.map(\.message)).count == 2 && taken[0].target == .topic)
            let left = try await graph.pushEvents.duePushes(at: fixture.clock.now + 5, limit: 9)
            #expect(left.map(\.id) == [due[3].id])
        }
    }

    @Test
    func `events enqueued together are bounded and come once, as if one by one`() async throws {
        try await withGraph { fixture in
            let (graph, users) = (fixture.graph, try await fixture.users(2))
            for user in users { try await graph.devices.registerDevice("t\(user)", platform: .ios, app: nil, of: user) }
            try await fixture.database.write { transaction in
                let writer = PushEventStore.Writer(transaction)
                try writer.arm([])
                // Twice as many as may wait, each twice, and a few of another user.
                let subjects = (1...2 * PushEventStore.waitingPushes).flatMap { [$0, $0] }
                try writer.arm(subjects.map { (.newVideo, users[0], $0) })
                try writer.arm([1, 1, 2].map { (.newVideo, users[1], $0) })
            }
            let due = try await graph.pushEvents.duePushes(at: fixture.clock.now, limit: 1_000)
            let first = due.filter { $0.user == users[0] }.map(\.subject)
            #expect(first.sorted() == Array(1...PushEventStore.waitingPushes))
            #expect(due.filter { $0.user == users[1] }.map(\.subject).sorted() == [1, 2])
        }
    }

    @Test
    func `a failed act leaves no push`() async throws {
        try await withGraph { fixture in
            let users = try await fixture.users(2)
            let graph = fixture.graph
            try await graph.devices.registerDevice("t", platform: .ios, app: nil, of: users[0])
            struct Failure: Error {}
            await #expect(throws: Failure.self) {
                try await graph.database.write { transaction in
                    try NotificationStore.Writer(transaction).notify(
                        [users[0]], .follow, subject: 1, by: users[1])
                    throw Failure()
                }
            }
            #expect(try await Self.kinds(fixture) == [])
        }
    }
}
