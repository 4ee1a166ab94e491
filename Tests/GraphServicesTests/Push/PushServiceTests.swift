import Database
import Push
import ServiceTestSupport
import SocialGraph
import TestSupport
import Testing

@testable import GraphServices

/// The push service: recipients, times and outcomes, with a scripted Firebase.
@Suite(.timeLimit(.unit))
struct PushServiceTests {
    @Test func `a new video is told to whom it interests as the product API specifies`() async throws {
        try await PushFixture.with { push in
            let author = try await push.user("author", token: "author")
            let ann = try await push.user("ann", token: "ann-1")
            try await push.graph.devices.registerDevice("ann-2", platform: .android, app: nil, of: ann)
            let topic = try await push.user("topic")
            try await push.graph.pushSettings.setPushSettings(PushSettings(usesTopic: true), of: topic)
            let silent = try await push.user("silent")
            let other = try await push.user("other", token: "other")
            for user in [author, ann, topic, silent] { try await push.prefer(user, ["hiit"]) }
            try await push.prefer(other, ["yoga"])
            let post = try await push.workout(author, "HIIT")
            try await push.service.runUntilIdle()
            let taken = push.firebase.taken
            #expect(
                Set(taken.map(\.target)) == ["token:ann-1", "token:ann-2", "topic:fitness_updates_\(topic.rawValue)"])
            #expect(taken.count == 3)
            for message in taken {
                #expect(message.title == "New Workout Video!")
                #expect(message.body == "A new HIIT routine has been uploaded that matches your interests.")
                #expect(message.data == ["videoId": "\(post.rawValue)"])
            }
            #expect(push.firebase.tokensGranted == 1)
        }
    }

    @Test func `notifications are told in groups and replace each other`() async throws {
        try await PushFixture.with { push in
            let ann = try await push.user("ann", token: "a")
            let others = [try await push.user("bob"), try await push.user("cat"), try await push.user("dan")]
            let post = try await push.workout(ann, "HIIT")
            try await push.graph.likes.like(post, by: others[0])
            try await push.graph.likes.like(post, by: others[1])
            try await push.service.runUntilIdle()
            try await push.graph.likes.like(post, by: others[2])
            try await push.service.runUntilIdle()
            #expect(push.firebase.taken.map(\.body) == ["cat and bob liked your post"])
            push.clock.advance(by: .seconds(60))
            try await push.service.runUntilIdle()
            #expect(push.firebase.taken.last?.body == "dan and 2 others liked your post")
            #expect(Set(push.firebase.taken.map(\.tag)).count == 1 && push.firebase.taken.count == 2)
            let data = try #require(push.firebase.taken.first?.data)
            #expect(data["type"] == "like" && data["videoId"] == "\(post.rawValue)" && data["notificationId"] != nil)
        }
    }

    @Test func `what was read, withdrawn, hidden, refused or has grown old is not told`() async throws {
        try await PushFixture.with { push in
            let graph = push.graph
            let ann = try await push.user("ann", token: "a")
            let (bob, cat) = (try await push.user("bob"), try await push.user("cat"))
            try await push.prefer(ann, ["HIIT"])
            let post = try await push.workout(ann, "yoga")
            // Read before it is sent:
            try await graph.likes.like(post, by: bob)
            try await graph.notifications.markAllNotificationsRead(of: ann)
            // Withdrawn before it is sent:
            try await graph.likes.like(post, by: cat)
            try await graph.likes.unlike(post, by: cat)
            // By a user blocked since; for followers only; deleted; by a user whose posts are muted.
            try await graph.follows.follow(cat, ann)
            try await graph.blocksAndMutes.block(ann, cat)
            try await push.workout(bob, "HIIT", visibility: .followers)
            try await graph.posts.deletePost(try await push.workout(bob, "HIIT"), by: bob)
            // Refused by the settings:
            try await graph.follows.follow(bob, ann)
            try await graph.pushSettings.setPushSettings(PushSettings(refused: [.follow]), of: ann)
            try await push.service.runUntilIdle()
            try await graph.blocksAndMutes.mute(ann, bob, .posts)
            try await push.workout(bob, "HIIT")
            try await push.service.runUntilIdle()
            #expect(push.firebase.attempts == 0)
            #expect(try await graph.pushDeliveries.pushBacklog() == (0, 0))
            // The push service fails for a day.
            try await graph.blocksAndMutes.mute(ann, bob, [])
            push.firebase.script("token:a", [.refuse(503, "UNAVAILABLE", retryAfter: "3600")])
            try await push.workout(bob, "HIIT")
            try await push.service.runUntilIdle()
            push.clock.advance(by: .seconds(86_401))
            try await push.service.runUntilIdle()
            #expect(push.firebase.attempts == 1 && push.firebase.taken == [])
            #expect(try await graph.pushDeliveries.pushBacklog() == (0, 0))
        }
    }

    @Test func `what is hidden between two attempts is not sent again`() async throws {
        try await PushFixture.with { push in
            let ann = try await push.user("ann", token: "a")
            let bob = try await push.user("bob")
            try await push.prefer(ann, ["HIIT"])
            for hide in [{ try await push.graph.blocksAndMutes.block(ann, bob) }] as [@Sendable () async throws -> Void]
            {
                push.firebase.script("token:a", [.refuse(500, "INTERNAL")])
                try await push.workout(bob, "HIIT")
                try await push.service.runUntilIdle()
                try await hide()
                push.clock.advance(by: .seconds(3_600))
                try await push.service.runUntilIdle()
            }
            #expect(push.firebase.attempts == 1 && push.firebase.taken == [])
        }
    }

    @Test func `quiet hours delay and gather`() async throws {
        try await PushFixture.with { push in
            let ann = try await push.user("ann", token: "a")
            let others = [try await push.user("bob"), try await push.user("cat")]
            let post = try await push.workout(ann, "HIIT")
            // The clock starts on 28 May 2026 at 20:26:40 UTC.
            let quiet = try #require(QuietHours(start: 20 * 60, end: 7 * 60, timeZone: "UTC"))
            try await push.graph.pushSettings.setPushSettings(PushSettings(quietHours: quiet), of: ann)
            for user in others {
                try await push.graph.likes.like(post, by: user)
                try await push.service.runUntilIdle()
                push.clock.advance(by: .seconds(4 * 3_600))
            }
            push.clock.advance(by: .seconds(2 * 3_600 + 33 * 60))
            try await push.service.runUntilIdle()
            #expect(push.firebase.attempts == 0)
            push.clock.advance(by: .seconds(20))
            try await push.service.runUntilIdle()
            #expect(push.firebase.taken.map(\.body) == ["cat and bob liked your post"])
        }
    }

    @Test(arguments: [
        FakeFirebase.Behaviour.refuse(404, "UNREGISTERED"),
        .refuse(400, "INVALID_ARGUMENT", field: "message.token"), .refuse(403, "SENDER_ID_MISMATCH"),
    ])
    func `a token that is no more is forgotten and the others are told`(behaviour: FakeFirebase.Behaviour) async throws
    {
        try await PushFixture.with { push in
            let ann = try await push.user("ann", token: "old")
            try await push.graph.devices.registerDevice("new", platform: .ios, app: nil, of: ann)
            let bob = try await push.user("bob")
            push.firebase.script("token:old", [behaviour])
            try await push.graph.follows.follow(bob, ann)
            try await push.service.runUntilIdle()
            #expect(push.firebase.taken.map(\.target) == ["token:new"])
            #expect(try await push.graph.devices.devices(of: ann).map(\.token) == ["new"])
        }
    }

    @Test func `a message that is wrong costs no device`() async throws {
        try await PushFixture.with { push in
            let ann = try await push.user("ann", token: "a")
            let bob = try await push.user("bob")
            push.firebase.script("token:a", [.refuse(400, "INVALID_ARGUMENT", field: "message.data")])
            try await push.graph.follows.follow(bob, ann)
            try await push.service.runUntilIdle()
            push.clock.advance(by: .seconds(3_600))
            try await push.service.runUntilIdle()
            #expect(push.firebase.attempts == 1)
            #expect(try await push.graph.devices.devices(of: ann).count == 1)
            #expect(try await push.graph.pushDeliveries.pushBacklog() == (0, 0))
        }
    }

    @Test func `trouble is tried again and Retry-After is obeyed`() async throws {
        try await PushFixture.with { push in
            let ann = try await push.user("ann", token: "a")
            let bob = try await push.user("bob")
            push.firebase.script(
                "token:a",
                [.refuse(503, "UNAVAILABLE", retryAfter: "90"), .refuse(500, "INTERNAL"), .reset(taken: false)])
            try await push.graph.follows.follow(bob, ann)
            var attempts: [Int] = []
            // At once; 89 s and 90 s; then half of 2 s; then half of 4 s.
            for seconds in [0, 89, 1, 1, 2] {
                push.clock.advance(by: .seconds(seconds))
                try await push.service.runUntilIdle()
                attempts.append(push.firebase.attempts)
            }
            #expect(attempts == [1, 1, 2, 3, 4])
            #expect(push.firebase.taken.count == 1)
        }
    }

    @Test func `a message that nobody takes is given up`() async throws {
        try await PushFixture.with { push in
            let ann = try await push.user("ann", token: "a")
            push.firebase.script("token:a", Array(repeating: .refuse(500, "INTERNAL"), count: 99))
            try await push.graph.follows.follow(try await push.user("bob"), ann)
            for _ in 0..<20 {
                try await push.service.runUntilIdle()
                push.clock.advance(by: .seconds(60))
            }
            #expect(push.firebase.attempts == 4)
            #expect(try await push.graph.pushDeliveries.pushBacklog() == (0, 0))
        }
    }

    @Test func `quota stops the whole channel and costs no attempt`() async throws {
        try await PushFixture.with { push in
            let bob = try await push.user("bob")
            let ann = try await push.user("ann", token: "a")
            push.firebase.script("token:a", [.refuse(429, "QUOTA_EXCEEDED", retryAfter: "120")])
            try await push.graph.follows.follow(bob, ann)
            try await push.service.runUntilIdle()
            push.clock.advance(by: .seconds(119))
            try await push.service.runUntilIdle()
            #expect(push.firebase.attempts == 1)
            push.clock.advance(by: .seconds(1))
            try await push.service.runUntilIdle()
            #expect(push.firebase.attempts == 2 && push.firebase.taken.count == 1)
        }
    }

    @Test func `a refused access token is renewed once and an old one before it ends`() async throws {
        try await PushFixture.with { push in
            let ann = try await push.user("ann", token: "a")
            func tell() async throws {
                let other = try await push.user("u\(Int.random(in: 0..<Int.max))")
                try await push.graph.follows.follow(other, ann)
                try await push.graph.notifications.markAllNotificationsRead(of: ann)
                try await push.graph.follows.follow(try await push.user("v\(Int.random(in: 0..<Int.max))"), ann)
                try await push.service.runUntilIdle()
            }
            try await tell()
            push.firebase.refuseTokens()
            try await tell()
            #expect(push.firebase.tokensGranted == 2 && push.firebase.taken.count == 2)
            try await tell()
            #expect(push.firebase.tokensGranted == 2)
            push.clock.advance(by: .seconds(3_600 - 299))
            try await tell()
            #expect(push.firebase.tokensGranted == 3 && push.firebase.taken.count == 4)
            // Without an access token, messages wait and no attempt is counted.
            push.firebase.grantTokens(status: 500)
            push.firebase.refuseTokens()
            for _ in 0..<9 {
                try await tell()
                push.clock.advance(by: .seconds(10))
            }
            push.firebase.grantTokens()
            push.clock.advance(by: .seconds(60))
            try await push.service.runUntilIdle()
            #expect(push.firebase.taken.count > 4)
            #expect(try await push.graph.pushDeliveries.pushBacklog() == (0, 0))
        }
    }

    @Test(arguments: [FakeFirebase.Behaviour.reset(taken: true), .hang(taken: true)])
    func `a sender that was cut off repeats under the same tag`(behaviour: FakeFirebase.Behaviour) async throws {
        var settings = PushFixture.Settings()
        // Ends the attempt that hangs. The other is over by then even on a busy machine.
        if case .hang = behaviour { settings.limit = .seconds(10) }
        try await PushFixture.with(settings) { push in
            let ann = try await push.user("ann", token: "a")
            push.firebase.script("token:a", [behaviour])
            try await push.graph.follows.follow(try await push.user("bob"), ann)
            try await push.service.runUntilIdle()
            push.clock.advance(by: .seconds(60))
            try await push.service.runUntilIdle()
            #expect(push.firebase.taken.count == 2)
            #expect(push.firebase.taken.first == push.firebase.taken.last)
        }
    }

    @Test func `reminders are of what the user may see`() async throws {
        try await PushFixture.with { push in
            let graph = push.graph
            let ann = try await push.user("ann", token: "a")
            let (bob, cat) = (try await push.user("bob"), try await push.user("cat"))
            try await push.prefer(ann, ["yoga"])
            let routine = try await push.workout(bob, "Yoga")
            try await push.workout(bob, "boxing")
            let hidden = try await push.workout(cat, "yoga")
            let discussed = try await push.workout(bob, "running")
            for post in [hidden, hidden, discussed] {
                _ = try await graph.comments.comment(on: post, by: bob, content: "!")
            }
            try await graph.blocksAndMutes.block(ann, cat)
            try await push.service.runUntilIdle()
            let before = push.firebase.taken.count
            let everyDay = Set(Reminder.Weekday.allCases)
            // Due in one minute and in two.
            let reminders = [
                Reminder(kind: .newRoutines, minute: 20 * 60 + 27, weekdays: everyDay, timeZone: "UTC"),
                Reminder(kind: .trendingDiscussions, minute: 20 * 60 + 28, weekdays: everyDay, timeZone: "UTC"),
            ].compactMap(\.self)
            try await graph.pushSettings.setReminders(reminders, of: ann)
            for _ in 0..<4 {
                push.clock.advance(by: .seconds(60))
                for _ in 0..<2 { try await push.service.runUntilIdle() }
            }
            let told = push.firebase.taken.dropFirst(before)
            #expect(told.map(\.title) == ["New routines for you", "Trending discussion"])
            #expect(told.map { $0.data["videoId"] } == ["\(routine.rawValue)", "\(discussed.rawValue)"])
            #expect(told.last?.body == "1 comment on a caption")
        }
    }
}
