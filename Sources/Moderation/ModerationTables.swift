import Database
import SocialGraph

extension Tables {
    /// The record of moderation. The current state (hidden, locked, ended) is in a column of the subject, where every
    /// read finds it. These tables hold its history.
    ///
    /// A *facet* is a property of a subject that moderators set, such as the removal of a post or the role of a user.
    /// Its effects form a stack: the newest effect that has not ended is in force, and below the last one is the state
    /// before any effect (`moderation_base`). Undos in any order therefore end at the initial state.
    ///
    /// The modlog is append-only, enforced by triggers. The digest of each entry includes the digest of the one before.
    /// A note can be erased, since the chain holds its digest.
    package static let moderation = """
        CREATE TABLE moderation_entry (
            seq INTEGER PRIMARY KEY,
            batch_id INTEGER NOT NULL,
            created_at INTEGER NOT NULL,
            actor_id INTEGER,
            action TEXT NOT NULL,
            subject_kind TEXT NOT NULL,
            subject_id INTEGER NOT NULL,
            community_id INTEGER,
            -- Whose post or comment it is, or who it is: whom the entry concerns.
            user_id INTEGER,
            reason TEXT NOT NULL,
            -- What the order was given besides, and what was before and after, as JSON with sorted keys.
            detail TEXT NOT NULL,
            ends_at INTEGER,
            -- Of an undo or an expiry: the entry that it ended.
            ends_entry INTEGER,
            note_digest BLOB,
            digest BLOB NOT NULL,
            is_site INTEGER NOT NULL DEFAULT 0
        ) STRICT;
        CREATE INDEX moderation_entry_by_batch ON moderation_entry (batch_id, seq);
        CREATE INDEX moderation_entry_by_subject ON moderation_entry (subject_kind, subject_id, seq);
        CREATE INDEX moderation_entry_by_user ON moderation_entry (user_id, seq) WHERE user_id IS NOT NULL;
        CREATE INDEX moderation_entry_by_actor ON moderation_entry (actor_id, seq) WHERE actor_id IS NOT NULL;
        CREATE INDEX moderation_entry_by_community ON moderation_entry (community_id, seq)
            WHERE community_id IS NOT NULL;
        CREATE INDEX moderation_entry_of_site ON moderation_entry (seq) WHERE community_id IS NULL;
        CREATE INDEX moderation_entry_by_end ON moderation_entry (ends_entry) WHERE ends_entry IS NOT NULL;
        CREATE TRIGGER moderation_entry_no_delete BEFORE DELETE ON moderation_entry
            BEGIN SELECT RAISE(ABORT, 'the modlog is append-only'); END;
        CREATE TRIGGER moderation_entry_no_update BEFORE UPDATE ON moderation_entry
            BEGIN SELECT RAISE(ABORT, 'the modlog is append-only'); END;

        CREATE TABLE moderation_note (
            seq INTEGER PRIMARY KEY REFERENCES moderation_entry (seq),
            salt BLOB NOT NULL,
            note TEXT NOT NULL
        ) STRICT;

        CREATE TABLE moderation_base (
            facet TEXT NOT NULL,
            subject_id INTEGER NOT NULL,
            community_id INTEGER NOT NULL,
            state TEXT NOT NULL,
            PRIMARY KEY (subject_id, facet, community_id)
        ) STRICT, WITHOUT ROWID;

        CREATE TABLE moderation_effect (
            id INTEGER PRIMARY KEY,
            seq INTEGER NOT NULL REFERENCES moderation_entry (seq),
            facet TEXT NOT NULL,
            subject_id INTEGER NOT NULL,
            community_id INTEGER NOT NULL,
            state TEXT NOT NULL,
            ends_at INTEGER,
            ended_at INTEGER,
            -- The entry that has ended it; nil with ended_at: users have changed themselves what it was about.
            ended_by INTEGER,
            is_site INTEGER NOT NULL DEFAULT 0
        ) STRICT;
        CREATE INDEX moderation_effect_by_facet ON moderation_effect (subject_id, facet, community_id, id);
        CREATE INDEX moderation_effect_by_entry ON moderation_effect (seq);
        CREATE INDEX moderation_effect_by_ender ON moderation_effect (ended_by) WHERE ended_by IS NOT NULL;
        CREATE INDEX moderation_effect_by_end ON moderation_effect (ends_at, id)
            WHERE ends_at IS NOT NULL AND ended_at IS NULL;

        """
}

extension SchemaChange {
    /// Indexes of the effects in force. A subject may have any number of ended ones, which no order reads. The newest
    /// effects of each scope are found at once.
    package static let effectsInForce = SchemaChange(
        name: "0.2.0-effects-in-force",
        statements: """
            DROP INDEX moderation_effect_by_facet;
            CREATE INDEX moderation_effect_by_facet ON moderation_effect (subject_id, facet, community_id, id)
                WHERE ended_at IS NULL;
            CREATE INDEX moderation_effect_by_scope ON moderation_effect
                (subject_id, facet, community_id, is_site, id) WHERE ended_at IS NULL;
            """, isAdditive: true)
}
