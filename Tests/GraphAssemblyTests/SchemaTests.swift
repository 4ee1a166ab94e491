import Database
import SocialGraph
import TestSupport
import Testing

/// Constraints that the database itself enforces. ``TranslatedSchemaTests`` finds the same ones on PostgreSQL.
@Suite(.timeLimit(.unit))
struct SchemaTests {
    static let account = "INSERT INTO account (id, username, username_key, email_key, created_at) VALUES"
    static let post = "INSERT INTO post (id, author_id, caption, media_url, created_at) VALUES"
    static let outbox = "INSERT INTO outbox (id, kind, created_at) VALUES"

    /// Creates users 1 and 2, post 9 by user 1, topic 5 and community 6.
    private static func prepare(_ fixture: GraphFixture) async throws {
        try await fixture.database.write { transaction in
            try transaction.execute("\(account) (1, 'ann', 'ann', 'a@x', 0), (2, 'bob', 'bob', 'b@x', 0)", [])
            try transaction.execute("\(post) (9, 1, '', '', 0)", [])
            try transaction.execute("INSERT INTO topic (id, kind, topic_key) VALUES (5, 'tag', 'run')", [])
            try transaction.execute(
                "INSERT INTO community (id, name, name_key, description, created_at) VALUES (6, 'run', 'run', '', 0)",
                [])
        }
    }

    private static func execute(_ statement: String, on fixture: GraphFixture) async throws {
        try await fixture.database.write { try $0.execute(statement, []) }
    }

