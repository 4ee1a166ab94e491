import Database

extension SchemaChange {
    /// App webhooks, each with its position among the events (`after_event`), and their dead letters. Events have no
    /// table: they are rows of other tables, in the order of ids that were assigned in the transaction of the act.
    package static let appWebhooks = SchemaChange(
        name: "0.2.0-app-webhooks",
        statements: """
            CREATE TABLE app_webhook (
                id INTEGER PRIMARY KEY,
                url TEXT NOT NULL,
                kinds INTEGER NOT NULL,
                secret BLOB NOT NULL,
                created_at INTEGER NOT NULL,
                paused_at INTEGER,
                disabled_at INTEGER,
                after_event INTEGER NOT NULL,
                attempts INTEGER NOT NULL DEFAULT 0,
                due_at INTEGER NOT NULL DEFAULT 0,
                version INTEGER NOT NULL DEFAULT 0,
                status INTEGER,
                failure TEXT
            ) STRICT;

            CREATE TABLE app_webhook_letter (
                id INTEGER PRIMARY KEY,
                webhook_id INTEGER NOT NULL REFERENCES app_webhook (id),
                event_id INTEGER NOT NULL,
                kind TEXT NOT NULL,
                subject INTEGER NOT NULL,
                attempts INTEGER NOT NULL,
                due_at INTEGER,
                failed_at INTEGER,
                status INTEGER,
                failure TEXT NOT NULL
            ) STRICT;
            CREATE UNIQUE INDEX app_webhook_letter_by_event ON app_webhook_letter (webhook_id, event_id);
            CREATE INDEX app_webhook_letter_by_webhook ON app_webhook_letter (webhook_id, id);
            CREATE INDEX app_webhook_letter_due ON app_webhook_letter (webhook_id, due_at) WHERE due_at IS NOT NULL;
            CREATE INDEX app_webhook_letter_failed ON app_webhook_letter (failed_at) WHERE failed_at IS NOT NULL;

            ALTER TABLE media ADD COLUMN stored_id INTEGER;
            CREATE UNIQUE INDEX media_by_storing ON media (stored_id) WHERE stored_id IS NOT NULL;
            """)
}
