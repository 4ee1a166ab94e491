import Audit
import Database
import SocialGraph

/// App webhooks: their registration, their positions among the events, and their dead letters. Acts of admins are
/// recorded in the audit, without URLs and secrets.
package struct AppWebhookStore: Sendable {
    let database: any GraphDatabase

    /// Queries on one snapshot.
    package struct Reader {
        let reader: any SQLReader
        package init(_ reader: any SQLReader) { self.reader = reader }
    }
}

extension GraphStore {
    package var appWebhooks: AppWebhookStore { AppWebhookStore(database: database) }
}

extension AppWebhookStore {
    /// Adds a webhook that receives the events from now on. Throws ``GraphError/limitReached(_:)``
    /// (``PushLimits/appWebhooks``).
    package func add(
        _ url: String, kinds: Set<AppEventKind>, secret: [UInt8], by admin: UserID
    ) async throws -> AppWebhook {
        try await database.write { transaction in
            let count = try Reader(transaction).webhooks().count
            guard count < PushLimits.appWebhooks else {
                throw GraphError.limitReached("\(PushLimits.appWebhooks) app webhooks")
            }
            let id = try transaction.nextID()
            try transaction.execute(
                """
                INSERT INTO app_webhook (id, url, kinds, secret, created_at, after_event)
                VALUES (?1, ?2, ?3, ?4, ?5, ?1)
                """,
                [
                    .integer(id), .text(url), .integer(AppEventKind.bits(of: kinds)), .blob(secret),
                    .integer(transaction.now),
                ])
            try Writer(transaction).note(.webhookAdded, of: id, by: admin)
            return try Reader(transaction).require(id)
        }
    }

    /// Returns all webhooks, the oldest first: at most ``PushLimits/appWebhooks``.
    package func webhooks() async throws -> [AppWebhook] {
        try await database.read { try Reader($0).webhooks() }
    }

    /// Returns the changed webhook; nil if there is none. A change ends the pause after failed attempts.
    package func change(_ id: Int64, _ change: AppWebhookChange, by admin: UserID) async throws -> AppWebhook? {
        try await database.write { transaction in
            guard let before = try Reader(transaction).webhook(id) else { return nil }
            let paused =
                switch change.isPaused {
                case nil: before.pausedAt
                case true?: before.pausedAt ?? transaction.now
                case false?: Int64?.none
                }
            let disabled = change.isPaused == false ? nil : before.disabledAt
            try transaction.execute(
                """
                UPDATE app_webhook SET url = ?2, kinds = ?3, secret = ?4, paused_at = ?5, disabled_at = ?6,
                    attempts = 0, due_at = 0, version = version + 1
                WHERE id = ?1
                """,
                [
                    .integer(id), .text(change.url ?? before.url),
                    .integer(AppEventKind.bits(of: change.kinds ?? before.kinds)),
                    .blob(change.secret ?? before.secret), paused.map(SQLValue.integer) ?? .null,
                    disabled.map(SQLValue.integer) ?? .null,
                ])
            let after = try Reader(transaction).require(id)
            let changes = after.changes(since: before)
            if !changes.isEmpty {
                let detail = changes.joined(separator: ", ")
                try Writer(transaction).note(.webhookChanged, of: id, by: admin, detail: detail)
            }
            return after
        }
    }

    /// Deletes a webhook with its dead letters; returns false if there is none.
    package func remove(_ id: Int64, by admin: UserID) async throws -> Bool {
        try await database.write { transaction in
            try transaction.execute("DELETE FROM app_webhook_letter WHERE webhook_id = ?1", [.integer(id)])
            let removed = try transaction.executeCounting("DELETE FROM app_webhook WHERE id = ?1", [.integer(id)])
            if removed > 0 { try Writer(transaction).note(.webhookRemoved, of: id, by: admin) }
            return removed > 0
        }
    }

    /// Sends the events above `event` again. Returns the webhook, whose position is at least the start of the
    /// retention; nil if there is none.
    package func replay(_ id: Int64, after event: Int64, by admin: UserID) async throws -> AppWebhook? {
        try await database.write { transaction in
            guard let before = try Reader(transaction).webhook(id) else { return nil }
            let oldest = try Reader(transaction).oldestEvent(at: transaction.now)
            let start = max(event, oldest)
            try transaction.execute(
                """
                UPDATE app_webhook SET after_event = CASE WHEN after_event < ?2 THEN after_event ELSE ?2 END,
                    attempts = 0, due_at = 0, version = version + 1
                WHERE id = ?1
                """, [.integer(id), .integer(start)])
            let after = try Reader(transaction).require(id)
            if !after.changes(since: before).isEmpty {
                let detail = "after event \(after.cursor)"
                try Writer(transaction).note(.webhookReplayed, of: id, by: admin, detail: detail)
            }
            return after
        }
    }

    // MARK: Dead letters

