import Database

extension SchemaChange {
    /// Requests with an idempotency key and their answers. `ordinal` counts the requests of a user, so that the first
    /// and the last give the number that is remembered. `post_id` and `comment_id` name what the request created; they
    /// reference nothing, because the row outlives it.
    package static let idempotency = SchemaChange(
        name: "0.2.0-idempotency",
        statements: """
            CREATE TABLE idempotent_request (
                account_id INTEGER NOT NULL REFERENCES account (id),
                idempotency_key TEXT NOT NULL,
                operation TEXT NOT NULL,
                ordinal INTEGER NOT NULL,
                fingerprint BLOB NOT NULL,
                status INTEGER NOT NULL,
                location TEXT,
                body BLOB NOT NULL,
                post_id INTEGER,
                comment_id INTEGER,
                created_at INTEGER NOT NULL,
                PRIMARY KEY (account_id, idempotency_key, operation)
            ) STRICT;
            CREATE UNIQUE INDEX idempotent_request_by_ordinal ON idempotent_request (account_id, ordinal);
            CREATE INDEX idempotent_request_by_age ON idempotent_request (created_at);
            """)
}
