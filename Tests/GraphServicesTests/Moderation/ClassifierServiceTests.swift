import Database
import Moderation
import ServiceTestSupport
import SocialGraph
import TestSupport
import Testing

@testable import GraphServices
@testable import StrictJSON

/// External classifiers: requests are signed, late verdicts are ignored, and failures use the fallback.
@Suite(.timeLimit(.unit))
struct ClassifierServiceTests {
    @Test func `a question is signed and says what is judged`() async throws {
        try await ClassifierFixture.with { house in
            try await house.classifier(fallback: .allow)
            let post = try await house.post("is it fine?")
            await house.service.runUntilIdle()
            let comment = try await house.graph.comments.comment(on: post, by: house.author, content: "and this?").id
            await house.service.runUntilIdle()
            let asked = house.fake.asked
            #expect(asked.map(\.path) == ["/vision", "/vision"] && Set(asked.map(\.id)).count == 2)
            for question in asked {
                #expect(try question.isSigned(by: WebhookSignature.text(of: ClassifierFixture.secret)))
                #expect(question.timestamp == String(house.clock.now / 1_000))
            }
            let bodies = try asked.map { try JSONReader.read(Array($0.body.utf8)) }
            #expect(bodies.map { $0["type"]?.text } == ["moderation.classify", "moderation.classify"])
            let (first, second) = (bodies[0]["data"], bodies[1]["data"])
            #expect(first?["postId"]?.text == "\(post.rawValue)" && first?["caption"]?.text == "is it fine?")
            #expect(first?["mediaUrl"]?.text == "https://app.example/media/1" && first?["username"]?.text == "ann")
            #expect(second?["commentId"]?.text == "\(comment.rawValue)" && second?["text"]?.text == "and this?")
            #expect(second?["onPostId"]?.text == "\(post.rawValue)" && second?["communityId"] == .null)
        }
    }

