/// The least that SQLite must do for the same rows, as scripts of the sqlite3 shell.
enum BareSQLite {
    /// Reads a csv file of pairs and inserts them in both orderings, durably.
    static func insert(follows file: String) -> String {
        """
        PRAGMA journal_mode = WAL;
        PRAGMA synchronous = FULL;
        PRAGMA cache_size = -65536;
        CREATE TABLE following (a INTEGER, b INTEGER, PRIMARY KEY (a, b)) WITHOUT ROWID;
        CREATE TABLE followers (b INTEGER, a INTEGER, PRIMARY KEY (b, a)) WITHOUT ROWID;
        BEGIN;
        .import --csv --skip 1 \(file) following
        INSERT INTO followers SELECT b, a FROM following;
        COMMIT;
        """
    }

    /// The rows of `count` posts, in transactions of `group` posts each: the post, its place in the author's feed, two
    /// tags and a category as topics, and the job that delivers it.
    static func posts(_ count: Int, inGroupsOf group: Int) -> String {
        var script = """
            PRAGMA journal_mode = WAL;
            PRAGMA synchronous = FULL;
            CREATE TABLE post (id INTEGER PRIMARY KEY, author INTEGER, caption TEXT, media TEXT, category TEXT, at INTEGER);
            CREATE TABLE author_post (author INTEGER, post INTEGER, PRIMARY KEY (author, post)) WITHOUT ROWID;
            CREATE TABLE post_tag (post INTEGER, place INTEGER, tag TEXT, PRIMARY KEY (post, place)) WITHOUT ROWID;
            CREATE TABLE topic_post (topic INTEGER, post INTEGER, PRIMARY KEY (topic, post)) WITHOUT ROWID;
            CREATE TABLE outbox (id INTEGER PRIMARY KEY, post INTEGER, author INTEGER);

            """
        for start in stride(from: 1, through: count, by: group) {
            script += "BEGIN;\n"
            for id in start..<min(start + group, count + 1) {
                let author = id % 64
                script += """
                    INSERT INTO post VALUES (\(id), \(author), 'A post of about the length that captions of short videos \
                    have: number \(id)', 'https://media.example/\(id).mp4', 'comedy', \(1_700_000_000_000 + id));
                    INSERT INTO author_post VALUES (\(author), \(id));
                    INSERT INTO post_tag VALUES (\(id), 0, 'AI'), (\(id), 1, 'Fitness');
                    INSERT INTO topic_post VALUES (1, \(id)), (2, \(id)), (3, \(id));
                    INSERT INTO outbox VALUES (\(id), \(id), \(author));

                    """
            }
            script += "COMMIT;\n"
        }
        return script
    }
}
