import Database

extension Tables {
    /// Jobs, each with its act and the user behind it, and delivery receipts of fan-outs.
    package static let outbox = """
        CREATE TABLE outbox (
            id INTEGER PRIMARY KEY,
            kind TEXT NOT NULL CHECK (kind IN
                ('push', 'unpush', 'share', 'unshare', 'refresh', 'drop', 'drop_all', 'build', 'land',
                    'followers')),
            post_id INTEGER,
            user_id INTEGER,
            position INTEGER,
            viewers BLOB,
            progress_author INTEGER NOT NULL DEFAULT 0,
            progress_position INTEGER NOT NULL DEFAULT 0,
            created_at INTEGER NOT NULL
        ) STRICT;
        CREATE INDEX outbox_by_post ON outbox (post_id);
        CREATE INDEX outbox_by_user ON outbox (user_id, id);

        CREATE TABLE delivery (
            post_id INTEGER PRIMARY KEY REFERENCES post (id),
            audience INTEGER NOT NULL,
            pulled INTEGER NOT NULL,
            queued_at INTEGER NOT NULL,
            finished_at INTEGER NOT NULL
        ) STRICT;

        """
}

extension SchemaChange {
    /// The windows are maintained in groups, by one process each.
    package static let deliveryGroups = SchemaChange(
        name: "0.2.0-delivery-groups",
        statements: "ALTER TABLE outbox ADD COLUMN done_groups INTEGER NOT NULL DEFAULT 0;")
    /// Indexes whose translations do not end with the key, which is no change on SQLite.
    package static let outboxIndexes = SchemaChange(
        name: "0.2.0-outbox-indexes",
        statements: """
            DROP INDEX outbox_by_post; CREATE INDEX outbox_by_post ON outbox (post_id);
            DROP INDEX outbox_by_user; CREATE INDEX outbox_by_user ON outbox (user_id);
            """, isAdditive: true)
}
