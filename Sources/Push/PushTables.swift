import Database
import SocialGraph

extension Tables {
    /// Devices, webhooks, and the messages for them.
    ///
    /// `push_event` records that a user is to be notified of something. It has one row for each channel and subject,
    /// due (`due_at`) until it is pushed, and kept for a while afterwards (`told_at`), so that nobody is notified twice
    /// of one post or too often of one group. Pushing an event inserts one row for each target into `push_delivery`, in
    /// the same transaction. That row is the message: leased while it is being sent (`is_sending`, until `due_at`) and
    /// deleted afterwards. Failed deliveries to webhooks stay as dead letters, which are never due.
    package static let push = """
        CREATE TABLE device (
            id INTEGER PRIMARY KEY,
            user_id INTEGER NOT NULL REFERENCES account (id),
            token TEXT NOT NULL,
            platform TEXT NOT NULL CHECK (platform IN ('ios', 'android', 'web')),
            app TEXT,
            created_at INTEGER NOT NULL
        ) STRICT;
        CREATE UNIQUE INDEX device_by_token ON device (token);
        CREATE INDEX device_by_user ON device (user_id, id);

        CREATE TABLE webhook (
            id INTEGER PRIMARY KEY,
            user_id INTEGER NOT NULL REFERENCES account (id),
            url TEXT NOT NULL,
            kinds INTEGER NOT NULL,
            secret BLOB NOT NULL,
            created_at INTEGER NOT NULL,
            disabled_at INTEGER
        ) STRICT;
        CREATE INDEX webhook_by_user ON webhook (user_id, id);

        CREATE TABLE push_setting (
            user_id INTEGER PRIMARY KEY REFERENCES account (id),
            refused_kinds INTEGER NOT NULL,
            uses_topic INTEGER NOT NULL,
            quiet_from INTEGER,
            quiet_until INTEGER,
            time_zone TEXT,
            CHECK ((quiet_from IS NULL) = (quiet_until IS NULL) AND (quiet_from IS NULL) = (time_zone IS NULL))
        ) STRICT;

        CREATE TABLE reminder (
            user_id INTEGER NOT NULL REFERENCES account (id),
            ordinal INTEGER NOT NULL,
            kind TEXT NOT NULL CHECK (kind IN ('newRoutines', 'trendingDiscussions')),
            minute INTEGER NOT NULL,
            weekdays INTEGER NOT NULL,
            time_zone TEXT NOT NULL,
            next_at INTEGER NOT NULL,
            PRIMARY KEY (user_id, ordinal)
        ) STRICT, WITHOUT ROWID;
        CREATE INDEX reminder_by_time ON reminder (next_at, user_id, ordinal);

        CREATE TABLE push_match (
            post_id INTEGER PRIMARY KEY REFERENCES post (id),
            step INTEGER NOT NULL,
            after_user INTEGER NOT NULL
        ) STRICT;

        CREATE TABLE push_event (
            id INTEGER PRIMARY KEY,
            user_id INTEGER NOT NULL REFERENCES account (id),
            channel TEXT NOT NULL CHECK (channel IN ('device', 'webhook')),
            kind TEXT NOT NULL,
            subject INTEGER NOT NULL,
            post_id INTEGER,
            created_at INTEGER NOT NULL,
            due_at INTEGER,
            told_at INTEGER,
            CHECK (due_at IS NOT NULL OR told_at IS NOT NULL)
        ) STRICT;
        CREATE UNIQUE INDEX push_event_by_subject ON push_event (user_id, channel, kind, subject);
        CREATE INDEX push_event_by_time ON push_event (due_at) WHERE due_at IS NOT NULL;
        CREATE INDEX push_event_waiting ON push_event (user_id, channel) WHERE due_at IS NOT NULL;
        CREATE INDEX push_event_told ON push_event (told_at) WHERE told_at IS NOT NULL;

        CREATE TABLE push_delivery (
            id INTEGER PRIMARY KEY,
            message_id INTEGER NOT NULL,
            user_id INTEGER NOT NULL REFERENCES account (id),
            channel TEXT NOT NULL CHECK (channel IN ('device', 'webhook')),
            target_id INTEGER NOT NULL,
            kind TEXT NOT NULL,
            subject INTEGER NOT NULL,
            post_id INTEGER,
            payload TEXT NOT NULL,
            created_at INTEGER NOT NULL,
            attempts INTEGER NOT NULL DEFAULT 0,
            due_at INTEGER,
            is_sending INTEGER NOT NULL DEFAULT 0,
            failed_at INTEGER,
            status INTEGER,
            failure TEXT
        ) STRICT;
        CREATE UNIQUE INDEX push_delivery_by_message ON push_delivery (message_id, channel, target_id);
        CREATE INDEX push_delivery_by_time ON push_delivery (channel, due_at) WHERE due_at IS NOT NULL;
        CREATE INDEX push_delivery_sending ON push_delivery (is_sending) WHERE is_sending = 1;
        CREATE INDEX push_delivery_by_target ON push_delivery (channel, target_id, id);
        CREATE INDEX push_delivery_by_user ON push_delivery (user_id, id);
        CREATE INDEX push_delivery_dead ON push_delivery (failed_at) WHERE failed_at IS NOT NULL;

        """
}
