extension Schema004 {
    /// Watch events, and the recommendations that somebody pages through. A watch has an id of the common sequence,
    /// that of its last event: its time and its place in the list.
    static let recommendations = """
        CREATE TABLE watch (
            id INTEGER PRIMARY KEY,
            post_id INTEGER NOT NULL REFERENCES post (id),
            user_id INTEGER NOT NULL REFERENCES account (id),
            seconds REAL NOT NULL CHECK (seconds >= 0),
            completed INTEGER NOT NULL CHECK (completed IN (0, 1))
        ) STRICT;
        CREATE UNIQUE INDEX watch_by_pair ON watch (user_id, post_id);
        CREATE INDEX watch_by_user ON watch (user_id, id);
        CREATE INDEX watch_by_post ON watch (post_id, id);
        CREATE TABLE recommendation_list (
            id INTEGER PRIMARY KEY,
            user_id INTEGER NOT NULL REFERENCES account (id),
            scope TEXT NOT NULL,
            created_at INTEGER NOT NULL,
            entries BLOB NOT NULL
        ) STRICT;
        CREATE INDEX recommendation_list_by_user ON recommendation_list (user_id, id);
        CREATE INDEX recommendation_list_by_age ON recommendation_list (created_at);

        """
}
