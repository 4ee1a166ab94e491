import Database
import SocialGraph
import TestSupport
import Testing

@testable import Idempotency

/// Requests with a key, on the example of posts.
@Suite(.timeLimit(.unit))
struct IdempotencyTests {
    /// The answer that a refused repetition carries.
    private func repeated(
        _ graph: GraphStore, _ post: NewPost, fingerprint: [UInt8] = [1]
    ) async throws -> KeptRequest? {
        do {
            _ = try await graph.publish(post, key: "k", fingerprint: fingerprint)
            return nil
        } catch IdempotencyRefusal.answered(let kept) {
            return kept
        }
    }

    @Test func `the same key gives the same answer, one post and one row`() async throws {
        try await withGraph { fixture in
            let ann = try await fixture.user("ann")
            let first = try await fixture.graph.publish(.sample(ann), key: "k", fingerprint: [0, 1, 255])
            let kept = try #require(try await repeated(fixture.graph, .sample(ann)))
            #expect(
                kept
                    == KeptRequest(
                        fingerprint: [0, 1, 255], answer: KeptAnswer(published: first), isDeleted: false))
            #expect(try await fixture.graph.idempotency.find(.publishing("k", by: ann)) == kept)
            #expect(try await fixture.integer("SELECT COUNT(*) FROM post") == 1)
            #expect(try await fixture.integer("SELECT COUNT(*) FROM outbox") == 1)
            #expect(try await fixture.integer("SELECT COUNT(*) FROM idempotent_request") == 1)
            #expect(try await fixture.graph.accounts.account(ann)?.postsCount == 1)
        }
    }

    @Test func `fifty concurrent requests with one key make one post`() async throws {
        try await withGraph { fixture in
            let ann = try await fixture.user("ann")
            let answers = try await withThrowingTaskGroup(of: [UInt8].self) { group in
                for _ in 0..<50 {
                    group.addTask {
                        do {
                            let post = try await fixture.graph.publish(.sample(ann), key: "k")
                            return KeptAnswer(published: post).body
                        } catch IdempotencyRefusal.answered(let kept) {
                            return kept.answer.body
                        }
                    }
                }
                return try await group.reduce(into: Set()) { $0.insert($1) }
            }
            #expect(answers.count == 1)
            #expect(try await fixture.integer("SELECT COUNT(*) FROM post") == 1)
        }
    }

    @Test func `keys belong to their user and their operation`() async throws {
        try await withGraph { fixture in
            let users = try await fixture.users(2)
            for user in users { _ = try await fixture.graph.publish(.sample(user), key: "k") }
            let other = IdempotentRequest(user: users[0], key: "k", operation: "POST /v1/communities")
            try await fixture.graph.idempotency.keep(KeptAnswer(status: 200, body: [7]), to: other, fingerprint: [1])
            #expect(try await fixture.graph.idempotency.find(other)?.answer.body == [7])
            #expect(try await fixture.integer("SELECT COUNT(*) FROM post") == 2)
        }
    }

    @Test func `a key is remembered for a day and forgotten after it`() async throws {
        try await withGraph { fixture in
            let ann = try await fixture.user("ann")
            let first = try await fixture.graph.publish(.sample(ann), key: "k")
            fixture.clock.advance(by: IdempotencyLimits.retention)
            try await fixture.graph.changes.prune()
            #expect(try await repeated(fixture.graph, .sample(ann))?.answer == KeptAnswer(published: first))
            fixture.clock.advance(by: 1)
            #expect(try await repeated(fixture.graph, .sample(ann)) == nil)
            #expect(try await fixture.integer("SELECT COUNT(*) FROM post") == 2)
            #expect(try await fixture.integers("SELECT ordinal FROM idempotent_request") == [2])
            fixture.clock.advance(by: IdempotencyLimits.retention + 1)
            try await fixture.graph.changes.prune()
            #expect(try await fixture.integers("SELECT ordinal FROM idempotent_request") == [])
        }
    }

    @Test func `upkeep removes the oldest requests in steps`() async throws {
        try await withGraph { fixture in
            let ann = try await fixture.user("ann")
            for number in 0..<5 {
                _ = try await fixture.graph.publish(.sample(ann), key: "k\(number)")
                fixture.clock.advance(by: 1)
            }
            fixture.clock.advance(by: IdempotencyLimits.retention)
            func step() async throws -> Bool {
                try await fixture.database.write { try IdempotencyStore.Writer($0).prune(limit: 2) }
            }
            #expect(try await step())
            #expect(try await fixture.integers("SELECT ordinal FROM idempotent_request ORDER BY 1") == [3, 4, 5])
            #expect(try await step())
            #expect(try await step() == false)
            #expect(try await fixture.integers("SELECT ordinal FROM idempotent_request") == [])
        }
    }

    @Test func `the answer about a deleted post is marked`() async throws {
        try await withGraph { fixture in
            let ann = try await fixture.user("ann")
            let post = try await fixture.graph.publish(.sample(ann), key: "k")
            try await fixture.graph.posts.deletePost(post.id, by: ann)
            #expect(try await repeated(fixture.graph, .sample(ann))?.isDeleted == true)
            #expect(try await fixture.integer("SELECT COUNT(*) FROM post") == 1)
        }
    }

    @Test func `a request that was refused may be repeated with its key`() async throws {
        try await withGraph { fixture in
            let ann = try await fixture.user("ann")
            await #expect(throws: GraphError.unknownCollaborator("3")) {
                _ = try await fixture.graph.publish(.sample(ann, with: [UserID(rawValue: 3)]), key: "k")
            }
            #expect(try await fixture.integer("SELECT COUNT(*) FROM idempotent_request") == 0)
            _ = try await fixture.graph.publish(.sample(ann), key: "k")
        }
    }

    @Test func `other writes of a request do not carry its claim`() async throws {
        try await withGraph { fixture in
            let (ann, bob) = (try await fixture.user("ann"), try await fixture.user("bob"))
            let claim = IdempotencyClaim(.publishing("k", by: ann), fingerprint: [1])
            try await claim.joining(answer: { (post: Post) in KeptAnswer(published: post) }) {
                try await fixture.graph.follows.follow(ann, bob)
                #expect(!claim.isCommitted && claim.answer == nil)
                _ = try await fixture.graph.posts.publish(.sample(ann, "one"))
                #expect(claim.isCommitted)
                _ = try await fixture.graph.posts.publish(.sample(ann, "two"))
            }
            #expect(try await fixture.integer("SELECT COUNT(*) FROM post") == 2)
            #expect(try await fixture.integer("SELECT COUNT(*) FROM idempotent_request") == 1)
        }
    }

    @Test func `an answer that is too long undoes its effect`() async throws {
        try await withGraph { fixture in
            let ann = try await fixture.user("ann")
            let claim = IdempotencyClaim(.publishing("k", by: ann), fingerprint: [1])
            let bytes = IdempotencyLimits.answerBytes + 1
            await #expect(throws: IdempotencyRefusal.answerTooLarge(bytes: bytes)) {
                try await claim.joining(
                    answer: { (_: Post) in KeptAnswer(status: 201, body: [UInt8](repeating: 1, count: bytes)) }
                ) { _ = try await fixture.graph.posts.publish(.sample(ann)) }
            }
            #expect(try await fixture.integer("SELECT COUNT(*) FROM post") == 0)
        }
    }

    @Test func `a user whose keys are used up waits for the oldest to be forgotten`() async throws {
        try await withGraph { fixture in
            let ann = try await fixture.user("ann")
            _ = try await fixture.graph.publish(.sample(ann), key: "first")
            fixture.clock.advance(by: Milliseconds.minute)
            _ = try await fixture.graph.publish(.sample(ann), key: "second")
            try await fixture.database.write {
                try $0.execute(
                    "UPDATE idempotent_request SET ordinal = ?1 WHERE ordinal = 2",
                    [.integer(IdempotencyLimits.keysPerUser)])
            }
            let wait = Int((IdempotencyLimits.retention - Milliseconds.minute) / 1_000) + 1
            await #expect(throws: IdempotencyRefusal.tooManyKeys(secondsUntilRoom: wait)) {
                try await fixture.graph.publish(.sample(ann), key: "third")
            }
            #expect(try await fixture.integer("SELECT COUNT(*) FROM post") == 2)
            _ = try await fixture.graph.publish(.sample(try await fixture.user("bob")), key: "third")
            fixture.clock.advance(by: .seconds(wait))
            _ = try await fixture.graph.publish(.sample(ann), key: "third")
        }
    }
}
