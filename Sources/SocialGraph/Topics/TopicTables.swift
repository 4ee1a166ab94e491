import Database

extension Tables {
    /// Categories and tags as topics. `topic_post` and `topic_reshare` are the feeds of a topic: its posts, and the
    /// reshares of such posts.
    package static let topics = """
        CREATE TABLE topic (
            id INTEGER PRIMARY KEY,
            kind TEXT NOT NULL CHECK (kind IN ('category', 'tag')),
            topic_key TEXT NOT NULL,
            UNIQUE (topic_key, kind)
        ) STRICT;

        CREATE TABLE topic_post (
            topic_id INTEGER NOT NULL REFERENCES topic (id),
            post_id INTEGER NOT NULL REFERENCES post (id),
            PRIMARY KEY (topic_id, post_id)
        ) STRICT, WITHOUT ROWID;
        CREATE INDEX topic_post_by_post ON topic_post (post_id, topic_id);

        CREATE TABLE topic_reshare (
            topic_id INTEGER NOT NULL REFERENCES topic (id),
            reshare_id INTEGER NOT NULL,
            user_id INTEGER NOT NULL,
            post_id INTEGER NOT NULL,
            PRIMARY KEY (topic_id, reshare_id)
        ) STRICT, WITHOUT ROWID;
        CREATE INDEX topic_reshare_by_reshare ON topic_reshare (reshare_id);

        CREATE TABLE topic_follow (
            user_id INTEGER NOT NULL REFERENCES account (id),
            topic_key TEXT NOT NULL,
            name TEXT NOT NULL,
            position INTEGER NOT NULL,
            in_home INTEGER NOT NULL DEFAULT 1,
            PRIMARY KEY (user_id, topic_key)
        ) STRICT, WITHOUT ROWID;
        CREATE INDEX topic_follow_by_position ON topic_follow (user_id, position);

        CREATE TABLE selected_algorithm (
            user_id INTEGER NOT NULL REFERENCES account (id),
            ordinal INTEGER NOT NULL,
            tag TEXT NOT NULL,
            tag_key TEXT NOT NULL,
            PRIMARY KEY (user_id, ordinal)
        ) STRICT, WITHOUT ROWID;

        """
}
