/// Adds the number and total size of each user's files.
enum Schema012 {
    static let sql = """
        CREATE TABLE media_usage (
            user_id INTEGER PRIMARY KEY REFERENCES account (id),
            bytes INTEGER NOT NULL CHECK (bytes >= 0),
            files INTEGER NOT NULL CHECK (files >= 0)
        ) STRICT;
        INSERT INTO media_usage (user_id, bytes, files)
            SELECT owner_id, SUM(bytes), COUNT(*) FROM media GROUP BY owner_id;
        """
}