    @Test(arguments: ClassifierVerdict.allCases, ClassifierVerdict.allCases)
    func `what it says is done`(verdict: ClassifierVerdict, fallback: ClassifierVerdict) async throws {
        try await ClassifierFixture.with { house in
            try await house.classifier(fallback: fallback)
            // The NUL makes the answer invalid JSON.
            house.fake.script([
                .says(#"{"verdict":"\#(verdict.rawValue)","reason":"b\u0000ad"}"#),
                .says(#"{"verdict":"\#(verdict.rawValue)","reason":"bad","labels":["x",3],"more":{}}"#),
            ])
            let post = try await house.post()
            let waits = fallback == .hold || fallback == .remove
            #expect(try await house.state(.post(post)) == (waits ? .held : .shown))
            await house.service.runUntilIdle()
            #expect(try await house.state(.post(post)) == (waits ? .held : .shown))
            house.clock.advance(by: .seconds(2))
            await house.service.runUntilIdle()
            #expect(house.fake.asked.count == 2)
            let expected: ClassifierFixture.State =
                switch verdict {
                case .allow, .flag: .shown
                case .hold: .held
                case .remove: .takenDown
                }
            #expect(try await house.state(.post(post)) == expected)
            #expect(try await house.count("report") == (verdict == .flag ? 1 : 0))
            #expect(try await house.count("classification") == 0)
            let held = try await house.graph.queue.queue(QueueFilter(), above: nil, limit: 5, by: house.admin).items
            #expect(held.map(\.reason) == (verdict == .hold ? ["Classifier: vision"] : []))
        }
    }

    @Test(arguments: [
        FakeClassifier.Behaviour.says("", status: 500), .says("no JSON"), .says("[]"), .says(#"{"verdict":"maybe"}"#),
        .says(#"{"verdict":"allow"}"#, status: 201), .says("", status: 302), .stalls, .drips, .resets,
        .says(String(repeating: " ", count: 100_000) + #"{"verdict":"allow"}"#),
    ])
    func `what is no verdict in time leaves the fallback`(behaviour: FakeClassifier.Behaviour) async throws {
        try await ClassifierFixture.with { house in
            house.fake.script([behaviour])
            for (fallback, expected) in [
                (ClassifierVerdict.allow, ClassifierFixture.State.shown), (.hold, .held), (.remove, .takenDown),
            ] {
                let classifier = try await house.classifier(timeout: 300, fallback: fallback)
                let post = try await house.post()
                await house.service.runUntilIdle()
                #expect(try await house.count("classification") == 1)
                house.clock.advance(by: .milliseconds(300))
                await house.service.runUntilIdle()
                #expect(try await house.state(.post(post)) == expected)
                #expect(try await house.count("classification") == 0)
                try await house.graph.classifiers.deleteClassifier(classifier.id, by: house.admin)
            }
        }
    }

    @Test func `of several verdicts the strictest counts, and the last lets it out`() async throws {
        try await ClassifierFixture.with { house in
            try await house.classifier("first", fallback: .hold)
            try await house.classifier("second", fallback: .hold)
            for (answers, expected) in [
                (["allow", "allow"], ClassifierFixture.State.shown), (["allow", "hold"], .held),
                (["hold", "allow"], .held), (["remove", "allow"], .takenDown), (["flag", "allow"], .shown),
            ] {
                let post = try await house.post()
                for answer in answers {
                    #expect(try await house.state(.post(post)) != .shown)
                    let taken = try await house.graph.classifiers.takeClassifications(
                        limit: 1, lease: 60_000, at: house.clock.now)
                    let verdict = try #require(ClassifierVerdict(rawValue: answer))
                    try await house.graph.classifiers.apply(try #require(taken.first), ClassifierAnswer(verdict))
                }
                #expect(try await house.state(.post(post)) == expected, "\(answers)")
            }
        }
    }

    @Test func `what moderators have decided stands`() async throws {
        try await ClassifierFixture.with { house in
            try await house.classifier(fallback: .hold)
            house.fake.script([.says(#"{"verdict":"remove"}"#)])
            let post = try await house.post()
            let order = ModerationOrder(.approvePost, [.post(post)], reason: "seen")
            _ = try await house.graph.moderation.moderate(order, by: house.admin)
            await house.service.runUntilIdle()
            #expect(try await house.state(.post(post)) == .shown)
            // An edit causes a new request, and the answer to the earlier one no longer counts.
            let other = try await house.post()
            let taken = try await house.graph.classifiers.takeClassifications(
                limit: 1, lease: 60_000, at: house.clock.now)
            var change = PostChange()
            change.caption = "another"
            _ = try await house.graph.posts.editPost(other, by: house.author, change)
            try await house.graph.classifiers.apply(try #require(taken.first), ClassifierAnswer(.allow))
            #expect(try await house.state(.post(other)) == .held)
            await house.service.runUntilIdle()
            #expect(try await house.state(.post(other)) == .takenDown)
            #expect(house.fake.asked.last?.body.contains("another") == true)
        }
    }

    @Test func `what a killed server was asking is asked again`() async throws {
        try await ClassifierFixture.with { house in
            try await house.classifier(fallback: .hold)
            let post = try await house.post()
            let taken = try await house.graph.classifiers.takeClassifications(
                limit: 9, lease: 3_600_000, at: house.clock.now)
            #expect(taken.count == 1)
            await house.service.runUntilIdle()
            #expect(house.fake.asked.isEmpty)
            // Another run of the server asks again.
            let (shown, continuation) = AsyncStream<Void>.makeStream()
            house.graph.database.observeCommits { record in
                if record.changes.contains(where: { $0.kind == .postModerated }) { continuation.yield() }
            }
            let service = ClassifierFixture.service(house.graph, house.clock)
            let running = Task { try await service.run() }
            for await _ in shown {
                if try await house.state(.post(post)) == .shown { break }
            }
            running.cancel()
            try await running.value
            #expect(house.fake.asked.count == 1)
        }
    }
}
