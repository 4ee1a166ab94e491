import Algorithms
import Foundation

/// The least work of SQLite for the same rows, done by the sqlite3 shell.
enum BareSQLite {
    /// Returns a script that reads a csv file of pairs and inserts them in both orderings, durably.
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

    /// Copies a database, which may be in use.
    static func copy(_ database: String, to path: String) throws {
        try Program.run(Program.find("sqlite3"), ["-readonly", database, "VACUUM INTO '\(path)'"])
    }

    /// Copies the posts that `database` has and its older copy at `path` lacks into that copy: the same rows in the
    /// same tables, with their indexes and the index of their text, and a job for each, durably, in transactions of so
    /// many posts each. Returns the seconds taken, and the number of posts.
    static func addPosts(
        of database: String, to path: String, inGroupsOf group: Int
    ) async throws -> (seconds: Double, count: Int) {
        let shell = try Program.find("sqlite3")
        let newest = try Program.run(shell, ["-readonly", path, "SELECT COALESCE(MAX(id), 0) FROM post"])
        let ids = try Program.run(
            shell, ["-readonly", database, "SELECT id FROM post WHERE id > \(newest) ORDER BY id"]
        )
        .split(separator: "\n").map(String.init)
        guard !ids.isEmpty else { throw Program.Failure(description: "\(database) has no newer posts") }
        var script = """
            PRAGMA synchronous = FULL;
            PRAGMA cache_size = -65536;
            ATTACH 'file:\(database)?mode=ro' AS source;

            """
        for part in ids.chunks(ofCount: group) {
            guard let first = part.first, let last = part.last else { continue }
            script += "BEGIN;\n"
            script += rows(between: first, and: last)
            script += "COMMIT;\n"
        }
        let file = path + ".sql"
        try script.write(toFile: file, atomically: false, encoding: .utf8)
        try Program.run(shell, [path, "PRAGMA journal_mode = WAL"])
        let seconds = try await Program.time { try Program.run(shell, ["-bail", path, ".read \(file)"]) }.seconds
        return (seconds, ids.count)
    }

    private static func rows(between first: String, and last: String) -> String {
        let theirs = "BETWEEN \(first) AND \(last)"
        return """
            INSERT INTO post SELECT * FROM source.post WHERE id \(theirs);
            INSERT INTO author_post SELECT author_id, id FROM source.post WHERE id \(theirs);
            INSERT INTO post_tag SELECT * FROM source.post_tag WHERE post_id \(theirs);
            INSERT INTO topic_post SELECT * FROM source.topic_post WHERE post_id \(theirs);
            INSERT INTO post_text (rowid, title, caption, tags, category, attributes, authors)
                SELECT rowid, title, caption, tags, category, attributes, authors
                FROM source.post_text WHERE rowid \(theirs);
            INSERT INTO outbox (id, kind, post_id, user_id, created_at)
                SELECT id + 1, 'push', id, author_id, created_at FROM source.post WHERE id \(theirs);
            UPDATE account SET posts_count = posts_count + 1
                WHERE id IN (SELECT author_id FROM source.post WHERE id \(theirs));

            """
    }
}
