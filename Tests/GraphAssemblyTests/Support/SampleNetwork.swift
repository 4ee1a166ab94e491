import Database
import TestSupport

@testable import PostgreSQL

/// A network of a realistic shape, made on the server once, and its statistics.
struct SampleNetwork {
    let address: PostgreSQLAddress
    /// The statements that a graph sends when every operation runs once.
    let statements: Set<String>

    static func shared() async throws -> SampleNetwork { try await sharedTask.value }

    private static let sharedTask = Task {
        let address = try await PostgreSQLServer.shared().createGraphDatabase()
        let statements = try await withGraph(at: .server(address)) { try await QueryPlanTests.allStatements(of: $0) }
        let network = SampleNetwork(address: address, statements: statements)
        try await onThread {
            let connection = try network.connection()
            // The rows are consistent with each other; to check each would take longer than to write it.
            let settings = ["SET session_replication_role = replica", "SET synchronous_commit = off"]
            for statement in settings + [keepingStatistics] + tables + ["ANALYZE", otherTables] {
                _ = try connection.exchange([ServerCommand(statement)])
            }
        }
        return network
    }

    /// A connection with the settings of the driver's readers, and more patience.
    func connection() throws -> PostgreSQLConnection {
        try ConnectionSource(address: address, timeouts: .tests, noteRoundTrip: {}).connection(for: .reader)
    }

    /// The first column of each index, by its name.
    static func leadingColumns(_ connection: PostgreSQLConnection) throws -> [String: String] {
        let lines = try connection.exchange([
            ServerCommand(
                """
                SELECT c.relname || ' ' || pg_get_indexdef(i.indexrelid, 1, true)
                FROM pg_index i JOIN pg_class c ON c.oid = i.indexrelid
                WHERE c.relnamespace = 'public'::regnamespace
                """)
        ])[0].texts.map { $0.split(separator: " ", maxSplits: 1).map(String.init) }
        return Dictionary(uniqueKeysWithValues: lines.map { ($0[0], $0[1]) })
    }

    private static let tables = [
        """
        INSERT INTO account (id, username, username_key, created_at, followers_count)
        SELECT n, 'user' || n, 'user' || n, n, n % 100 FROM generate_series(1, 5000) n
        """,
        """
        INSERT INTO follow (follower_id, followee_id, position)
        SELECT n, (n * 7 + k * k * 31) % 5000 + 1, n * 10 + k
        FROM generate_series(1, 5000) n, generate_series(1, 6) k
        WHERE n <> (n * 7 + k * k * 31) % 5000 + 1 ON CONFLICT DO NOTHING
        """,
        """
        INSERT INTO post (id, author_id, caption, media_url, created_at, likes_count, community_id, media_id,
            thumbnail_id)
        SELECT n, n % 5000 + 1, 'caption ' || n, 'https://media.example/' || n, n, n % 50,
            CASE WHEN n % 20 = 0 THEN n % 100 END, CASE WHEN n % 3 = 0 THEN n END, CASE WHEN n % 3 = 0 THEN n END
        FROM generate_series(1, 15000) n
        """,
        "INSERT INTO author_post (author_id, post_id) SELECT author_id, id FROM post WHERE id <= 15000",
        "INSERT INTO topic (id, kind, topic_key) SELECT n, 'tag', 'topic' || n FROM generate_series(1, 300) n",
        """
        INSERT INTO topic_post (topic_id, post_id)
        SELECT DISTINCT (n * k) % 300 + 1, n FROM generate_series(1, 15000) n, generate_series(1, 2) k
        """,
        """
        INSERT INTO post_attribute (post_id, name, ordinal, kind, number_value)
        SELECT n, 'level', 0, 'number', n % 10 FROM generate_series(1, 5000) n
        """,
        """
        INSERT INTO post_attribute (post_id, name, ordinal, kind, text_value, text_key)
        SELECT n, 'text' || k, 0, 'text', 'text' || n % 100, 'text' || n % 100
        FROM generate_series(1, 5000) n, generate_series(1, 3) k
        """,
        """
        INSERT INTO reshare (id, user_id, post_id)
        SELECT 100000 + n, (n * 13) % 5000 + 1, n FROM generate_series(1, 5000) n
        """,
        """
        INSERT INTO post_like (id, post_id, user_id)
        SELECT 200000 + n, n % 15000 + 1, n % 4999 + 1 FROM generate_series(1, 15000) n
        """,
        """
        INSERT INTO comment (id, post_id, user_id, parent_id, depth, content, created_at, updated_at)
        SELECT 300000 + n, n % 300 + 1, n % 5000 + 1, CASE WHEN n % 10 > 0 THEN 300000 + n - n % 10 END, 1, 'comment',
            n, n
        FROM generate_series(10, 8000) n
        """,
    ]

    /// Keeps the server from looking at the tables again, which it does once a minute.
    private static let keepingStatistics = """
        DO $$ DECLARE name regclass; BEGIN
            FOR name IN SELECT oid FROM pg_class WHERE relnamespace = 'public'::regnamespace AND relkind = 'r' LOOP
                EXECUTE format('ALTER TABLE %s SET (autovacuum_enabled = false)', name);
            END LOOP;
        END $$
        """

    /// Makes the planner take the other tables for large ones.
    private static let otherTables = """
        UPDATE pg_class SET reltuples = 100000, relpages = 1
        WHERE relnamespace = 'public'::regnamespace AND relkind IN ('r', 'i') AND reltuples < 300
        """
}
