import Database
import SocialGraph

extension Tables {
    /// Reports by users, with at most one open for each reporter and subject; appeals, with at most one for each entry
    /// of the modlog. A strike is the effect of a warning.
    package static let cases = """
        CREATE TABLE report (
            id INTEGER PRIMARY KEY,
            -- Null: graphd itself, for a rule or a classifier.
            reporter_id INTEGER REFERENCES account (id),
            subject_kind TEXT NOT NULL CHECK (subject_kind IN ('post', 'comment', 'user', 'community')),
            subject_id INTEGER NOT NULL,
            -- Whose moderators see it besides those of the site; nil: theirs alone.
            community_id INTEGER REFERENCES community (id),
            -- Whom it concerns.
            user_id INTEGER,
            reason TEXT NOT NULL,
            note TEXT NOT NULL,
            created_at INTEGER NOT NULL,
            status TEXT NOT NULL CHECK (status IN ('open', 'claimed', 'resolved')),
            claimed_by INTEGER REFERENCES account (id),
            resolution TEXT CHECK (resolution IN ('actioned', 'dismissed')),
            resolved_by INTEGER REFERENCES account (id),
            resolved_at INTEGER
        ) STRICT;
        CREATE UNIQUE INDEX report_open ON report (reporter_id, subject_kind, subject_id) WHERE status <> 'resolved';
        CREATE INDEX report_by_status ON report (status, id);
        CREATE INDEX report_by_community ON report (community_id, status, id) WHERE community_id IS NOT NULL;
        CREATE INDEX report_by_subject ON report (subject_kind, subject_id, id);
        CREATE INDEX report_by_user ON report (user_id, id) WHERE user_id IS NOT NULL;
        CREATE INDEX report_by_reporter ON report (reporter_id, id);
        CREATE INDEX report_by_claimer ON report (claimed_by) WHERE claimed_by IS NOT NULL;
        CREATE INDEX report_by_resolver ON report (resolved_by) WHERE resolved_by IS NOT NULL;

        CREATE TABLE appeal (
            id INTEGER PRIMARY KEY,
            user_id INTEGER NOT NULL REFERENCES account (id),
            seq INTEGER NOT NULL REFERENCES moderation_entry (seq),
            community_id INTEGER REFERENCES community (id),
            text TEXT NOT NULL,
            created_at INTEGER NOT NULL,
            status TEXT NOT NULL CHECK (status IN ('open', 'granted', 'denied')),
            decided_by INTEGER REFERENCES account (id),
            decided_at INTEGER
        ) STRICT;
        CREATE UNIQUE INDEX appeal_by_entry ON appeal (seq, user_id);
        CREATE INDEX appeal_by_status ON appeal (status, id);
        CREATE INDEX appeal_by_community ON appeal (community_id, status, id) WHERE community_id IS NOT NULL;
        CREATE INDEX appeal_by_user ON appeal (user_id, id);
        CREATE INDEX appeal_by_decider ON appeal (decided_by) WHERE decided_by IS NOT NULL;

        """
}
