import Database
import SocialGraph

extension PushDeliveryStore {
    /// Largest number of due deliveries read at once.
    private static let longestPage = 512

    /// Takes up to `limit` deliveries that are due, longest due first. A delivery to a webhook needs a place beside
    /// those occupied in `places`. Deliveries without one are passed over, however many they are, so that they keep no
    /// other webhook waiting. The caller has `lease` milliseconds to apply an outcome; after that the delivery is due
    /// again. Deliveries to targets that no longer exist are deleted.
    package func takeDeliveries(
        _ channel: PushChannel, limit: Int, lease: Int64, places: PushPlaces = PushPlaces()
    ) async throws -> [PushDelivery] {
        try await database.write { transaction in
            let first = limit * (channel == .webhook ? 8 : 1)
            var walk = DueWalk(channel: channel, now: transaction.now, page: min(first, Self.longestPage))
            var (occupied, taken, waiting) = (places, [PushDelivery](), ArraySlice<DueDelivery>())
            while taken.count < limit {
                if waiting.isEmpty {
                    waiting = try walk.next(transaction, longest: Self.longestPage)[...]
                    if waiting.isEmpty { break }
                }
                var chosen: [DueDelivery] = []
                while chosen.count < limit - taken.count, let row = waiting.popFirst() {
                    if channel == .device || occupied.occupy(row.targetID, of: row.user) { chosen.append(row) }
                }
                taken += try Writer(transaction).take(chosen, channel, lease: lease)
            }
            return taken
        }
    }

    /// A page of due deliveries after the one that was due at `?4` and has the id `?5`.
    static let dueDeliveriesQuery = """
        SELECT id, message_id, user_id, target_id, kind, subject, post_id, payload, created_at, attempts, due_at
        FROM push_delivery
        WHERE channel = ?1 AND due_at <= ?2 AND due_at >= ?4 AND (due_at > ?4 OR id > ?5)
        ORDER BY due_at, id LIMIT ?3
        """

    static let takeStatement =
        "UPDATE push_delivery SET is_sending = 1, attempts = attempts + 1, due_at = ?2 WHERE id = ?1"
}

extension PushDeliveryStore.Writer {
    /// Marks `rows` as being sent.
    fileprivate func take(_ rows: [DueDelivery], _ channel: PushChannel, lease: Int64) throws -> [PushDelivery] {
        guard !rows.isEmpty else { return [] }
        var taken: [PushDelivery] = []
        for (row, target) in zip(rows, try PushDeliveryStore.Reader(transaction).targets(of: rows, channel)) {
            guard let target else {
                try transaction.execute(
                    DeviceStore.Writer.deleteDeliveriesStatement, [.text(channel.rawValue), .integer(row.targetID)])
                continue
            }
            try transaction.execute(
                PushDeliveryStore.takeStatement, [.integer(row.id), .integer(transaction.now + lease)])
            taken.append(row.taken(channel, target))
        }
        return taken
    }
}

extension PushDeliveryStore.Reader {
    /// The target of each of `rows`, nil if it no longer exists, in one round trip.
    fileprivate func targets(of rows: [DueDelivery], _ channel: PushChannel) throws -> [PushDelivery.Target?] {
        let query = channel == .device ? "SELECT token FROM device WHERE id = ?1" : WebhookStore.webhookQuery
        var targets = rows.map { row -> PushDelivery.Target? in
            channel == .device && row.targetID == Self.topicTarget ? .topic : nil
        }
        let others = rows.indices.filter { targets[$0] == nil }
        try reader.fetch(others.map { SQLQuery(query, [.integer(rows[$0].targetID)]) }) { place, row in
            switch channel {
            case .device: targets[others[place]] = .device(token: row.text(0))
            case .webhook:
                let webhook = try Webhook(row: row)
                guard webhook.disabledAt == nil else { break }
                targets[others[place]] = .webhook(url: webhook.url, secret: webhook.secret)
            }
            return false
        }
        return targets
    }
}

/// A walk over due deliveries in pages that grow, longest due first.
private struct DueWalk {
    let channel: PushChannel
    /// In milliseconds since 1970.
    let now: Int64
    /// Size of the next page.
    var page: Int

    private var last: (dueAt: Int64, id: Int64) = (.min, .min)
    private var isOver = false

    init(channel: PushChannel, now: Int64, page: Int) {
        self.channel = channel
        self.now = now
        self.page = page
    }

    /// Returns the next page; empty at the end.
    mutating func next(_ reader: any SQLReader, longest: Int) throws -> [DueDelivery] {
        guard !isOver else { return [] }
        let rows = try reader.rows(
            PushDeliveryStore.dueDeliveriesQuery,
            [
                .text(channel.rawValue), .integer(now), .integer(Int64(page)), .integer(last.dueAt), .integer(last.id),
            ], DueDelivery.init(row:))
        if let row = rows.last { last = (row.dueAt, row.id) }
        isOver = rows.count < page
        page = min(page * 4, longest)
        return rows
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
    let dueAt: Int64

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
        dueAt = row.integer(10)
    }

    func taken(_ channel: PushChannel, _ target: PushDelivery.Target) -> PushDelivery {
        PushDelivery(
            id: id, message: message, user: user, channel: channel, target: target, kind: kind, subject: subject,
            post: post, payload: payload, createdAt: createdAt, attempts: attempts + 1, targetID: targetID)
    }
}
