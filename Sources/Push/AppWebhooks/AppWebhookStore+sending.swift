import Database
import SocialGraph

/// The next messages for an app webhook.
package struct AppWebhookWork: Sendable {
    package let webhook: AppWebhook
    /// A dead letter that is to be sent again.
    package let letter: AppDeadLetter?
    /// The next events, ascending; empty while the webhook waits for its next attempt.
    package let events: [AppEvent]
}

/// The outcome of one attempt.
package enum AppWebhookOutcome: Sendable, Equatable {
    case accepted
    /// Another attempt is due at this time, in milliseconds since 1970.
    case retry(at: Int64, status: Int64?, failure: String)
    /// All attempts have failed: the event becomes a dead letter, and the next one follows.
    case failed(status: Int64?, failure: String)
    /// The endpoint no longer exists, and is disabled.
    case gone
}

extension AppWebhookStore {
    /// Returns the next letter and up to `limit` events for an active webhook; nil if there is no such webhook.
    package func work(for id: Int64, at now: Int64, limit: Int) async throws -> AppWebhookWork? {
        try await database.read { reader in
            guard let webhook = try Reader(reader).webhook(id), webhook.isActive else { return nil }
            let letter = try reader.first(
                Self.dueLetterQuery, [.integer(id), .integer(now)], AppDeadLetter.init(row:))
            let events = webhook.dueAt <= now ? try Reader(reader).events(for: webhook, at: now, limit: limit) : []
            return AppWebhookWork(webhook: webhook, letter: letter, events: events)
        }
    }

    /// Records the outcome of an attempt to send `event`, which follows the position of `webhook`. Returns false,
    /// without effect, if an admin has changed the webhook meanwhile.
    package func acknowledge(
        _ event: AppEvent, to webhook: AppWebhook, _ outcome: AppWebhookOutcome
    ) async throws -> Bool {
        try await database.write { transaction in
            let current: [SQLValue] = [.integer(webhook.id), .integer(webhook.version)]
            switch outcome {
            case .accepted:
                return try transaction.executeCounting(
                    """
                    UPDATE app_webhook SET after_event = ?3, attempts = 0, due_at = 0, status = NULL, failure = NULL
                    WHERE id = ?1 AND version = ?2
                    """, current + [.integer(event.id)]) > 0
            case .retry(let at, let status, let failure):
                return try transaction.executeCounting(
                    """
                    UPDATE app_webhook SET attempts = attempts + 1, due_at = ?3, status = ?4, failure = ?5
                    WHERE id = ?1 AND version = ?2
                    """,
                    current + [.integer(at), status.map(SQLValue.integer) ?? .null, .text(failure)]) > 0
            case .failed(let status, let failure):
                let isCurrent =
                    try transaction.executeCounting(
                        """
                        UPDATE app_webhook SET after_event = ?3, attempts = 0, due_at = 0, status = ?4, failure = ?5
                        WHERE id = ?1 AND version = ?2
                        """,
                        current + [.integer(event.id), status.map(SQLValue.integer) ?? .null, .text(failure)]) > 0
                guard isCurrent else { return false }
                try Writer(transaction).bury(event, of: webhook, status, failure)
                return true
            case .gone:
                return try transaction.executeCounting(
                    "UPDATE app_webhook SET disabled_at = ?3 WHERE id = ?1 AND version = ?2",
                    current + [.integer(transaction.now)]) > 0
            }
        }
    }