    /// Returns the dead letters of a webhook, latest first; nil if there is no such webhook.
    package func letters(
        of webhook: Int64, below cursor: Int64?, limit: Int
    ) async throws -> Page<AppDeadLetter, Int64>? {
        try await database.read { reader in
            guard try Reader(reader).webhook(webhook) != nil else { return nil }
            let rows = try reader.rows(
                Self.lettersQuery, [.integer(webhook), .integer(cursor ?? .max), .integer(Int64(limit + 1))],
                AppDeadLetter.init(row:))
            return Page(rows: rows, limit: limit, cursor: \.id)
        }
    }

    static let lettersQuery = """
        \(letterColumns) WHERE webhook_id = ?1 AND id < ?2 ORDER BY id DESC LIMIT ?3
        """
    static let dueLetterQuery = "\(letterColumns) WHERE webhook_id = ?1 AND due_at <= ?2 ORDER BY due_at LIMIT 1"
    private static let letterColumns =
        "SELECT id, event_id, kind, subject, attempts, failed_at, status, failure FROM app_webhook_letter"

    /// Sends a dead letter again, from the first attempt on; returns false if there is no such letter.
    package func retry(_ letter: Int64, of webhook: Int64, by admin: UserID) async throws -> Bool {
        try await database.write { transaction in
            let restarted = try transaction.executeCounting(
                """
                UPDATE app_webhook_letter SET due_at = ?3, attempts = 0, failed_at = NULL
                WHERE id = ?1 AND webhook_id = ?2 AND failed_at IS NOT NULL
                """, [.integer(letter), .integer(webhook), .integer(transaction.now)])
            guard restarted > 0 else { return false }
            let detail = "delivery \(letter)"
            try Writer(transaction).note(.webhookDeliveryRetried, of: webhook, by: admin, detail: detail)
            return true
        }
    }

    /// Deletes up to `limit` dead letters older than the events that are kept; returns true if more remain.
    package func prune(limit: Int) async throws -> Bool {
        try await database.write { transaction in
            try transaction.executeCounting(
                Self.pruneStatement,
                [.integer(try transaction.horizon(of: .failedDeliveries)), .integer(Int64(limit))]) == limit
        }
    }

    static let pruneStatement = """
        DELETE FROM app_webhook_letter
        WHERE id IN (SELECT id FROM app_webhook_letter WHERE failed_at < ?1 LIMIT ?2)
        """
}

extension AppWebhookStore.Writer {
    fileprivate func note(
        _ action: AuditAction, of webhook: Int64, by admin: UserID, detail: String? = nil
    ) throws {
        try AuditStore.Writer(transaction).append(
            AuditNote(action, by: .user(admin), subject: webhook, detail: detail))
    }
}

extension AppWebhookStore.Reader {
    func webhooks() throws -> [AppWebhook] {
        try reader.rows(
            Self.webhooksQuery, [.integer(0), .integer(Int64(PushLimits.appWebhooks))], AppWebhook.init(row:))
    }

    func webhook(_ id: Int64) throws -> AppWebhook? {
        try reader.first(Self.webhookQuery, [.integer(id)], AppWebhook.init(row:))
    }

    /// The webhook that the transaction has written.
    fileprivate func require(_ id: Int64) throws -> AppWebhook {
        guard let webhook = try webhook(id) else { throw DatabaseError.undecodable(AppWebhook.self, id) }
        return webhook
    }

    private static let columns = """
        SELECT id, url, kinds, secret, created_at, paused_at, disabled_at, after_event, attempts, due_at, version,
            status, failure
        FROM app_webhook
        """
    static let webhooksQuery = "\(columns) WHERE id > ?1 ORDER BY id LIMIT ?2"
    static let webhookQuery = "\(columns) WHERE id = ?1"
}

extension AppWebhook {
    /// The names of the parts that an admin has changed.
    fileprivate func changes(since before: AppWebhook) -> [String] {
        let parts = [
            ("url", url != before.url), ("events", kinds != before.kinds), ("secret", secret != before.secret),
            ("pausedAt", pausedAt != before.pausedAt), ("disabledAt", disabledAt != before.disabledAt),
            ("lastEventId", cursor != before.cursor), ("attempts", attempts != before.attempts),
        ]
        return parts.filter(\.1).map(\.0)
    }

    fileprivate init(row: any SQLRow) throws {
        id = row.integer(0)
        url = row.text(1)
        kinds = try AppEventKind.kinds(in: row.integer(2))
        secret = row.blob(3)
        createdAt = row.integer(4)
        pausedAt = row.optionalInteger(5)
        disabledAt = row.optionalInteger(6)
        cursor = row.integer(7)
        attempts = row.integer(8)
        dueAt = row.integer(9)
        version = row.integer(10)
        status = row.optionalInteger(11)
        failure = row.optionalText(12)
    }
}

extension AppDeadLetter {
    init(row: any SQLRow) throws {
        id = row.integer(0)
        event = AppEvent(id: row.integer(1), kind: try row.choice(2), subject: row.integer(3))
        attempts = row.integer(4)
        failedAt = row.optionalInteger(5)
        status = row.optionalInteger(6)
        failure = row.text(7)
    }
}
