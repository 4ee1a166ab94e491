/// The rows that SQLite must read for all windows, without building any.
enum StoredRows {
    /// Reads, for every user, the newest `cap` posts of everybody whom the user follows.
    static func read(database path: String, cap: Int) throws {
        let script = """
            SELECT COUNT(*) FROM (
                SELECT a.id, (SELECT SUM(post_id) FROM (
                    SELECT ap.post_id FROM follow f JOIN author_post ap ON ap.author_id = f.followee_id
                    WHERE f.follower_id = a.id ORDER BY ap.post_id DESC LIMIT \(cap))) AS total FROM account a)
            WHERE total > 0;
            """
        try Program.run(Program.find("sqlite3"), ["-readonly", path, script])
    }
}
