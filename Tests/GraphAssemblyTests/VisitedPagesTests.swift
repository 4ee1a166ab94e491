import Database
import TestSupport
import Testing

@testable import PostgreSQL
@testable import SocialGraph

/// The pages that statements visit on PostgreSQL, whatever the planner knows: new tables have no statistics, and get
/// them one by one.
@Suite(.timeLimit(.process))
struct VisitedPagesTests {
    @Test(arguments: [[], ["ANALYZE author_post, follow"], ["ANALYZE"]])
    func `the reasons for a home are read once`(statistics: [String]) async throws {
        try await Self.withTables(Self.home + statistics) { connection in
            let visit = try Visit(FeedStore.homeDefinition, "1, 0, 0", on: connection)
            #expect(visit.rows == 2_000)
            // Without statistics, each post costs a look at the 59 followees, and with them some 30 pages.
            #expect(visit.pages < 400 * 2_000)
        }
    }

    @Test(arguments: [[], ["ANALYZE"]])
    func `a page of comments passes over no replies`(statistics: [String]) async throws {
        try await Self.withTables(Self.discussion + statistics) { connection in
            let visit = try Visit(CommentStore.topLevelCommentsQuery, "1, 1000000, 20", on: connection)
            #expect(visit.rows == 20)
            #expect(visit.pages < 100)
        }
    }

    @Test
    func `a page of replies passes over no other comments`() async throws {
        try await Self.withTables(Self.discussion + ["ANALYZE"]) { connection in
            let visit = try Visit(CommentStore.repliesQuery, "1, 1000000, 20, 20", on: connection)
            #expect(visit.rows == 1)
            #expect(visit.pages < 20)
            // A comment on another post.
            #expect(try Visit(CommentStore.repliesQuery, "2, 1000000, 20, 1", on: connection).rows == 0)
        }
    }

    /// As long as nothing is known of a table, walking a whole index of it may seem cheaper than 32 look-ups.
    @Test(arguments: [[], ["ANALYZE"]])
    func `the members of a list are looked up, and no index is walked`(statistics: [String]) async throws {
        try await Self.withTables(Self.manyPosts + statistics) { connection in
            let lists = [
                PostStore.Reader.storedPosts, AudienceStore.Reader.sharedAuthorshipQuery, PostPart.collaboratorsOfPosts,
                PostPart.tagsOfPosts, PostPart.topicsOfPosts, AttributeStore.Reader.attributesOfPosts,
                AccountStore.Reader.accountsQuery, AccountStore.authorProfiles,
            ]
            let members = (1...32).map { "\($0 * 150)" }.joined(separator: ", ")
            for list in lists {
                let visit = try Visit(list.statements[5], members, on: connection)
                #expect(visit.pages < 32 * 12, "\(list.statements[0])")
            }
        }
    }

    /// A queue is empty when statements are planned, and has many dead rows when it is busy.
    @Test
    func `the jobs of a list are looked up in a busy outbox`() async throws {
        try await Self.withTables(Self.manyPosts + Self.authors + ["ANALYZE"]) { connection in
            let members = (9_901...9_932).map(String.init).joined(separator: ", ")
            for (list, first) in [
                (OutboxStore.progressQuery, ""), (OutboxStore.Writer.mark, "1, "),
                (DeliveryStore.receipts, "1, 1, 3, "), (OutboxStore.Writer.removal, "1, 3, 1, "),
            ] {
                let visit = try Visit(list.statements[5], first + members, on: connection, after: Self.busyHour)
                #expect(visit.pages < 32 * 30, "\(list.statements[0])")
                _ = try connection.exchange([ServerCommand("TRUNCATE outbox, delivery")])
            }
        }
    }

    private static let people = """
        INSERT INTO account (id, username, username_key, created_at)
        SELECT n, 'user' || n, 'user' || n, n FROM generate_series(1, 70) n
        """
    private static let posts = """
        INSERT INTO post (id, author_id, caption, media_url, created_at)
        SELECT n, 2, 'caption', 'https://media.example', n FROM generate_series(1, 2000) n
        """

