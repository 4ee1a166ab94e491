import Database

extension Tables {
    /// Saved posts and named collections. A save has an id of the common sequence: its time and its place in the list.
    /// A collection holds saved posts only, in the order that its owner gives them.
    package static let saves = """
        CREATE TABLE saved_post (
            id INTEGER PRIMARY KEY,
            post_id INTEGER NOT NULL REFERENCES post (id),
            user_id INTEGER NOT NULL REFERENCES account (id)
        ) STRICT;
        CREATE UNIQUE INDEX saved_post_by_pair ON saved_post (user_id, post_id);
        CREATE INDEX saved_post_by_user ON saved_post (user_id, id, post_id);
        CREATE INDEX saved_post_by_post ON saved_post (post_id, id, user_id);

        CREATE TABLE collection (
            id INTEGER PRIMARY KEY,
            user_id INTEGER NOT NULL REFERENCES account (id),
            name TEXT NOT NULL,
            name_key TEXT NOT NULL,
            posts_count INTEGER NOT NULL DEFAULT 0 CHECK (posts_count >= 0),
            updated_at INTEGER NOT NULL
        ) STRICT;
        CREATE UNIQUE INDEX collection_by_name ON collection (user_id, name_key);
        CREATE INDEX collection_by_user ON collection (user_id, id);

        CREATE TABLE collection_post (
            collection_id INTEGER NOT NULL REFERENCES collection (id),
            post_id INTEGER NOT NULL REFERENCES post (id),
            position INTEGER NOT NULL,
            PRIMARY KEY (collection_id, post_id)
        ) STRICT, WITHOUT ROWID;
        CREATE INDEX collection_post_by_position ON collection_post (collection_id, position, post_id);
        CREATE INDEX collection_post_by_post ON collection_post (post_id, collection_id);

        """
}
