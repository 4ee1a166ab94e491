import Database

extension SchemaChange {
    /// Private accounts, and the requests to follow them. An account has a row in `opened_account` after it was made
    /// public, until the requests that waited are approved. Kinds of notification are checked where they are read, so
    /// that a new kind needs no copy of the table.
    package static let followRequests = SchemaChange(
        name: "0.2.0-follow-requests",
        statements: """
            ALTER TABLE account ADD COLUMN is_private INTEGER NOT NULL DEFAULT 0 CHECK (is_private IN (0, 1));

            CREATE TABLE follow_request (
                requester_id INTEGER NOT NULL REFERENCES account (id),
                target_id INTEGER NOT NULL REFERENCES account (id),
                position INTEGER NOT NULL,
                PRIMARY KEY (requester_id, target_id),
                CHECK (requester_id <> target_id)
            ) STRICT, WITHOUT ROWID;
            CREATE INDEX follow_request_by_requester ON follow_request (requester_id, position, target_id);
            CREATE INDEX follow_request_by_target ON follow_request (target_id, position, requester_id);

            CREATE TABLE opened_account (
                user_id INTEGER PRIMARY KEY REFERENCES account (id)
            ) STRICT;

            CREATE TABLE notification_group_copy (
                id INTEGER PRIMARY KEY,
                user_id INTEGER NOT NULL REFERENCES account (id),
                kind TEXT NOT NULL,
                subject INTEGER NOT NULL,
                post_id INTEGER,
                latest_id INTEGER NOT NULL,
                actors_count INTEGER NOT NULL CHECK (actors_count > 0),
                is_open INTEGER NOT NULL DEFAULT 1
            ) STRICT;
            INSERT INTO notification_group_copy
                SELECT id, user_id, kind, subject, post_id, latest_id, actors_count, is_open FROM notification_group;
            DROP TABLE notification_group;
            ALTER TABLE notification_group_copy RENAME TO notification_group;
            CREATE UNIQUE INDEX notification_group_open ON notification_group (user_id, kind, subject)
                WHERE is_open = 1;
            CREATE INDEX notification_group_by_user ON notification_group (user_id, latest_id);
            CREATE INDEX notification_group_by_post ON notification_group (post_id) WHERE post_id IS NOT NULL;
            CREATE INDEX notification_group_by_age ON notification_group (latest_id);
            """)
}