    /// Four people who follow 59 others, one of whom has written 2,000 posts.
    private static let home = [
        people,
        """
        INSERT INTO follow (follower_id, followee_id, position)
        SELECT a, b, a * 1000 + b FROM generate_series(1, 4) a, generate_series(1, 60) b WHERE a <> b
        """, posts,
        "INSERT INTO author_post (author_id, post_id) SELECT author_id, id FROM post",
    ]

    /// A post with 20 comments, 10,000 later replies to the first one, and a reply to the last one; and 10,000 comments
    /// on other posts, with a reply each.
    private static let discussion = [
        people, posts,
        """
        INSERT INTO comment (id, post_id, user_id, parent_id, depth, content, created_at, updated_at)
        SELECT n, 1, 1, CASE WHEN n > 10020 THEN 20 WHEN n > 20 THEN 1 END, 0, 'comment', n, n
        FROM generate_series(1, 10021) n
        """,
        """
        INSERT INTO comment (id, post_id, user_id, parent_id, depth, content, created_at, updated_at)
        SELECT n, 2 + n % 10000 % 1999, 2, CASE WHEN n > 30000 THEN n - 10000 END, 0, 'comment', n, n
        FROM generate_series(20001, 40000) n
        """,
    ]

    private static let authors = ["INSERT INTO author_post (author_id, post_id) SELECT author_id, id FROM post"]

    /// The jobs of 10,000 posts, of which all but the last 100 are done.
    private static let busyHour = [
        """
        INSERT INTO outbox (id, kind, post_id, user_id, created_at)
        SELECT id, 'push', id, author_id, id FROM post WHERE id <= 10000
        """, "UPDATE outbox SET done_groups = 2", "DELETE FROM outbox WHERE id <= 9900",
    ]

    /// 5,000 people with four posts each, a third of which have a second author.
    private static let manyPosts = [
        """
        INSERT INTO account (id, username, username_key, created_at)
        SELECT n, 'user' || n, 'user' || n, n FROM generate_series(1, 5000) n
        """,
        """
        INSERT INTO post (id, author_id, caption, media_url, created_at)
        SELECT n, n % 5000 + 1, 'caption', 'https://media.example', n FROM generate_series(1, 20000) n
        """,
        """
        INSERT INTO post_collaborator (post_id, user_id, ordinal, status)
        SELECT n, (n + 7) % 5000 + 1, 0, 'accepted' FROM generate_series(3, 20000, 3) n
        """,
    ]

    /// Runs `body` with a connection of the driver to a graph that `statements` have filled.
    private static func withTables(
        _ statements: [String], _ body: @escaping @Sendable (PostgreSQLConnection) throws -> Void
    ) async throws {
        try await PostgreSQLServer.shared().withGraphDatabase { address in
            try await onThread {
                let source = ConnectionSource(address: address, timeouts: .tests, noteRoundTrip: {})
                let connection = try source.connection(for: .reader)
                for statement in statements { _ = try connection.exchange([ServerCommand(statement)]) }
                try body(connection)
            }
        }
    }
}

/// The rows that a statement returns by its generic plan, and the pages that it visits for them.
private struct Visit {
    let rows: Int
    let pages: Int

    /// - Parameter changes: of the tables, after the plan has been made, which stays as it is.
    init(
        _ statement: String, _ arguments: String, on connection: PostgreSQLConnection, after changes: [String] = []
    ) throws {
        let execution = "EXECUTE visiting (\(arguments))"
        let steps =
            ["PREPARE visiting AS \(ServerPlan.typed(statement))"] + (changes.isEmpty ? [] : [execution] + changes)
        _ = try connection.exchange(steps.map { ServerCommand($0) })
        let lines = try connection.exchange([
            ServerCommand("EXPLAIN (ANALYZE, BUFFERS, COSTS OFF, TIMING OFF, SUMMARY OFF) \(execution)"),
            ServerCommand("DEALLOCATE visiting"),
        ])[0].texts
        let root = try #require(lines.first?.firstMatch(of: #/rows=(\d+)/#))
        rows = try #require(Int(root.output.1))
        let buffers = try #require(lines.first { $0.contains("Buffers: shared") })
        pages = buffers.matches(of: #/(?:hit|read)=(\d+)/#).compactMap { Int($0.output.1) }.reduce(0, +)
    }
}
