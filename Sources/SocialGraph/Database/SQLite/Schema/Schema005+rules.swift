extension Schema005 {
    /// Rules that judge what is written, of one community or (nil) of the site; classifiers, and what waits for their
    /// answer.
    static let rules = """
        CREATE TABLE moderation_rule (
            id INTEGER PRIMARY KEY,
            community_id INTEGER REFERENCES community (id),
            kind TEXT NOT NULL CHECK (kind IN ('keyword', 'pattern', 'link', 'rate', 'newAccount')),
            action TEXT NOT NULL CHECK (action IN ('hold', 'flag', 'remove')),
            name TEXT NOT NULL,
            -- What it looks for, as JSON with sorted keys.
            definition TEXT NOT NULL,
            is_enabled INTEGER NOT NULL,
            created_by INTEGER REFERENCES account (id),
            created_at INTEGER NOT NULL,
            updated_at INTEGER NOT NULL
        ) STRICT;
        CREATE INDEX moderation_rule_by_community ON moderation_rule (community_id, id);
        CREATE TABLE classifier (
            id INTEGER PRIMARY KEY,
            community_id INTEGER REFERENCES community (id),
            name TEXT NOT NULL,
            url TEXT NOT NULL,
            secret BLOB NOT NULL,
            timeout_ms INTEGER NOT NULL,
            -- What holds where no answer comes in time.
            fallback TEXT NOT NULL CHECK (fallback IN ('allow', 'hold', 'flag', 'remove')),
            is_enabled INTEGER NOT NULL,
            created_at INTEGER NOT NULL
        ) STRICT;
        CREATE TABLE classification (
            id INTEGER PRIMARY KEY,
            classifier_id INTEGER NOT NULL,
            subject_kind TEXT NOT NULL CHECK (subject_kind IN ('post', 'comment')),
            subject_id INTEGER NOT NULL,
            due_at INTEGER NOT NULL,
            attempts INTEGER NOT NULL DEFAULT 0,
            next_at INTEGER NOT NULL
        ) STRICT;
        CREATE INDEX classification_by_time ON classification (next_at, id);
        CREATE INDEX classification_by_subject ON classification (subject_kind, subject_id);

        """
}
