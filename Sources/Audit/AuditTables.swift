import Database

extension SchemaChange {
    /// Acts of administrators and operators. An entry outlives the accounts that it names, so `actor_id` and
    /// `subject_id` reference nothing. Like the modlog, the table is append-only, enforced by triggers.
    package static let audit = SchemaChange(
        name: "0.2.0-audit",
        statements: """
            CREATE TABLE audit_entry (
                id INTEGER PRIMARY KEY,
                created_at INTEGER NOT NULL,
                action TEXT NOT NULL,
                -- Who acted: a user over HTTP, or a user of the machine with a command.
                actor_id INTEGER,
                machine_user TEXT,
                subject_id INTEGER,
                detail TEXT,
                CHECK ((actor_id IS NULL) <> (machine_user IS NULL))
            ) STRICT;
            CREATE INDEX audit_entry_by_action ON audit_entry (action, id);
            CREATE INDEX audit_entry_by_actor ON audit_entry (actor_id, id) WHERE actor_id IS NOT NULL;
            CREATE INDEX audit_entry_by_subject ON audit_entry (subject_id, id) WHERE subject_id IS NOT NULL;
            CREATE TRIGGER audit_entry_no_delete BEFORE DELETE ON audit_entry
                BEGIN SELECT RAISE(ABORT, 'the audit is append-only'); END;
            CREATE TRIGGER audit_entry_no_update BEFORE UPDATE ON audit_entry
                BEGIN SELECT RAISE(ABORT, 'the audit is append-only'); END;
            """)
}
