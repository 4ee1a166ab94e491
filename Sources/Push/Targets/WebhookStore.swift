import Database
import SocialGraph

/// Webhooks and their dead letters.
package struct WebhookStore: Sendable {
    let database: any GraphDatabase

    /// Queries on one snapshot.
    package struct Reader {
        let reader: any SQLReader
        package init(_ reader: any SQLReader) { self.reader = reader }
    }
}

extension WebhookStore {
    /// Throws ``GraphError/accountNotFound`` and ``GraphError/limitReached(_:)`` (``PushLimits/webhooksPerUser``).
    package func addWebhook(
        _ url: String, kinds: Set<PushKind>, secret: [UInt8], of user: UserID
    ) async throws -> Webhook {
        try await database.write { transaction in
            try AccountStore.Reader(transaction).requireAccounts([user])
            try BlockAndMuteStore.Reader(transaction).requireRoom(
                "SELECT COUNT(*) FROM webhook WHERE user_id = ?1", [.user(user)],
                below: PushLimits.webhooksPerUser, "webhooks")
            let id = try transaction.nextID()
            try transaction.execute(
                "INSERT INTO webhook (id, user_id, url, kinds, secret, created_at) VALUES (?1, ?2, ?3, ?4, ?5, ?6)",
                [
                    .integer(id), .user(user), .text(url), .integer(PushKindCoding.bits(of: kinds)), .blob(secret),
                    .integer(transaction.now),
                ])
            return Webhook(
                id: id, user: user, url: url, kinds: kinds, secret: secret, createdAt: transaction.now,
                disabledAt: nil)
        }
    }

    /// Returns the webhooks, latest first: at most ``PushLimits/webhooksPerUser``.
    package func webhooks(of user: UserID) async throws -> [Webhook] {
        try await database.read { try Reader($0).webhooks(of: user) }
    }
    static let webhookQuery = "\(WebhookStore.Reader.webhookColumns) WHERE id = ?1"

    /// Deletes a webhook with its dead letters and waiting deliveries; returns false if `user` has no such webhook.
    package func removeWebhook(_ id: Int64, of user: UserID) async throws -> Bool {
        try await database.write { transaction in
            let removed = try transaction.executeCounting(
                "DELETE FROM webhook WHERE id = ?1 AND user_id = ?2", [.integer(id), .user(user)])
            guard removed > 0 else { return false }
            try transaction.execute(
                DeviceStore.Writer.deleteDeliveriesStatement, [.text(PushChannel.webhook.rawValue), .integer(id)])
            return true
        }
    }

    /// Returns the dead letters of `webhook`, latest first; nil if `user` has no such webhook.
    package func deadLetters(
        of webhook: Int64, _ user: UserID, below cursor: Int64?, limit: Int
    ) async throws -> Page<DeadLetter, Int64>? {
        try await database.read { reader in
            guard try reader.first(Self.webhookQuery, [.integer(webhook)], Webhook.init(row:))?.user == user else {
                return nil
            }
            let rows = try reader.rows(
                Self.deadLettersQuery,
                [
                    .text(PushChannel.webhook.rawValue), .integer(webhook), .integer(cursor ?? .max),
                    .integer(Int64(limit + 1)),
                ], DeadLetter.init(row:))
            return Page(rows: rows, limit: limit, cursor: \.id)
        }
    }

    static let deadLettersQuery = """
        SELECT id, message_id, kind, attempts, created_at, failed_at, status, failure, subject, post_id
        FROM push_delivery
        WHERE channel = ?1 AND target_id = ?2 AND id < ?3 AND failed_at IS NOT NULL ORDER BY id DESC LIMIT ?4
        """

    /// Retries a dead letter from the first attempt on. Returns false if no such letter exists, or if its webhook is
    /// disabled or does not belong to `user`.
    package func retryDeadLetter(_ id: Int64, of webhook: Int64, _ user: UserID) async throws -> Bool {
        try await database.write { transaction in
            let known = try transaction.first(Self.webhookQuery, [.integer(webhook)], Webhook.init(row:))
            guard let known, known.user == user, known.disabledAt == nil else { return false }
            return try transaction.executeCounting(
                """
                UPDATE push_delivery SET due_at = ?3, attempts = 0, failed_at = NULL
                WHERE id = ?1 AND channel = \(PushChannel.webhook.literal) AND target_id = ?2 AND failed_at IS NOT NULL
                """, [.integer(id), .integer(webhook), .integer(transaction.now)]) > 0
        }
    }
}

extension WebhookStore.Reader {
    func webhooks(of user: UserID) throws -> [Webhook] {
        try reader.rows(Self.webhooksQuery, [.user(user)], Webhook.init(row:))
    }

    fileprivate static let webhookColumns =
        "SELECT id, user_id, url, kinds, secret, created_at, disabled_at FROM webhook"
    static let webhooksQuery = "\(webhookColumns) WHERE user_id = ?1 ORDER BY id DESC"
}

extension Webhook {
    init(row: any SQLRow) throws {
        id = row.integer(0)
        user = UserID(rawValue: row.integer(1))
        url = row.text(2)
        kinds = try PushKindCoding.kinds(in: row.integer(3))
        secret = row.blob(4)
        createdAt = row.integer(5)
        disabledAt = row.optionalInteger(6)
    }
}

extension DeadLetter {
    fileprivate init(row: any SQLRow) throws {
        id = row.integer(0)
        message = row.integer(1)
        kind = try row.choice(2)
        attempts = row.integer(3)
        createdAt = row.integer(4)
        failedAt = row.integer(5)
        status = row.optionalInteger(6)
        failure = row.optionalText(7) ?? ""
        subject = row.integer(8)
        post = row.optionalInteger(9).map(PostID.init(rawValue:))
    }
}
