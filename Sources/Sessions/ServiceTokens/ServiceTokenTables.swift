import Database

extension SchemaChange {
    /// Tokens of the operator's programs. A token is stored as a digest, and its scopes as bits. The row names nobody:
    /// the audit says who has added it.
    package static let serviceTokens = SchemaChange(
        name: "0.2.0-service-tokens",
        statements: """
            CREATE TABLE service_token (
                id INTEGER PRIMARY KEY,
                name TEXT NOT NULL,
                digest BLOB NOT NULL,
                scopes INTEGER NOT NULL,
                created_at INTEGER NOT NULL
            ) STRICT;
            CREATE UNIQUE INDEX service_token_by_digest ON service_token (digest);
            CREATE UNIQUE INDEX service_token_by_name ON service_token (name);
            """)
}
