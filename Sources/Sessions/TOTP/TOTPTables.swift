import Database

extension SchemaChange {
    /// Authenticators and recovery codes; three more events in the log of log-ins.
    ///
    /// A secret is stored as it is, because every log-in needs it: whoever can read the database can issue tokens
    /// anyway, with the keys that lie beside it. A recovery code is stored as a digest.
    package static let totp = SchemaChange(
        name: "0.2.0-totp",
        statements: """
            CREATE TABLE totp (
                user_id INTEGER PRIMARY KEY REFERENCES account (id),
                secret BLOB NOT NULL,
                created_at INTEGER NOT NULL,
                confirmed_at INTEGER,
                last_step INTEGER NOT NULL
            ) STRICT;
            CREATE INDEX totp_unconfirmed ON totp (created_at) WHERE confirmed_at IS NULL;

            CREATE TABLE recovery_code (
                user_id INTEGER NOT NULL REFERENCES account (id),
                digest BLOB NOT NULL,
                PRIMARY KEY (user_id, digest)
            ) STRICT, WITHOUT ROWID;

            CREATE TABLE new_login_event (
                id INTEGER PRIMARY KEY,
                user_id INTEGER NOT NULL REFERENCES account (id),
                outcome TEXT NOT NULL CHECK (
                    outcome IN (
                        'success', 'wrong_password', 'refresh_token_reused', 'password_changed', 'email_changed',
                        'wrong_code', 'totp_enabled', 'totp_removed')),
                address TEXT NOT NULL,
                user_agent TEXT NOT NULL,
                first_at INTEGER NOT NULL,
                last_at INTEGER NOT NULL,
                count INTEGER NOT NULL CHECK (count > 0)
            ) STRICT;
            INSERT INTO new_login_event (id, user_id, outcome, address, user_agent, first_at, last_at, count)
            SELECT id, user_id, outcome, address, user_agent, first_at, last_at, count FROM login_event;
            DROP TABLE login_event;
            ALTER TABLE new_login_event RENAME TO login_event;
            CREATE INDEX login_event_by_user ON login_event (user_id, id);
            CREATE INDEX login_event_by_time ON login_event (last_at);
            """)
}