    @Test(arguments: [
        "INSERT INTO follow (follower_id, followee_id, position) VALUES (1, 1, 1)",
        "INSERT INTO follow (follower_id, followee_id, position) VALUES (1, 7, 1)",
        "INSERT INTO follow (follower_id, followee_id, position) VALUES (7, 1, 1)",
        "INSERT INTO follow (follower_id, followee_id, position) VALUES (1, 2, NULL)",
        "\(account) (3, 'ANN', 'ann', 'c@x', 0)",
        "\(account) (3, 'cat', 'cat', 'a@x', 0)",
        "\(account) (1, 'cat', 'cat', 'c@x', 0)",
        "\(account) (3, NULL, 'cat', 'c@x', 0)",
        "\(account) (3, 'cat', 'cat', 'c@x', 'yesterday')",
        "UPDATE account SET followers_count = followers_count - 1 WHERE id = 1",
        "UPDATE account SET following_count = following_count - 1 WHERE id = 1",
        "UPDATE account SET posts_count = posts_count - 1 WHERE id = 1",
        "DELETE FROM account WHERE id = 1",
        "\(post) (10, 7, '', '', 0)",
        "\(post) (9, 1, '', '', 0)",
        "UPDATE post SET likes_count = -1",
        "UPDATE post SET comments_count = -1",
        "UPDATE post SET shares_count = -1",
        "INSERT INTO author_post (author_id, post_id) VALUES (7, 9)",
        "INSERT INTO author_post (author_id, post_id) VALUES (1, 10)",
        "INSERT INTO post_tag (post_id, ordinal, tag, tag_key) VALUES (9, 1, 'Run', 'run'), (9, 1, 'yoga', 'yoga')",
        "INSERT INTO topic_post (topic_id, post_id) VALUES (5, 9), (5, 9)",
        "INSERT INTO topic_post (topic_id, post_id) VALUES (6, 9)",
        "INSERT INTO topic (id, kind, topic_key) VALUES (6, 'tag', 'run')",
        "INSERT INTO topic (id, kind, topic_key) VALUES (6, 'name', 'run')",
        "INSERT INTO block (blocker_id, blocked_id, position) VALUES (1, 1, 1)",
        "INSERT INTO block (blocker_id, blocked_id, position) VALUES (1, 7, 1)",
        "INSERT INTO mute (muter_id, muted_id, position, posts, reshares, notifications) VALUES (1, 1, 1, 1, 1, 1)",
        "INSERT INTO mute (muter_id, muted_id, position, posts, reshares, notifications) VALUES (1, 2, 1, 0, 0, 0)",
        "INSERT INTO reshare (id, user_id, post_id) VALUES (20, 1, 9), (21, 1, 9)",
        "INSERT INTO reshare (id, user_id, post_id) VALUES (20, 1, 10)",
        "UPDATE post SET visibility = 'nobody'",
        "UPDATE post SET community_id = 8",
        "UPDATE community SET members_count = -1",
        "INSERT INTO community (id, name, name_key, description, created_at) VALUES (7, 'RUN', 'run', '', 0)",
        "INSERT INTO community_member (community_id, user_id, role, position) VALUES (6, 1, 'guest', 1)",
        "INSERT INTO community_pin (community_id, post_id, position) VALUES (6, 9, 1), (6, 9, 2)",
        "INSERT INTO hub (user_id, since, phase) VALUES (1, 1, 'pushed')",
        "INSERT INTO delivery (post_id, audience, pulled, queued_at, finished_at) VALUES (10, 1, 1, 1, 1)",
        "INSERT INTO post_collaborator (post_id, user_id, ordinal, status) VALUES (9, 2, 1, 'perhaps')",
        "INSERT INTO post_collaborator (post_id, user_id, ordinal, status) VALUES (9, 7, 1, 'pending')",
        "INSERT INTO idempotency (account_id, idempotency_key, fingerprint, post_id, created_at) "
            + "VALUES (1, 'k', 'text', 9, 0)",
        "INSERT INTO idempotent_request (account_id, idempotency_key, operation, ordinal, fingerprint, status, body, "
            + "created_at) VALUES (1, 'k', 'POST /', 1, 'text', 201, x'00', 0)",
        "\(outbox) (1, 'pull', 0)",
        "\(outbox) (1, 'edge', 0)",
        "\(outbox) (1, 'PUSH', 0)",
        "INSERT INTO id_sequence (only, last) VALUES (2, 0)",
        "UPDATE id_sequence SET last = 9007199254740992",
        "UPDATE id_sequence SET last = -1",
    ])
    func `a statement against the constraints is refused`(statement: String) async throws {
        try await withGraph(on: .sqlite) { fixture in
            try await Self.prepare(fixture)
            let error = await #expect(throws: DatabaseError.self) { try await Self.execute(statement, on: fixture) }
            let detail = error?.detail ?? ""
            #expect(detail.contains("constraint failed") || detail.contains("cannot store"), "\(detail)")
        }
    }

    @Test(arguments: [
        "INSERT INTO follow (follower_id, followee_id, position) VALUES (1, 2, 1)",
        "\(account) (3, 'cat', 'cat', NULL, 0), (4, 'dog', 'dog', NULL, 0)",
        "INSERT INTO author_post (author_id, post_id) VALUES (2, 9)",
        "INSERT INTO post_collaborator (post_id, user_id, ordinal, status) VALUES (9, 2, 1, 'pending')",
        "\(outbox) (1, 'push', 0), (2, 'unpush', 0), (3, 'share', 0), (4, 'unshare', 0)",
        "\(outbox) (3, 'refresh', 0), (4, 'drop', 0), (5, 'build', 0), (6, 'land', 0)",
        "INSERT INTO topic (id, kind, topic_key) VALUES (6, 'category', 'run')",
        "INSERT INTO reshare (id, user_id, post_id) VALUES (20, 1, 9), (21, 2, 9)",
        "UPDATE post SET visibility = 'followers', community_id = 6",
        "UPDATE id_sequence SET last = 9007199254740991",
    ])
    func `a statement within the constraints is accepted`(statement: String) async throws {
        try await withGraph(on: .sqlite) { fixture in
            try await Self.prepare(fixture)
            try await Self.execute(statement, on: fixture)
        }
    }
}
