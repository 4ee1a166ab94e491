import Database
import SocialGraph

/// Messages to send, one row for each target.
package struct PushDeliveryStore: Sendable {
    let database: any GraphDatabase

    /// Queries on one snapshot.
    package struct Reader {
        let reader: any SQLReader
        package init(_ reader: any SQLReader) { self.reader = reader }
    }

    /// Writes in one transaction.
    package struct Writer {
        let transaction: any GraphTransaction
        package init(_ transaction: any GraphTransaction) { self.transaction = transaction }
        /// Queries that see the writes of the transaction.
        var stored: Reader { Reader(transaction) }
    }
}

extension PushDeliveryStore {
    /// Takes up to `limit` deliveries that are due, longest due first: at most one for each webhook, and none for those
    /// in `busy`. The caller has `lease` milliseconds to apply an outcome; after that the delivery is due again.
    /// Deliveries to targets that no longer exist are not taken.
    package func takeDeliveries(
        _ channel: PushChannel, limit: Int, lease: Int64, busy: Set<Int64> = []
    ) async throws -> [PushDelivery] {
        try await database.write { transaction in
            let due = try transaction.rows(
                Self.dueDeliveriesQuery,
                [
                    .text(channel.rawValue), .integer(transaction.now),
                    .integer(Int64(limit * (channel == .webhook ? 8 : 1))),
                ], DueDelivery.init(row:))
            var (taken, busy): ([PushDelivery], Set<Int64>) = ([], busy)
            for row in due where taken.count < limit {
                if channel == .webhook, !busy.insert(row.targetID).inserted { continue }
                guard let target = try Reader(transaction).target(of: row, channel) else {
                    try transaction.execute("DELETE FROM push_delivery WHERE id = ?1", [.integer(row.id)])
                    continue
                }
                try transaction.execute(
                    Self.takeStatement, [.integer(row.id), .integer(transaction.now + lease)])
                taken.append(row.taken(channel, target))
            }
            return taken
        }
    }

    static let dueDeliveriesQuery = """
        SELECT id, message_id, user_id, target_id, kind, subject, post_id, payload, created_at, attempts
        FROM push_delivery WHERE channel = ?1 AND due_at <= ?2 ORDER BY due_at LIMIT ?3
        """

    static let takeStatement =
        "UPDATE push_delivery SET is_sending = 1, attempts = attempts + 1, due_at = ?2 WHERE id = ?1"

    /// Applies the outcome of an attempt. Without effect if the lease has expired and another owner has taken the
    /// delivery.
    package func settle(_ delivery: PushDelivery, _ outcome: PushOutcome) async throws {
        try await database.write { transaction in
            let isOurs = try transaction.exists(
                "SELECT 1 FROM push_delivery WHERE id = ?1 AND attempts = ?2 AND is_sending = 1",
                [.integer(delivery.id), .integer(delivery.attempts)])
            guard isOurs else { return }
            switch outcome {
            case .finished:
                try transaction.execute("DELETE FROM push_delivery WHERE id = ?1", [.integer(delivery.id)])
            case .retry(let at, let status, let failure):
                try transaction.execute(
                    "UPDATE push_delivery SET is_sending = 0, due_at = ?2, status = ?3, failure = ?4 WHERE id = ?1",
                    [
                        .integer(delivery.id), .integer(at), status.map(SQLValue.integer) ?? .null, .text(failure),
                    ])
                if delivery.channel == .webhook {
                    try Writer(transaction).hold(delivery.targetID, from: transaction.now, until: at)
                }
            case .postponed(let until):
                try transaction.execute(
                    "UPDATE push_delivery SET is_sending = 0, due_at = ?2, attempts = attempts - 1 WHERE id = ?1",
                    [.integer(delivery.id), .integer(until)])
            case .failed(let status, let failure):
                try Writer(transaction).bury(delivery, status, failure)
            case .targetGone:
                try Writer(transaction).forgetTarget(of: delivery)
            }
        }
    }

    /// Makes the deliveries due that an owner proven dead was sending. It is unknown whether they were accepted, so
    /// they are sent once more under the same message ids. Without that proof, each is due when its own lease ends.
    /// Must be called before the first delivery is taken.
    package func freeDeliveries(from former: FormerOwner) async throws {
        guard former == .isDead else { return }
        try await database.write { transaction in
            try transaction.execute(Self.freeStatement, [.integer(transaction.now)])
        }
    }

    static let freeStatement = "UPDATE push_delivery SET is_sending = 0, due_at = ?1 WHERE is_sending = 1"

    /// Returns the numbers of waiting events and deliveries.
    package func pushBacklog() async throws -> (events: Int64, deliveries: Int64) {
        try await database.read { reader in
            (
                try reader.first(Self.waitingEventsQuery, []) { $0.integer(0) } ?? 0,
                try reader.first(Self.waitingDeliveriesQuery, []) { $0.integer(0) } ?? 0
            )
        }
    }

    static let waitingEventsQuery = "SELECT COUNT(*) FROM push_event WHERE due_at > 0"
    static let waitingDeliveriesQuery =
        """
        SELECT COUNT(*) FROM push_delivery
        WHERE channel IN (\(PushChannel.allCases.map(\.literal).joined(separator: ", "))) AND due_at > 0
        """
}

extension PushDeliveryStore.Reader {
    private static let topicTarget: Int64 = 0

