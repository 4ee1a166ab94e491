import Database
import SocialGraph
import TestSupport
import Testing

@Suite(.timeLimit(.unit))
struct IdempotencyTests {
    private let key = IdempotencyKey(key: "k1", fingerprint: [0, 1, 255])

    @Test
    func `the same key and request give the same post and one row`() async throws {
        try await withGraph { fixture in
            let ann = try await fixture.user("ann")
            let first = try await fixture.graph.posts.publish(.sample(ann), idempotency: key)
            let second = try await fixture.graph.posts.publish(.sample(ann), idempotency: key)
            #expect(first == second)
            #expect(try await fixture.integer("SELECT COUNT(*) FROM post") == 1)
            #expect(try await fixture.integer("SELECT COUNT(*) FROM outbox") == 1)
            #expect(try await fixture.graph.accounts.account(ann)?.postsCount == 1)
        }
    }

    @Test
    func `fifty concurrent requests with one key make one post`() async throws {
        try await withGraph { fixture in
            let ann = try await fixture.user("ann")
            let posts = try await withThrowingTaskGroup(of: PostID.self) { group in
                for _ in 0..<50 {
                    group.addTask { try await fixture.graph.posts.publish(.sample(ann), idempotency: key).id }
                }
                return try await group.reduce(into: Set()) { $0.insert($1) }
            }
            #expect(posts.count == 1)
            #expect(try await fixture.integers("SELECT id FROM post") == posts.map(\.rawValue))
        }
    }

    @Test
    func `the key of another request is refused and nothing is written`() async throws {
        try await withGraph { fixture in
            let ann = try await fixture.user("ann")
            _ = try await fixture.graph.posts.publish(.sample(ann), idempotency: key)
            let other = IdempotencyKey(key: key.key, fingerprint: [2])
            await #expect(throws: GraphError.idempotencyKeyReused) {
                _ = try await fixture.graph.posts.publish(.sample(ann, "another"), idempotency: other)
            }
            #expect(try await fixture.integer("SELECT COUNT(*) FROM post") == 1)
        }
    }

    @Test
    func `keys belong to their account`() async throws {
        try await withGraph { fixture in
            let users = try await fixture.users(2)
            let first = try await fixture.graph.posts.publish(.sample(users[0]), idempotency: key)
            let second = try await fixture.graph.posts.publish(.sample(users[1]), idempotency: key)
            #expect(first.id != second.id)
            #expect(second.author == users[1])
        }
    }

    @Test
    func `a key is remembered for a day and forgotten after it`() async throws {
        try await withGraph { fixture in
            let ann = try await fixture.user("ann")
            let first = try await fixture.graph.posts.publish(.sample(ann), idempotency: key)
            fixture.clock.advance(by: SocialGraphLimits.idempotencyRetention)
            try await fixture.graph.changes.prune()
            #expect(try await fixture.graph.posts.publish(.sample(ann), idempotency: key).id == first.id)
            fixture.clock.advance(by: 1)
            let second = try await fixture.graph.posts.publish(.sample(ann), idempotency: key)
            #expect(second.id != first.id)
            #expect(try await fixture.integers("SELECT post_id FROM idempotency") == [second.id.rawValue])
            fixture.clock.advance(by: SocialGraphLimits.idempotencyRetention + 1)
            try await fixture.graph.changes.prune()
            #expect(try await fixture.integers("SELECT post_id FROM idempotency") == [])
        }
    }

    @Test
    func `the key of a deleted post does not publish it again`() async throws {
        try await withGraph { fixture in
            let ann = try await fixture.user("ann")
            let post = try await fixture.graph.posts.publish(.sample(ann), idempotency: key)
            try await fixture.graph.posts.deletePost(post.id, by: ann)
            await #expect(throws: GraphError.postNotFound) {
                _ = try await fixture.graph.posts.publish(.sample(ann), idempotency: key)
            }
            #expect(try await fixture.integer("SELECT COUNT(*) FROM post") == 1)
        }
    }

    @Test
    func `a request that was refused may be repeated with its key`() async throws {
        try await withGraph { fixture in
            let ann = try await fixture.user("ann")
            await #expect(throws: GraphError.unknownCollaborator("3")) {
                _ = try await fixture.graph.posts.publish(.sample(ann, with: [UserID(rawValue: 3)]), idempotency: key)
            }
            #expect(try await fixture.integer("SELECT COUNT(*) FROM idempotency") == 0)
            _ = try await fixture.graph.posts.publish(.sample(ann), idempotency: key)
        }
    }
}
