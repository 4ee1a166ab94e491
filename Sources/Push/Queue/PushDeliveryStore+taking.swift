import Database
import SocialGraph

extension PushDeliveryStore {
    /// Largest number of due deliveries read at once.
    fileprivate static let longestPage = 512

    /// Takes up to `limit` deliveries that are due, longest due first. A delivery to a webhook needs a place beside
    /// those occupied in `places`. Deliveries without one are passed over, however many they are, so that they keep no
    /// other webhook waiting. The caller has `lease` milliseconds to apply an outcome; after that the delivery is due
    /// again. Deliveries to targets that no longer exist are deleted. Without a delivery to take, nothing is written.
    ///
    /// - Parameter time: the present, in milliseconds since 1970.
    package func takeDeliveries(
        _ channel: PushChannel, at time: Int64, limit: Int, lease: Int64, places: PushPlaces = PushPlaces()
    ) async throws -> [PushDelivery] {
        var (occupied, taken) = (places, [PushDelivery]())
        while taken.count < limit {
            let wanted = limit - taken.count
            let chosen = try await database.read { [occupied] reader in
                try Reader(reader).choose(wanted, channel, dueAt: time, occupied)
            }
            if chosen.isEmpty { break }
            let new = try await database.write { transaction in
                try Writer(transaction).take(chosen, channel, dueAt: time, lease: lease)
            }
            for delivery in new where channel == .webhook { occupied.occupy(delivery.targetID, of: delivery.user) }
            taken += new
            if chosen.count < wanted { break }
        }
        return taken
    }

    /// A page of due deliveries after the one that was due at `?4` and has the id `?5`.
    static let dueDeliveriesQuery = """
        SELECT id, message_id, user_id, target_id, kind, subject, post_id, created_at, attempts, due_at
        FROM push_delivery
        WHERE channel = ?1 AND due_at <= ?2 AND due_at >= ?4 AND (due_at > ?4 OR id > ?5)
        ORDER BY due_at, id LIMIT ?3
        """

    /// Finds a delivery that nobody has taken, and no outcome delayed, since it was chosen.
    static let untakenProbe = "SELECT 1 FROM push_delivery WHERE id = ?1 AND attempts = ?2 AND due_at <= ?3"

    static let takeStatement =
        "UPDATE push_delivery SET is_sending = 1, attempts = attempts + 1, due_at = ?2 WHERE id = ?1"
}

extension PushDeliveryStore.Writer {
    /// Marks those of `rows` as being sent that are still due. Another node may have taken some since they were chosen.
    fileprivate func take(
        _ rows: [DueDelivery], _ channel: PushChannel, dueAt time: Int64, lease: Int64
    ) throws -> [PushDelivery] {
        var taken: [PushDelivery] = []
        for (row, state) in zip(rows, try PushDeliveryStore.Reader(transaction).states(of: rows, channel, dueAt: time))
        where state.isDue {
            guard let target = state.target else {
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
    /// Returns up to `limit` due deliveries that have a place, longest due first.
    fileprivate func choose(
        _ limit: Int, _ channel: PushChannel, dueAt time: Int64, _ occupied: PushPlaces
    ) throws -> [DueDelivery] {
        let first = limit * (channel == .webhook ? 8 : 1)
        var walk = DueWalk(channel: channel, now: time, page: min(first, PushDeliveryStore.longestPage))
        var (places, chosen) = (occupied, [DueDelivery]())
        while chosen.count < limit {
            let page = try walk.next(reader, longest: PushDeliveryStore.longestPage)
            if page.isEmpty { break }
            for row in page where channel == .device || places.occupy(row.targetID, of: row.user) {
                chosen.append(row)
                if chosen.count == limit { break }
            }
        }
        return chosen
    }

    /// Returns for each of `rows` whether it is due as it was chosen, and its target, nil if that no longer exists, in
    /// one round trip.
    fileprivate func states(
        of rows: [DueDelivery], _ channel: PushChannel, dueAt time: Int64
    ) throws -> [(isDue: Bool, target: PushDelivery.Target?)] {
        let query = channel == .device ? "SELECT token FROM device WHERE id = ?1" : WebhookStore.webhookQuery
        var states = rows.map { row -> (isDue: Bool, target: PushDelivery.Target?) in
            (false, channel == .device && row.targetID == Self.topicTarget ? .topic : nil)
        }
        let probes = rows.map { row in
            SQLQuery(
                PushDeliveryStore.untakenProbe, [.integer(row.id), .integer(row.attempts), .integer(time)])
        }
        let others = rows.indices.filter { states[$0].target == nil }
        let targets = others.map { SQLQuery(query, [.integer(rows[$0].targetID)]) }
        try reader.fetch(probes + targets) { index, row in
            guard index >= probes.count else {
                states[index].isDue = true
                return false
            }
            let place = others[index - probes.count]
            switch channel {
            case .device: states[place].target = .device(token: row.text(0))
            case .webhook:
                let webhook = try Webhook(row: row)
                guard webhook.disabledAt == nil else { break }
                states[place].target = .webhook(url: webhook.url, secret: webhook.secret)
            }
            return false
        }
        return states
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
        createdAt = row.integer(7)
        attempts = row.integer(8)
        dueAt = row.integer(9)
    }

    func taken(_ channel: PushChannel, _ target: PushDelivery.Target) -> PushDelivery {
        PushDelivery(
            id: id, message: message, user: user, channel: channel, target: target, kind: kind, subject: subject,
            post: post, createdAt: createdAt, attempts: attempts + 1, targetID: targetID)
    }
}