    fileprivate func targets(of event: PushEvent) throws -> [Int64] {
        switch event.channel {
        case .device:
            let devices = try DeviceStore.Reader(reader).devices(of: event.user).map(\.id)
            guard devices.isEmpty else { return devices }
            let settings = try reader.first(PushSettingStore.pushSettingsQuery, [.user(event.user)]) {
                $0.integer(1) != 0
            }
            return settings == true ? [Self.topicTarget] : []
        case .webhook:
            return try WebhookStore.Reader(reader).webhooks(of: event.user)
                .filter { $0.disabledAt == nil && $0.kinds.contains(event.kind) }.map(\.id)
        }
    }

    fileprivate func target(of row: DueDelivery, _ channel: PushChannel) throws -> PushDelivery.Target? {
        switch channel {
        case .device where row.targetID == Self.topicTarget: .topic
        case .device:
            try reader.first("SELECT token FROM device WHERE id = ?1", [.integer(row.targetID)]) {
                .device(token: $0.text(0))
            }
        case .webhook:
            try reader.first(WebhookStore.webhookQuery, [.integer(row.targetID)], Webhook.init(row:)).flatMap {
                $0.disabledAt == nil ? .webhook(url: $0.url, secret: $0.secret) : nil
            }
        }
    }
}

extension PushDeliveryStore.Writer {
    /// Inserts one delivery for each target of the event's channel, all with one message id.
    func deliver(_ event: PushEvent, _ payload: String, _ post: PostID?) throws {
        let message = try transaction.nextID()
        for target in try stored.targets(of: event) {
            try transaction.execute(
                """
                INSERT INTO push_delivery (id, message_id, user_id, channel, target_id, kind, subject, post_id,
                    payload, created_at, due_at)
                VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11)
                """,
                [
                    .integer(try transaction.nextID()), .integer(message), .user(event.user),
                    .text(event.channel.rawValue), .integer(target), .text(event.kind.rawValue),
                    .integer(event.subject), post.map(SQLValue.post) ?? .null, .text(payload),
                    .integer(event.createdAt), .integer(transaction.now),
                ])
        }
    }

    /// Delays the other due deliveries of a failed webhook along with the failed one. One attempt at a time tests
    /// whether the webhook is back, and other users' messages never wait behind it.
    fileprivate func hold(_ webhook: Int64, from now: Int64, until later: Int64) throws {
        try transaction.execute(
            """
            UPDATE push_delivery SET due_at = ?4
            WHERE channel = ?1 AND target_id = ?2 AND due_at <= ?3 AND is_sending = 0
            """,
            [.text(PushChannel.webhook.rawValue), .integer(webhook), .integer(now), .integer(later)])
    }

    fileprivate func bury(_ delivery: PushDelivery, _ status: Int64?, _ failure: String) throws {
        guard delivery.channel == .webhook else {
            try transaction.execute("DELETE FROM push_delivery WHERE id = ?1", [.integer(delivery.id)])
            return
        }
        try transaction.execute(
            """
            UPDATE push_delivery SET is_sending = 0, due_at = NULL, failed_at = ?2, status = ?3, failure = ?4
            WHERE id = ?1
            """,
            [
                .integer(delivery.id), .integer(transaction.now), status.map(SQLValue.integer) ?? .null,
                .text(failure),
            ])
        let letters = try transaction.rows(
            WebhookStore.deadLettersQuery,
            [
                .text(PushChannel.webhook.rawValue), .integer(delivery.targetID), .integer(.max),
                .integer(Int64(PushLimits.deadLettersPerWebhook + 1)),
            ]
        ) { $0.integer(0) }
        for letter in letters.dropFirst(PushLimits.deadLettersPerWebhook) {
            try transaction.execute("DELETE FROM push_delivery WHERE id = ?1", [.integer(letter)])
        }
    }

    fileprivate func forgetTarget(of delivery: PushDelivery) throws {
        switch delivery.target {
        case .device: try DeviceStore.Writer(transaction).deleteDevice(delivery.targetID)
        case .topic:
            try transaction.execute("DELETE FROM push_delivery WHERE id = ?1", [.integer(delivery.id)])
        case .webhook:
            try transaction.execute(
                "UPDATE webhook SET disabled_at = ?2 WHERE id = ?1",
                [.integer(delivery.targetID), .integer(transaction.now)])
            try transaction.execute(
                DeviceStore.Writer.deleteDeliveriesStatement,
                [.text(PushChannel.webhook.rawValue), .integer(delivery.targetID)])
        }
    }
}

private struct DueDelivery {
    let id: Int64
    let message: Int64
    let user: UserID
    let targetID: Int64
    let kind: PushKind
    let subject: Int64
    let post: PostID?
    let payload: String
    let createdAt: Int64
    let attempts: Int64

    init(row: any SQLRow) throws {
        id = row.integer(0)
        message = row.integer(1)
        user = UserID(rawValue: row.integer(2))
        targetID = row.integer(3)
        kind = try row.choice(4)
        subject = row.integer(5)
        post = row.optionalInteger(6).map(PostID.init(rawValue:))
        payload = row.text(7)
        createdAt = row.integer(8)
        attempts = row.integer(9)
    }

    func taken(_ channel: PushChannel, _ target: PushDelivery.Target) -> PushDelivery {
        PushDelivery(
            id: id, message: message, user: user, channel: channel, target: target, kind: kind, subject: subject,
            post: post, payload: payload, createdAt: createdAt, attempts: attempts + 1, targetID: targetID)
    }
}
