import Database

extension Tables {
    /// Communities. `community_participant` holds former members and everybody who has commented there; a member is
    /// added on leaving.
    package static let communities = """
        CREATE TABLE community (
            id INTEGER PRIMARY KEY,
            name TEXT NOT NULL,
            name_key TEXT NOT NULL UNIQUE,
            description TEXT NOT NULL,
            created_at INTEGER NOT NULL,
            is_private INTEGER NOT NULL DEFAULT 0,
            locked_at INTEGER,
            members_count INTEGER NOT NULL DEFAULT 0 CHECK (members_count >= 0),
            archived_at INTEGER
        ) STRICT;

        CREATE TABLE community_member (
            community_id INTEGER NOT NULL REFERENCES community (id),
            user_id INTEGER NOT NULL REFERENCES account (id),
            role TEXT NOT NULL CHECK (role IN ('owner', 'moderator', 'member')),
            position INTEGER NOT NULL,
            in_home INTEGER NOT NULL DEFAULT 1,
            promoted_at INTEGER,
            PRIMARY KEY (user_id, community_id)
        ) STRICT, WITHOUT ROWID;
        CREATE INDEX community_member_by_community ON community_member (community_id, position, user_id);
        CREATE INDEX community_member_by_user ON community_member (user_id, position);
        CREATE INDEX community_member_by_role ON community_member (community_id, role, position, user_id);
        CREATE INDEX community_member_by_promotion ON community_member (community_id, role, promoted_at, user_id);

        CREATE TABLE community_ban (
            community_id INTEGER NOT NULL REFERENCES community (id),
            user_id INTEGER NOT NULL REFERENCES account (id),
            PRIMARY KEY (user_id, community_id)
        ) STRICT, WITHOUT ROWID;
        CREATE INDEX community_ban_by_community ON community_ban (community_id, user_id);

        CREATE TABLE community_pin (
            community_id INTEGER NOT NULL REFERENCES community (id),
            post_id INTEGER NOT NULL REFERENCES post (id),
            position INTEGER NOT NULL,
            PRIMARY KEY (community_id, position)
        ) STRICT, WITHOUT ROWID;
        CREATE UNIQUE INDEX community_pin_by_post ON community_pin (post_id);

        CREATE TABLE community_request (
            community_id INTEGER NOT NULL REFERENCES community (id),
            user_id INTEGER NOT NULL REFERENCES account (id),
            position INTEGER NOT NULL,
            PRIMARY KEY (user_id, community_id)
        ) STRICT, WITHOUT ROWID;
        CREATE INDEX community_request_by_community ON community_request (community_id, position, user_id);

        CREATE TABLE community_participant (
            user_id INTEGER NOT NULL REFERENCES account (id),
            community_id INTEGER NOT NULL REFERENCES community (id),
            PRIMARY KEY (user_id, community_id)
        ) STRICT, WITHOUT ROWID;
        CREATE INDEX community_participant_by_community ON community_participant (community_id);

        """
}
