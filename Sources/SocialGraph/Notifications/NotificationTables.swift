import Database

extension Tables {
    /// A notification belongs to a group ("A and 12 others"), which is open until it is read; at most one group of a
    /// kind and subject is open for a user.
    package static let notifications = """
        CREATE TABLE notification_group (
            id INTEGER PRIMARY KEY,
            user_id INTEGER NOT NULL REFERENCES account (id),
            kind TEXT NOT NULL CHECK (kind IN ('like', 'comment', 'share', 'follow', 'mention', 'collaboration')),
            subject INTEGER NOT NULL,
            post_id INTEGER,
            latest_id INTEGER NOT NULL,
            actors_count INTEGER NOT NULL CHECK (actors_count > 0),
            is_open INTEGER NOT NULL DEFAULT 1
        ) STRICT;
        CREATE UNIQUE INDEX notification_group_open ON notification_group (user_id, kind, subject) WHERE is_open = 1;
        CREATE INDEX notification_group_by_user ON notification_group (user_id, latest_id);
        CREATE INDEX notification_group_by_post ON notification_group (post_id) WHERE post_id IS NOT NULL;
        CREATE INDEX notification_group_by_age ON notification_group (latest_id);

        CREATE TABLE notification (
            id INTEGER PRIMARY KEY,
            group_id INTEGER NOT NULL REFERENCES notification_group (id),
            user_id INTEGER NOT NULL REFERENCES account (id),
            actor_id INTEGER NOT NULL REFERENCES account (id),
            kind TEXT NOT NULL,
            post_id INTEGER,
            comment_id INTEGER,
            is_read INTEGER NOT NULL DEFAULT 0
        ) STRICT;
        CREATE INDEX notification_by_user ON notification (user_id, id);
        CREATE INDEX notification_by_group ON notification (group_id, id, actor_id, is_read);
        CREATE INDEX notification_by_group_actor ON notification (group_id, actor_id);
        CREATE INDEX notification_by_actor ON notification (actor_id, user_id, id);
        CREATE INDEX notification_by_post ON notification (post_id, kind) WHERE post_id IS NOT NULL;
        CREATE INDEX notification_by_comment ON notification (comment_id) WHERE comment_id IS NOT NULL;

        """
}
