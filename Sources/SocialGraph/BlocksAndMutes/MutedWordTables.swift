import Database

extension SchemaChange {
    /// Words and phrases that users have muted. `word_key` is the spelling in which they are searched for.
    package static let mutedWords = SchemaChange(
        name: "0.2.0-muted-words",
        statements: """
            CREATE TABLE muted_word (
                id INTEGER PRIMARY KEY,
                user_id INTEGER NOT NULL REFERENCES account (id),
                word TEXT NOT NULL,
                word_key TEXT NOT NULL,
                is_whole INTEGER NOT NULL CHECK (is_whole IN (0, 1)),
                expires_at INTEGER
            ) STRICT;
            CREATE UNIQUE INDEX muted_word_by_key ON muted_word (user_id, word_key);
            CREATE INDEX muted_word_by_expiry ON muted_word (expires_at) WHERE expires_at IS NOT NULL;
            """)
}
