import Database

extension SchemaChange {
    /// Tokens that prove an address, the addresses proven, the queue of mail, and the mails of this hour for each
    /// address.
    ///
    /// `account_token` has the digest of a token. The token itself is only in `mail`, in the row of the mail that
    /// carries it, which is deleted once it is sent.
    package static let accountMail = SchemaChange(
        name: "0.2.0-account-mail",
        statements: """
            CREATE TABLE account_token (
                digest BLOB PRIMARY KEY NOT NULL,
                user_id INTEGER NOT NULL REFERENCES account (id),
                purpose TEXT NOT NULL CHECK (purpose IN ('password_reset', 'email_confirmation')),
                expires_at INTEGER NOT NULL
            ) STRICT, WITHOUT ROWID;
            CREATE INDEX account_token_by_user ON account_token (user_id);
            CREATE INDEX account_token_by_expiry ON account_token (expires_at);

            CREATE TABLE confirmed_email (
                user_id INTEGER PRIMARY KEY REFERENCES account (id),
                confirmed_at INTEGER NOT NULL
            ) STRICT;

            CREATE TABLE mail (
                id INTEGER PRIMARY KEY,
                user_id INTEGER NOT NULL REFERENCES account (id),
                kind TEXT NOT NULL,
                recipient TEXT NOT NULL,
                token TEXT,
                address TEXT NOT NULL,
                user_agent TEXT NOT NULL,
                created_at INTEGER NOT NULL,
                expires_at INTEGER NOT NULL,
                due_at INTEGER NOT NULL,
                attempts INTEGER NOT NULL DEFAULT 0,
                is_sending INTEGER NOT NULL DEFAULT 0 CHECK (is_sending IN (0, 1))
            ) STRICT;
            CREATE INDEX mail_by_time ON mail (due_at);
            CREATE INDEX mail_by_expiry ON mail (expires_at);
            CREATE INDEX mail_by_user ON mail (user_id);
            CREATE INDEX mail_sending ON mail (is_sending) WHERE is_sending = 1;

            CREATE TABLE mail_count (
                recipient BLOB NOT NULL,
                kind TEXT NOT NULL,
                started_at INTEGER NOT NULL,
                count INTEGER NOT NULL CHECK (count > 0),
                PRIMARY KEY (recipient, kind)
            ) STRICT, WITHOUT ROWID;
            CREATE INDEX mail_count_by_time ON mail_count (started_at);
            """)
}
