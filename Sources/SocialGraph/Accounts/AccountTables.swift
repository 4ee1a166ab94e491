import Database

extension Tables {
    /// Users: profiles, typed preferences, identities of OpenID Connect issuers. A deleted account keeps its row, and
    /// has a row in `erasure` until everything it left behind is removed.
    package static let accounts = """
        CREATE TABLE account (
            id INTEGER PRIMARY KEY,
            username TEXT NOT NULL,
            username_key TEXT NOT NULL UNIQUE,
            email TEXT,
            email_key TEXT UNIQUE,
            password_hash TEXT,
            token_epoch INTEGER NOT NULL DEFAULT 0,
            created_at INTEGER NOT NULL,
            followers_count INTEGER NOT NULL DEFAULT 0 CHECK (followers_count >= 0),
            following_count INTEGER NOT NULL DEFAULT 0 CHECK (following_count >= 0),
            posts_count INTEGER NOT NULL DEFAULT 0 CHECK (posts_count >= 0),
            topics_in_home INTEGER NOT NULL DEFAULT 1,
            communities_in_home INTEGER NOT NULL DEFAULT 1,
            display_name TEXT NOT NULL DEFAULT '',
            bio TEXT NOT NULL DEFAULT '',
            updated_at INTEGER NOT NULL DEFAULT 0,
            is_business INTEGER NOT NULL DEFAULT 0,
            deleted_at INTEGER,
            logged_out_at INTEGER NOT NULL DEFAULT 0,
            picture_id INTEGER REFERENCES media (id),
            picture_url TEXT,
            site_role TEXT CHECK (site_role IN ('admin', 'moderator')),
            silenced_at INTEGER,
            suspended_at INTEGER,
            auto_accepts INTEGER NOT NULL DEFAULT 0 CHECK (auto_accepts IN (0, 1))
        ) STRICT;
        CREATE INDEX account_by_followers ON account (followers_count, id);
        CREATE INDEX account_by_picture ON account (picture_id) WHERE picture_id IS NOT NULL;
        CREATE INDEX account_by_site_role ON account (site_role, id) WHERE site_role IS NOT NULL;
        CREATE INDEX account_suspended ON account (id) WHERE suspended_at IS NOT NULL;
        CREATE INDEX account_silenced ON account (id) WHERE silenced_at IS NOT NULL;

        CREATE TABLE preference (
            user_id INTEGER NOT NULL REFERENCES account (id),
            name TEXT NOT NULL,
            ordinal INTEGER NOT NULL,
            kind TEXT NOT NULL CHECK (kind IN ('text', 'number', 'flag', 'list')),
            text_value TEXT,
            number_value REAL,
            text_key TEXT,
            PRIMARY KEY (user_id, name, ordinal)
        ) STRICT, WITHOUT ROWID;
        CREATE INDEX preference_by_text ON preference (name, text_key, user_id) WHERE text_key IS NOT NULL;

        CREATE TABLE identity (
            issuer TEXT NOT NULL,
            subject TEXT NOT NULL,
            user_id INTEGER NOT NULL REFERENCES account (id),
            refused_until INTEGER,
            PRIMARY KEY (issuer, subject)
        ) STRICT, WITHOUT ROWID;
        CREATE INDEX identity_by_user ON identity (user_id);
        CREATE INDEX identity_by_refusal ON identity (refused_until) WHERE refused_until IS NOT NULL;

        CREATE TABLE erasure (
            user_id INTEGER PRIMARY KEY REFERENCES account (id)
        ) STRICT;

        """
}
