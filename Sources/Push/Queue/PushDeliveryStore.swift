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
    }
}

extension PushDeliveryStore {
    /// Applies the outcome of an attempt. Without effect if the lease has expired and another owner has taken the
    /// delivery.
    package func acknowledge(_ delivery: PushDelivery, _ outcome: PushOutcome) async throws {
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
    /// The target id of a user's topic.
    static let topicTarget: Int64 = 0

    /// The targets of each of `events`, in two round trips. Leaves out a webhook for which
    /// ``PushLimits/undeliveredPerWebhook`` messages wait, those of earlier events among them.
    func openTargets(of events: [PushEvent]) throws -> [[Int64]] {
        let targets = try targets(of: events)
        let webhooks = Set(zip(events, targets).filter { $0.0.channel == .webhook }.flatMap { $0.1 }).sorted()
        let undelivered = try reader.first(
            of: webhooks.map {
                SQLQuery(Self.undeliveredProbe, [.text(PushChannel.webhook.rawValue), .integer($0)])
            }
        ) { $0.integer(0) }
        var waiting = Dictionary(uniqueKeysWithValues: zip(webhooks, undelivered.map { $0 ?? 0 }))
        return zip(events, targets).map { event, targets in
            guard event.channel == .webhook else { return targets }
            return targets.filter { webhook in
                guard waiting[webhook, default: 0] < PushLimits.undeliveredPerWebhook else { return false }
                waiting[webhook, default: 0] += 1
                return true
            }
        }
    }

    /// Counts the messages for a target that have neither been accepted nor failed.
    static let undeliveredProbe =
        "SELECT COUNT(*) FROM push_delivery WHERE channel = ?1 AND target_id = ?2 AND failed_at IS NULL"

    /// The targets of each of `events`, in one round trip.
    private func targets(of events: [PushEvent]) throws -> [[Int64]] {
        let asked = events.indices.flatMap { index in
            TargetSource.all(of: events[index].channel).map { (event: index, source: $0) }
        }
        var targets = [[Int64]](repeating: [], count: events.count)
        try reader.fetch(asked.map { SQLQuery($0.source.query, [.user(events[$0.event].user)]) }) { place, row in
            let index = asked[place].event
            switch asked[place].source {
            case .devices: targets[index].append(row.integer(0))
            case .settings:
                if targets[index].isEmpty, row.integer(1) != 0 { targets[index] = [Self.topicTarget] }
            case .webhooks:
                let webhook = try Webhook(row: row)
                if webhook.disabledAt == nil, webhook.kinds.contains(events[index].kind) {
                    targets[index].append(webhook.id)
                }
            }
            return true
        }
        return targets
    }
}

/// A query for targets of a user's events.
private enum TargetSource {
    /// Without a device, the settings say whether the user's topic is told instead.
    case devices, settings, webhooks

    static func all(of channel: PushChannel) -> [TargetSource] {
        switch channel {
        case .device: [.devices, .settings]
        case .webhook: [.webhooks]
        }
    }

    var query: String {
        switch self {
        case .devices: DeviceStore.Reader.devicesQuery
        case .settings: PushSettingStore.pushSettingsQuery
        case .webhooks: WebhookStore.Reader.webhooksQuery
        }
    }
}

extension PushDeliveryStore.Writer {
    /// Inserts one delivery for each of `targets`, all with one message id.
    func deliver(_ event: PushEvent, to targets: [Int64], _ payload: String, _ post: PostID?) throws {
        let message = try transaction.nextID()
        for target in targets {
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
