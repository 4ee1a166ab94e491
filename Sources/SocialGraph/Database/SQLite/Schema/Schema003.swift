import GRDB

/// Profiles, sessions, media, engagement, notifications, requests to join communities, stored rankings.
///
/// Likes, comments and external shares have ids of the common sequence: their id is their time and their place in
/// lists. `engagement_hour` counts the engagement of each hour, by the time of the act, not of the count: what is taken
/// back is taken out of the hour in which it was done. A notification belongs to a group ("A and 12 others"), which is
/// open until it is read; at most one group of a kind and subject is open for a user.
///
/// A token of a session is good while the session has its row, so revocation needs no list of its own. An account that
/// was deleted keeps its row, and a row in `erasure` until all that it has left behind is gone. `community_term` is
/// dropped by the next schema, so it is not filled.
enum Schema003 {
    static func migrate(_ database: Database) throws {
        try database.execute(sql: accounts + content + engagement + notifications + communities)
    }

    private static let accounts = """
        ALTER TABLE account ADD COLUMN display_name TEXT NOT NULL DEFAULT '';
        ALTER TABLE account ADD COLUMN bio TEXT NOT NULL DEFAULT '';
        ALTER TABLE account ADD COLUMN updated_at INTEGER NOT NULL DEFAULT 0;
        ALTER TABLE account ADD COLUMN is_business INTEGER NOT NULL DEFAULT 0;
        ALTER TABLE account ADD COLUMN deleted_at INTEGER;
        ALTER TABLE account ADD COLUMN logged_out_at INTEGER NOT NULL DEFAULT 0;
        UPDATE account SET updated_at = created_at;

        CREATE TABLE preference (
            user_id INTEGER NOT NULL REFERENCES account (id),
            name TEXT NOT NULL,
            ordinal INTEGER NOT NULL,
            kind TEXT NOT NULL CHECK (kind IN ('text', 'number', 'flag', 'list')),
            text_value TEXT,
            number_value REAL,
            PRIMARY KEY (user_id, name, ordinal)
        ) STRICT, WITHOUT ROWID;

        CREATE TABLE session (
            id INTEGER PRIMARY KEY,
            user_id INTEGER NOT NULL REFERENCES account (id),
            refresh_digest BLOB NOT NULL UNIQUE,
            created_at INTEGER NOT NULL,
            used_at INTEGER NOT NULL,
            expires_at INTEGER NOT NULL
        ) STRICT;
        CREATE INDEX session_by_user ON session (user_id, id);
        CREATE INDEX session_by_expiry ON session (expires_at);
        CREATE TABLE spent_refresh (
            refresh_digest BLOB PRIMARY KEY NOT NULL,
            session_id INTEGER NOT NULL,
            expires_at INTEGER NOT NULL
        ) STRICT, WITHOUT ROWID;
        CREATE INDEX spent_refresh_by_expiry ON spent_refresh (expires_at);
        CREATE INDEX spent_refresh_by_session ON spent_refresh (session_id, expires_at);
        CREATE TABLE identity (
            issuer TEXT NOT NULL,
            subject TEXT NOT NULL,
            user_id INTEGER NOT NULL REFERENCES account (id),
            refused_until INTEGER,
            PRIMARY KEY (issuer, subject)
        ) STRICT, WITHOUT ROWID;
        CREATE INDEX identity_by_user ON identity (user_id);
        CREATE INDEX identity_by_refusal ON identity (refused_until) WHERE refused_until IS NOT NULL;
        CREATE TABLE erasure (user_id INTEGER PRIMARY KEY REFERENCES account (id)) STRICT;
        DROP INDEX mute_of_reshares;
        CREATE INDEX mute_of_reshares ON mute (muted_id, reshares, muter_id);

        """

