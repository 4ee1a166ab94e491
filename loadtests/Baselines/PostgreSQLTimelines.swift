import Foundation

/// Timelines in a usual PostgreSQL design: pulled at the read from an index on (author, id), or pushed at the write
/// into a table (follower, post).
struct PostgreSQLTimelines {
    let server: PostgreSQL
    let cap: Int

    /// - Parameters:
    ///   - follows: lines `follower,followee` of numbers.
    ///   - authors: of the stored posts, in order.
    init(_ server: PostgreSQL, follows: String, authors: [Int], cap: Int) throws {
        self.server = server
        self.cap = cap
        let edges = try server.path("follows.csv", follows)
        let posts = try server.path(
            "posts.csv", authors.enumerated().map { "\($0 + 1),\($1)" }.joined(separator: "\n") + "\n")
        try server.run(
            """
            CREATE TABLE follow (follower bigint, followee bigint);
            COPY follow FROM '\(edges)' (FORMAT csv);
            ALTER TABLE follow ADD PRIMARY KEY (follower, followee);
            CREATE INDEX follow_by_followee ON follow (followee, follower);
            CREATE TABLE post (
                id bigint PRIMARY KEY, author bigint NOT NULL, caption text NOT NULL DEFAULT repeat('x', 80),
                media text NOT NULL DEFAULT 'https://media.example/1.mp4', created_at timestamptz NOT NULL DEFAULT now()
            );
            COPY post (id, author) FROM '\(posts)' (FORMAT csv);
            CREATE INDEX post_by_author ON post (author, id DESC);
            CREATE SEQUENCE post_id START \(authors.count + 1);
            CREATE TABLE timeline (follower bigint, post bigint, PRIMARY KEY (follower, post));
            VACUUM ANALYZE;
            """)
    }

    /// Returns pages of 20 a second, pulled, by 8 clients, for readers drawn uniformly from a table of their own.
    func pull(readers: [Int], seconds: Int) throws -> Double {
        try draw("reader", readers)
        return try server.bench(
            """
            \\set n random(1, \(readers.count))
            SELECT p.* FROM reader r JOIN follow f ON f.follower = r.who CROSS JOIN LATERAL (
                SELECT id, author, caption, media, created_at FROM post WHERE author = f.followee
                ORDER BY id DESC LIMIT 20) p
            WHERE r.n = :n ORDER BY p.id DESC LIMIT 20;
            """, clients: 8, seconds: seconds)
    }

    /// Fills every timeline with the newest `cap` of the stored posts that belong in it.
    func fill() throws {
        try server.run(
            """
            INSERT INTO timeline SELECT r.follower, p.id FROM (SELECT DISTINCT follower FROM follow) r
            CROSS JOIN LATERAL (
                SELECT p.id FROM follow f JOIN post p ON p.author = f.followee WHERE f.follower = r.follower
                ORDER BY p.id DESC LIMIT \(cap)) p;
            VACUUM ANALYZE timeline;
            """)
    }

    /// Returns deliveries a second of posts by `authors` in turn, by 8 clients. The time includes trimming the changed
    /// timelines to the cap, and vacuuming the table.
    func push(authors: [Int], deliveries: Int) throws -> Double {
        try draw("storm", authors)
        try server.run("DROP SEQUENCE IF EXISTS turn; CREATE SEQUENCE turn;")
        let clients = 8
        let start = ContinuousClock.now
        _ = try server.bench(
            """
            WITH made AS (
                INSERT INTO post (id, author) SELECT nextval('post_id'), who FROM storm
                WHERE n = (SELECT nextval('turn')) RETURNING id, author)
            INSERT INTO timeline SELECT f.follower, made.id FROM made JOIN follow f ON f.followee = made.author;
            """, clients: clients, transactions: authors.count / clients)
        try server.run(
            """
            DELETE FROM timeline t USING (
                SELECT touched.follower, MIN(newest.post) AS floor
                FROM (SELECT DISTINCT f.follower FROM storm s JOIN follow f ON f.followee = s.who) touched
                CROSS JOIN LATERAL (
                    SELECT post FROM timeline o WHERE o.follower = touched.follower ORDER BY post DESC LIMIT \(cap)
                ) newest
                GROUP BY touched.follower) kept
            WHERE t.follower = kept.follower AND t.post < kept.floor;
            VACUUM timeline;
            """)
        return Double(deliveries) / (start.duration(to: .now) / .seconds(1))
    }

    /// Returns the bytes of an entry of a timeline, including indexes.
    func bytesOfEntry() throws -> Double {
        let answer = try server.run(
            "SELECT pg_total_relation_size('timeline')::float8 / greatest(count(*), 1) FROM timeline;")
        guard let bytes = Double(answer.trimmingCharacters(in: .whitespacesAndNewlines)) else {
            throw Program.Failure(description: "unexpected output: \(answer)")
        }
        return bytes
    }

    private func draw(_ table: String, _ users: [Int]) throws {
        let file = try server.path(
            "\(table).csv", users.enumerated().map { "\($0 + 1),\($1)" }.joined(separator: "\n") + "\n")
        try server.run(
            """
            DROP TABLE IF EXISTS \(table);
            CREATE TABLE \(table) (n bigint PRIMARY KEY, who bigint);
            COPY \(table) FROM '\(file)' (FORMAT csv);
            ANALYZE \(table);
            """)
    }
}
