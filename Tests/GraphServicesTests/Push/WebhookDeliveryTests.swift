import Database
import Push
import ServiceTestSupport
import SocialGraph
import Synchronization
import TestSupport
import Testing

@testable import GraphServices
@testable import StrictJSON

/// Delivery of webhooks: signatures, retries, dead letters and forbidden addresses.
@Suite(.timeLimit(.unit))
struct WebhookDeliveryTests {
    private static let secret = (0..<32).map { UInt8($0) }

    private static func told(_ push: PushFixture, _ path: String, url: String? = nil) async throws -> (UserID, Int64) {
        let ann = try await push.user("ann")
        let webhook = try await push.graph.webhooks.addWebhook(
            url ?? push.receiverURL + path, kinds: [.follow, .newVideo], secret: secret, of: ann)
        try await push.graph.follows.follow(try await push.user("bob"), ann)
        try await push.service.runUntilIdle()
        return (ann, webhook.id)
    }

    @Test func `a message is signed and says what the list says`() async throws {
        try await PushFixture.with { push in
            let (ann, _) = try await Self.told(push, "/a")
            let message = try #require(push.receiver.taken.first)
            #expect(try message.isSigned(by: WebhookSignature.text(of: Self.secret)))
            #expect(message.id.hasPrefix("msg_") && message.timestamp == String(push.clock.now / 1_000))
            let body = try JSONReader.read(Array(message.body.utf8))
            #expect(body.names == ["type", "timestamp", "data"] && body["type"] == .string("follow"))
            #expect(body["data"]?["message"] == .string("bob followed you"))
            // The webhook does not want the first kind. It wants the second.
            let post = try await push.workout(ann, "HIIT")
            try await push.graph.likes.like(post, by: try await push.user("cat"))
            try await push.service.runUntilIdle()
            #expect(push.receiver.taken.count == 1)
            try await push.prefer(ann, ["HIIT"])
            let video = try await push.workout(try await push.user("dan"), "HIIT")
            try await push.service.runUntilIdle()
            let second = try JSONReader.read(Array(try #require(push.receiver.taken.last).body.utf8))
            #expect(second["type"] == .string("newVideo"))
            #expect(second["data"]?["postId"] == .string("\(video.rawValue)"))
        }
    }

    @Test func `what is not taken is tried again under the same ID and then a dead letter`() async throws {
        try await PushFixture.with { push in
            push.receiver.script(
                "/a", [.status(500), .status(302, headers: ["Location": "/b"]), .reset(taken: false), .status(429)])
            let (ann, webhook) = try await Self.told(push, "/a")
            for _ in 0..<6 {
                push.clock.advance(by: .seconds(60))
                try await push.service.runUntilIdle()
            }
            let attempts = push.receiver.attempts
            #expect(attempts.count == 4 && Set(attempts.map(\.id)).count == 1 && Set(attempts.map(\.body)).count == 1)
            #expect(attempts.allSatisfy { $0.path == "/a" }, "no redirect is followed")
            #expect(Set(attempts.map(\.timestamp)).count == 4)
            let letters = try #require(
                try await push.graph.webhooks.deadLetters(of: webhook, ann, below: nil, limit: 9)
            ).items
            #expect(letters.map(\.status) == [429] && letters.map(\.attempts) == [4])
            #expect(letters.first.map { WebhookSender.messageID($0.message) } == attempts.first?.id)
            let shown = try await push.letters.page(of: webhook, ann, below: nil, limit: 9)?.items.first
            #expect(shown?.letter == letters.first && shown?.payload == attempts.first?.body)
            #expect(try await push.graph.webhooks.retryDeadLetter(try #require(letters.first).id, of: webhook, ann))
            try await push.service.runUntilIdle()
            #expect(push.receiver.taken.map(\.id) == [attempts[0].id])
            #expect(try await push.graph.webhooks.deadLetters(of: webhook, ann, below: nil, limit: 9)?.items == [])
        }
    }

    /// Creates a user with a webhook for likes, and two others who like a post of theirs.
    private static func liked(_ push: PushFixture) async throws -> (ann: UserID, others: [UserID], webhook: Int64) {
        let ann = try await push.user("ann")
        let webhook = try await push.graph.webhooks.addWebhook(
            push.receiverURL + "/a", kinds: [.like], secret: secret, of: ann)
        let others = [try await push.user("bob"), try await push.user("cat")]
        let post = try await push.workout(ann, "HIIT")
        for other in others { try await push.graph.likes.like(post, by: other) }
        try await push.service.runUntilIdle()
        return (ann, others, webhook.id)
    }

    @Test func `who is hidden after an attempt is absent from the next, which has the same ID`() async throws {
        try await PushFixture.with { push in
            push.receiver.script("/a", [.status(500)])
            let (ann, others, _) = try await Self.liked(push)
            #expect(push.receiver.attempts.first?.body.contains("bob") == true)
            try await push.graph.blocksAndMutes.block(ann, others[0])
            push.clock.advance(by: .seconds(60))
            try await push.service.runUntilIdle()
            let attempts = push.receiver.attempts
            #expect(attempts.count == 2 && Set(attempts.map(\.id)).count == 1)
            let message = try #require(push.receiver.taken.last)
            #expect(try message.isSigned(by: WebhookSignature.text(of: Self.secret)))
            let data = try #require(try JSONReader.read(Array(message.body.utf8))["data"])
            #expect(data["message"] == .string("cat liked your post") && !message.body.contains("bob"))
            #expect(!message.body.contains("\(others[0].rawValue)"))
        }
    }

    @Test func `a dead letter names nobody who is hidden by now, and is not sent if all are`() async throws {
        try await PushFixture.with { push in
            push.receiver.script("/a", Array(repeating: .status(500), count: 4))
            let (ann, others, webhook) = try await Self.liked(push)
            for _ in 0..<4 {
                push.clock.advance(by: .seconds(60))
                try await push.service.runUntilIdle()
            }
            func shown() async throws -> ShownDeadLetter {
                try #require(try await push.letters.page(of: webhook, ann, below: nil, limit: 9)?.items.first)
            }
            // A notification that was read is shown.
            try await push.graph.notifications.markAllNotificationsRead(of: ann)
            #expect(try await shown().payload?.contains("cat and bob liked your post") == true)
            try await push.graph.blocksAndMutes.block(ann, others[0])
            let payload = try #require(try await shown().payload)
            #expect(payload.contains("cat liked your post") && !payload.contains("bob"))
            try await push.graph.blocksAndMutes.block(ann, others[1])
            let letter = try await shown()
            #expect(letter.payload == nil)
            #expect(try await push.graph.webhooks.retryDeadLetter(letter.letter.id, of: webhook, ann))
            try await push.service.runUntilIdle()
            #expect(push.receiver.attempts.count == 4)
            #expect(try await push.letters.page(of: webhook, ann, below: nil, limit: 9)?.items.isEmpty == true)
        }
    }

    @Test func `a webhook that is gone is disabled`() async throws {
        try await PushFixture.with { push in
            push.receiver.script("/a", [.status(410)])
            let (ann, _) = try await Self.told(push, "/a")
            #expect(try await push.graph.webhooks.webhooks(of: ann).first?.disabledAt == push.clock.now)
            try await push.graph.follows.follow(try await push.user("cat"), ann)
            push.clock.advance(by: .seconds(3_600))
            try await push.service.runUntilIdle()
            #expect(push.receiver.attempts.count == 1)
        }
    }

    @Test func `a name that comes to mean a private address reaches nothing`() async throws {
        // The name was public when it was registered. The address at delivery counts.
        var settings = PushFixture.Settings()
        settings.allowsPrivate = false
        settings.resolve = { _, _ in [IPAddress("127.0.0.1")].compactMap(\.self) }
        try await PushFixture.with(settings) { push in
            let port = push.receiverURL.split(separator: ":").last ?? ""
            let (ann, webhook) = try await Self.told(push, "", url: "http://rebound.example:\(port)/a")
            #expect(push.receiver.attempts.isEmpty)
            let letters = try await push.graph.webhooks.deadLetters(of: webhook, ann, below: nil, limit: 9)?.items
            #expect(letters?.first?.failure == "\(AddressGuard.Refusal.notPublic)")
        }
    }

    @Test func `the connection goes to the address that was judged`() async throws {
        let asked = Mutex<[String: BudgetHolder]>([:])
        var settings = PushFixture.Settings()
        settings.resolve = { host, holder in
            asked.withLock { $0[host] = holder }
            return [IPAddress("127.0.0.1")].compactMap(\.self)
        }
        try await PushFixture.with(settings) { push in
            let port = push.receiverURL.split(separator: ":").last ?? ""
            // No resolver knows the name, so the connection can only use the judged address.
            let (ann, _) = try await Self.told(push, "", url: "http://no-such-host.invalid:\(port)/a")
            #expect(push.receiver.taken.count == 1)
            // The name waits for names of the same user.
            #expect(asked.withLock { $0 } == ["no-such-host.invalid": .user(ann.rawValue)])
        }
    }

    @Test func `a queue of names that is full takes no attempt from a message`() async throws {
        let asked = Mutex(0)
        // More often than a message is attempted.
        let refusals = 6
        var settings = PushFixture.Settings()
        settings.resolve = { _, _ in
            let count = asked.withLock { count in
                count += 1
                return count
            }
            if count <= refusals { throw Problem.queueIsFull }
            return [IPAddress("127.0.0.1")].compactMap(\.self)
        }
        #expect(refusals > settings.backoff.attempts)
        try await PushFixture.with(settings) { push in
            let port = push.receiverURL.split(separator: ":").last ?? ""
            _ = try await Self.told(push, "", url: "http://busy.example:\(port)/a")
            for _ in 0..<refusals {
                #expect(push.receiver.attempts.isEmpty)
                push.clock.advance(by: WebhookSender.busyPause)
                try await push.service.runUntilIdle()
            }
            #expect(push.receiver.taken.count == 1 && asked.withLock { $0 } == refusals + 1)
        }
    }

    @Test func `a slow receiver holds up nobody else`() async throws {
        try await PushFixture.with { push in
            let ann = try await push.user("ann")
            for path in ["/bad", "/good"] {
                _ = try await push.graph.webhooks.addWebhook(
                    push.receiverURL + path, kinds: [.follow], secret: Self.secret, of: ann)
            }
            push.receiver.script("/bad", Array(repeating: .status(500), count: 50))
            for number in 0..<5 {
                try await push.graph.follows.follow(try await push.user("u\(number)"), ann)
                push.clock.advance(by: .seconds(61))
                try await push.service.runUntilIdle()
            }
            #expect(push.receiver.taken.count == 5 && push.receiver.taken.allSatisfy { $0.path == "/good" })
        }
    }
}