    private static let content = """
        CREATE TABLE media (
            id INTEGER PRIMARY KEY,
            owner_id INTEGER NOT NULL REFERENCES account (id),
            content_type TEXT NOT NULL,
            file_name TEXT NOT NULL,
            bytes INTEGER NOT NULL,
            sha256 BLOB NOT NULL,
            created_at INTEGER NOT NULL
        ) STRICT;
        CREATE INDEX media_by_owner ON media (owner_id, id);
        ALTER TABLE account ADD COLUMN picture_id INTEGER REFERENCES media (id);
        ALTER TABLE account ADD COLUMN picture_url TEXT;
        CREATE INDEX account_by_picture ON account (picture_id) WHERE picture_id IS NOT NULL;
        ALTER TABLE post ADD COLUMN title TEXT;
        ALTER TABLE post ADD COLUMN thumbnail_url TEXT;
        ALTER TABLE post ADD COLUMN media_id INTEGER REFERENCES media (id);
        ALTER TABLE post ADD COLUMN thumbnail_id INTEGER REFERENCES media (id);
        ALTER TABLE post ADD COLUMN updated_at INTEGER NOT NULL DEFAULT 0;
        UPDATE post SET updated_at = created_at;
        CREATE INDEX post_by_media ON post (media_id) WHERE media_id IS NOT NULL;
        CREATE INDEX post_by_thumbnail ON post (thumbnail_id) WHERE thumbnail_id IS NOT NULL;
        CREATE TABLE post_attribute (
            post_id INTEGER NOT NULL REFERENCES post (id),
            name TEXT NOT NULL,
            ordinal INTEGER NOT NULL,
            kind TEXT NOT NULL CHECK (kind IN ('text', 'number', 'flag', 'list')),
            text_value TEXT,
            text_key TEXT,
            number_value REAL,
            PRIMARY KEY (post_id, name, ordinal)
        ) STRICT, WITHOUT ROWID;
        CREATE INDEX post_attribute_by_text ON post_attribute (name, text_key, post_id) WHERE text_key IS NOT NULL;
        CREATE INDEX post_attribute_by_number ON post_attribute (name, number_value, post_id)
            WHERE number_value IS NOT NULL;

        """

    private static let engagement = """
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
            replies_count INTEGER NOT NULL DEFAULT 0 CHECK (replies_count >= 0)
        ) STRICT;
        CREATE INDEX comment_by_thread ON comment (post_id, parent_id, id);
        CREATE INDEX comment_by_post ON comment (post_id, id);
        CREATE INDEX comment_by_user ON comment (user_id, id);
        CREATE INDEX comment_by_parent ON comment (parent_id);

        CREATE TABLE external_share (
            id INTEGER PRIMARY KEY,
            post_id INTEGER NOT NULL REFERENCES post (id),
            user_id INTEGER NOT NULL REFERENCES account (id),
            platform TEXT NOT NULL
        ) STRICT;
        CREATE INDEX external_share_by_post ON external_share (post_id, id);
        CREATE INDEX external_share_by_user ON external_share (user_id, id);

        CREATE TABLE engagement_hour (
            hour INTEGER NOT NULL,
            post_id INTEGER NOT NULL,
            likes INTEGER NOT NULL DEFAULT 0,
            comments INTEGER NOT NULL DEFAULT 0,
            shares INTEGER NOT NULL DEFAULT 0,
            PRIMARY KEY (hour, post_id)
        ) STRICT, WITHOUT ROWID;
        CREATE INDEX engagement_hour_by_post ON engagement_hour (post_id, hour);

        CREATE TABLE ranking (
            id INTEGER PRIMARY KEY,
            name TEXT NOT NULL,
            created_at INTEGER NOT NULL,
            posts BLOB NOT NULL
        ) STRICT;
        CREATE INDEX ranking_by_name ON ranking (name, id);
        CREATE INDEX ranking_by_age ON ranking (created_at);

        """

    private static let notifications = """
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

    private static let communities = """
        CREATE TABLE community_request (
            community_id INTEGER NOT NULL REFERENCES community (id),
            user_id INTEGER NOT NULL REFERENCES account (id),
            position INTEGER NOT NULL,
            PRIMARY KEY (user_id, community_id)
        ) STRICT, WITHOUT ROWID;
        CREATE INDEX community_request_by_community ON community_request (community_id, position, user_id);
        CREATE TABLE community_term (
            term TEXT NOT NULL,
            community_id INTEGER NOT NULL REFERENCES community (id),
            PRIMARY KEY (term, community_id)
        ) STRICT, WITHOUT ROWID;
        CREATE INDEX community_member_by_user ON community_member (user_id, position);
        CREATE INDEX community_member_by_role ON community_member (community_id, role, position, user_id);
        """
}
