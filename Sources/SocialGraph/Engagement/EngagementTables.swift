import Database

extension Tables {
    /// Likes, comments and external shares have ids of the common sequence: the id is the time and the place in lists.
    /// `engagement_hour` counts the people behind the engagement of each hour, by the time of the act, not of the
    /// count: an act that is taken back is subtracted from its own hour.
    package static let engagement = """
        CREATE TABLE post_like (
            id INTEGER PRIMARY KEY,
            post_id INTEGER NOT NULL REFERENCES post (id),
            user_id INTEGER NOT NULL REFERENCES account (id)
        ) STRICT;
        CREATE UNIQUE INDEX post_like_by_pair ON post_like (user_id, post_id);
        CREATE INDEX post_like_by_user ON post_like (user_id, id, post_id);
        CREATE INDEX post_like_by_post ON post_like (post_id, id, user_id);

        CREATE TABLE comment (
            id INTEGER PRIMARY KEY,
            post_id INTEGER NOT NULL REFERENCES post (id),
            user_id INTEGER NOT NULL REFERENCES account (id),
            parent_id INTEGER REFERENCES comment (id),
            depth INTEGER NOT NULL,
            content TEXT NOT NULL,
            created_at INTEGER NOT NULL,
            updated_at INTEGER NOT NULL,
            deleted_at INTEGER,
            replies_count INTEGER NOT NULL DEFAULT 0 CHECK (replies_count >= 0),
            removed_at INTEGER,
            taken_down_at INTEGER,
            held_at INTEGER
        ) STRICT;
        CREATE INDEX comment_by_thread ON comment (post_id, parent_id, id);
        CREATE INDEX comment_by_post ON comment (post_id, id);
        CREATE INDEX comment_by_user ON comment (user_id, id);
        CREATE INDEX comment_by_parent ON comment (parent_id);
        CREATE INDEX comment_held ON comment (id) WHERE held_at IS NOT NULL;
        CREATE INDEX comment_by_person ON comment (post_id, user_id, id)
            WHERE deleted_at IS NULL AND held_at IS NULL AND removed_at IS NULL AND taken_down_at IS NULL;

        CREATE TABLE external_share (
            id INTEGER PRIMARY KEY,
            post_id INTEGER NOT NULL REFERENCES post (id),
            user_id INTEGER NOT NULL REFERENCES account (id),
            platform TEXT NOT NULL
        ) STRICT;
        CREATE INDEX external_share_by_post ON external_share (post_id, id);
        CREATE INDEX external_share_by_user ON external_share (user_id, id);
        CREATE INDEX external_share_by_person ON external_share (post_id, user_id, id);

        CREATE TABLE engagement_hour (
            hour INTEGER NOT NULL,
            post_id INTEGER NOT NULL,
            likes INTEGER NOT NULL DEFAULT 0,
            comments INTEGER NOT NULL DEFAULT 0,
            shares INTEGER NOT NULL DEFAULT 0,
            PRIMARY KEY (hour, post_id)
        ) STRICT, WITHOUT ROWID;
        CREATE INDEX engagement_hour_by_post ON engagement_hour (post_id, hour);

        """
}

extension SchemaChange {
    /// The comments of a post that answer no other one have an index of their own, as not every engine takes
    /// `parent_id IS NULL` for the beginning of an order. Replies are found by their parent.
    package static let topLevelComments = SchemaChange(
        name: "0.2.0-top-level-comments",
        statements: """
            DROP INDEX comment_by_thread;
            CREATE INDEX comment_by_thread ON comment (post_id, id) WHERE parent_id IS NULL;
            """)
}
