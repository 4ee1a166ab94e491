extension Schema005 {
    /// The outbox with one more kind of job: the windows of a user's followers, where a suspension begins or ends.
    static let outbox = """
        CREATE TABLE job (
            id INTEGER PRIMARY KEY,
            kind TEXT NOT NULL CHECK (kind IN
                ('push', 'unpush', 'share', 'unshare', 'refresh', 'drop', 'build', 'land', 'followers')),
            post_id INTEGER,
            user_id INTEGER,
            position INTEGER,
            viewers BLOB,
            progress_author INTEGER NOT NULL DEFAULT 0,
            progress_position INTEGER NOT NULL DEFAULT 0,
            created_at INTEGER NOT NULL
        ) STRICT;
        INSERT INTO job (id, kind, post_id, user_id, position, viewers, progress_author, progress_position, created_at)
            SELECT id, kind, post_id, user_id, position, viewers, progress_author, progress_position, created_at
            FROM outbox;
        DROP TABLE outbox;
        ALTER TABLE job RENAME TO outbox;
        CREATE INDEX outbox_by_post ON outbox (post_id);
        CREATE INDEX outbox_by_user ON outbox (user_id, id);

        """
}
