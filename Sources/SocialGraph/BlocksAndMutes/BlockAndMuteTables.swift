import Database

extension Tables {
    /// Blocks and mutes.
    package static let blocksAndMutes = """
        CREATE TABLE block (
            blocker_id INTEGER NOT NULL REFERENCES account (id),
            blocked_id INTEGER NOT NULL REFERENCES account (id),
            position INTEGER NOT NULL,
            PRIMARY KEY (blocker_id, blocked_id),
            CHECK (blocker_id <> blocked_id)
        ) STRICT, WITHOUT ROWID;
        CREATE INDEX block_by_position ON block (blocker_id, position, blocked_id);
        CREATE INDEX block_by_blocked ON block (blocked_id, blocker_id);

        CREATE TABLE mute (
            muter_id INTEGER NOT NULL REFERENCES account (id),
            muted_id INTEGER NOT NULL REFERENCES account (id),
            position INTEGER NOT NULL,
            posts INTEGER NOT NULL,
            reshares INTEGER NOT NULL,
            notifications INTEGER NOT NULL,
            PRIMARY KEY (muter_id, muted_id),
            CHECK (muter_id <> muted_id),
            CHECK (posts + reshares + notifications > 0)
        ) STRICT, WITHOUT ROWID;
        CREATE INDEX mute_by_position ON mute (muter_id, position, muted_id);
        CREATE INDEX mute_of_reshares ON mute (muted_id, reshares, muter_id);

        """
}

extension SchemaChange {
    /// Mutes that end at a time. An expired mute has no effect, and is removed later.
    package static let expiringMutes = SchemaChange(
        name: "0.2.0-expiring-mutes",
        statements: """
            ALTER TABLE mute ADD COLUMN expires_at INTEGER;
            CREATE INDEX mute_by_expiry ON mute (expires_at) WHERE expires_at IS NOT NULL;
            """)
}
