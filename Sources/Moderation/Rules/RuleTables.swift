import Database

extension Tables {
    /// Rules of one community or (nil) of the site; classifiers, and the content that waits for their answer.
    package static let rules = """
        CREATE TABLE moderation_rule (
            id INTEGER PRIMARY KEY,
            community_id INTEGER REFERENCES community (id),
            kind TEXT NOT NULL CHECK (kind IN ('keyword', 'pattern', 'link', 'rate', 'newAccount')),
            action TEXT NOT NULL CHECK (action IN ('hold', 'flag', 'remove')),
            name TEXT NOT NULL,
            -- What it looks for, as JSON with sorted keys.
            definition TEXT NOT NULL,
            is_enabled INTEGER NOT NULL,
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
        CREATE INDEX classifier_by_community ON classifier (community_id, id);

        CREATE TABLE classification (
            id INTEGER PRIMARY KEY,
            classifier_id INTEGER NOT NULL,
            -- As the classifier was when it was asked: it may be gone when the time is over.
            name TEXT NOT NULL,
            fallback TEXT NOT NULL CHECK (fallback IN ('allow', 'hold', 'flag', 'remove')),
            subject_kind TEXT NOT NULL CHECK (subject_kind IN ('post', 'comment')),
            subject_id INTEGER NOT NULL,
            -- The entry of the modlog by which the subject is held until the answer; null: it is not.
            wait_entry INTEGER,
            due_at INTEGER NOT NULL,
            attempts INTEGER NOT NULL DEFAULT 0,
            next_at INTEGER NOT NULL,
            scope_id INTEGER NOT NULL DEFAULT 0
        ) STRICT;
        CREATE INDEX classification_by_time ON classification (next_at, id);
        CREATE INDEX classification_by_subject ON classification (subject_kind, subject_id, id);
        CREATE INDEX classification_by_classifier ON classification (classifier_id);
        CREATE INDEX classification_by_scope ON classification (scope_id, next_at, id);

        CREATE TABLE unannounced (
            subject_kind TEXT NOT NULL CHECK (subject_kind IN ('post', 'comment')),
            subject_id INTEGER NOT NULL,
            -- 0: of an edit, whose new mentions alone are to be told.
            is_new INTEGER NOT NULL,
            PRIMARY KEY (subject_kind, subject_id)
        ) STRICT, WITHOUT ROWID;

        """
}