    /// Records the outcome of an attempt to send a dead letter again.
    package func acknowledge(
        _ letter: AppDeadLetter, to webhook: AppWebhook, _ outcome: AppWebhookOutcome
    ) async throws {
        try await database.write { transaction in
            let id = SQLValue.integer(letter.id)
            switch outcome {
            case .accepted: try transaction.execute("DELETE FROM app_webhook_letter WHERE id = ?1", [id])
            case .retry(let at, let status, let failure):
                try transaction.execute(
                    """
                    UPDATE app_webhook_letter SET attempts = attempts + 1, due_at = ?2, status = ?3, failure = ?4
                    WHERE id = ?1
                    """, [id, .integer(at), status.map(SQLValue.integer) ?? .null, .text(failure)])
            case .failed(let status, let failure):
                try transaction.execute(
                    """
                    UPDATE app_webhook_letter SET attempts = attempts + 1, due_at = NULL, failed_at = ?2, status = ?3,
                        failure = ?4
                    WHERE id = ?1
                    """,
                    [id, .integer(transaction.now), status.map(SQLValue.integer) ?? .null, .text(failure)])
            case .gone:
                try transaction.execute(
                    "UPDATE app_webhook_letter SET due_at = NULL, failed_at = ?2 WHERE id = ?1",
                    [id, .integer(transaction.now)])
                try transaction.execute(
                    "UPDATE app_webhook SET disabled_at = ?3 WHERE id = ?1 AND version = ?2",
                    [.integer(webhook.id), .integer(webhook.version), .integer(transaction.now)])
            }
        }
    }

    /// Writes in one transaction.
    struct Writer {
        let transaction: any GraphTransaction
        init(_ transaction: any GraphTransaction) { self.transaction = transaction }
    }
}

extension AppWebhookStore.Reader {
    /// The position before all events that are kept at `now`, in milliseconds since 1970.
    func oldestEvent(at now: Int64) throws -> Int64 {
        IDSequence.first(at: now - (try SettingStore.Reader(reader).age(of: .webhookEvents))) - 1
    }

    /// Returns the events of the webhook's kinds above its position, ascending, as far as they are kept.
    fileprivate func events(for webhook: AppWebhook, at now: Int64, limit: Int) throws -> [AppEvent] {
        let kinds = AppEventKind.allCases.filter(webhook.kinds.contains)
        let start = SQLValue.integer(max(webhook.cursor, try oldestEvent(at: now)))
        let found = try reader.rows(of: kinds.map { SQLQuery($0.query, [start, .integer(Int64(limit))]) }) {
            (id: $0.integer(0), subject: $0.integer(1))
        }
        return Array(
            zip(kinds, found)
                .flatMap { kind, rows in rows.map { AppEvent(id: $0.id, kind: kind, subject: $0.subject) } }
                .sorted { $0.id < $1.id }.prefix(limit))
    }
}

extension AppWebhookStore.Writer {
    /// Inserts a dead letter, or renews the one that an earlier attempt at the event has left. Evicts the oldest beyond
    /// ``PushLimits/deadLettersPerWebhook``.
    fileprivate func bury(
        _ event: AppEvent, of webhook: AppWebhook, _ status: Int64?, _ failure: String
    ) throws {
        try transaction.execute(
            """
            INSERT INTO app_webhook_letter (id, webhook_id, event_id, kind, subject, attempts, failed_at, status,
                failure)
            VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9)
            ON CONFLICT (webhook_id, event_id) DO UPDATE SET attempts = excluded.attempts, due_at = NULL,
                failed_at = excluded.failed_at, status = excluded.status, failure = excluded.failure
            """,
            [
                .integer(try transaction.nextID()), .integer(webhook.id), .integer(event.id),
                .text(event.kind.rawValue),
                .integer(event.subject), .integer(webhook.attempts + 1), .integer(transaction.now),
                status.map(SQLValue.integer) ?? .null, .text(failure),
            ])
        try transaction.execute(
            Self.evictStatement, [.integer(webhook.id), .integer(Int64(PushLimits.deadLettersPerWebhook))])
    }

    static let evictStatement = """
        DELETE FROM app_webhook_letter
        WHERE webhook_id = ?1 AND id <= COALESCE(
            (SELECT MIN(id) FROM (
                SELECT id FROM app_webhook_letter WHERE webhook_id = ?1 ORDER BY id DESC LIMIT ?2 + 1) AS newest
             HAVING COUNT(*) > ?2), -1)
        """
}
