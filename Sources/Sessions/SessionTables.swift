import Database
import SocialGraph

extension Tables {
    /// Sessions, digests by which spent refresh tokens are known, the log of log-ins for users, and the digests of
    /// addresses that accounts have logged in from. A token of a session is valid while the session has its row, so
    /// revocation needs no list of its own.
    package static let sessions = """
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

        CREATE TABLE login_event (
            id INTEGER PRIMARY KEY,
            user_id INTEGER NOT NULL REFERENCES account (id),
            outcome TEXT NOT NULL CHECK (
                outcome IN ('success', 'wrong_password', 'refresh_token_reused', 'password_changed', 'email_changed')),
            address TEXT NOT NULL,
            user_agent TEXT NOT NULL,
            first_at INTEGER NOT NULL,
            last_at INTEGER NOT NULL,
            count INTEGER NOT NULL CHECK (count > 0)
        ) STRICT;
        CREATE INDEX login_event_by_user ON login_event (user_id, id);
        CREATE INDEX login_event_by_time ON login_event (last_at);

        CREATE TABLE known_address (
            user_id INTEGER NOT NULL REFERENCES account (id),
            digest BLOB NOT NULL,
            used_at INTEGER NOT NULL,
            PRIMARY KEY (user_id, digest)
        ) STRICT, WITHOUT ROWID;

        """
}
