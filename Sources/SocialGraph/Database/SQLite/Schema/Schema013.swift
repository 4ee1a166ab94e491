/// The log of log-ins that users read.
enum Schema013 {
    static let sql = """
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
        """
}
