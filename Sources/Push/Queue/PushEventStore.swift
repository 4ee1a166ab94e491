import Database
import SocialGraph

/// Events are written in the transaction of their cause, and pushed in the transaction that inserts their deliveries.
/// Each is therefore pushed once, whenever the server is killed.
package struct PushEventStore: Sendable {
    /// Largest number of waiting events of a user on one channel. Further events are discarded.
    static let waitingPushes: Int64 = 100
    /// Number of users examined in one step of matching a post with preferences.
    static let matchStep = 200
    /// Shortest time between two pushes of one group of notifications, in milliseconds: FCM itself allows a device few
    /// messages that replace each other.
    static let spacing = Milliseconds.minute
    /// Retention of pushed events, in milliseconds. Devices receive nothing older either.
    package static let retention = Milliseconds.day

    /// Stops the process if constants of pushes contradict each other. Called when the database is opened.
    package static func assertTuning() {
        precondition(spacing < retention, "what was told must be known until it may be told again")
        precondition(PushSettingStore.reminderDelay < retention, "a late reminder must not be too old to be told")
    }

    let database: any GraphDatabase

    /// Writes in one transaction.
    package struct Writer {
        let transaction: any GraphTransaction
        package init(_ transaction: any GraphTransaction) { self.transaction = transaction }
    }
}

extension PushEventStore {
    /// Returns whether a reminder, a match or an event is due at `now`. Most posts lead to none of them.
    package func isWorkDue(at now: Int64) async throws -> Bool {
        try await database.read { reader in
            let queries = [
                SQLQuery(PushSettingStore.dueRemindersQuery, [.integer(now), .integer(1)]),
                SQLQuery(Self.matchQuery, []), SQLQuery(Self.dueEventsQuery, [.integer(now), .integer(1)]),
            ]
            return try reader.first(of: queries) { _ in true }.contains(true)
        }
    }

    /// Returns up to `limit` events due at `now`, longest due first.
    package func duePushes(at now: Int64, limit: Int) async throws -> [PushEvent] {
        try await database.read { reader in
            try reader.rows(Self.dueEventsQuery, [.integer(now), .integer(Int64(limit))], PushEvent.init(row:))
        }
    }

    static let dueEventsQuery = """
        SELECT id, user_id, channel, kind, subject, post_id, created_at FROM push_event
        WHERE due_at <= ?1 ORDER BY due_at LIMIT ?2
        """

    /// Applies the first decision on each event, all in one transaction. Skips an event that has been deleted or is no
    /// longer due.
    package func apply(_ decisions: [(event: PushEvent, decision: PushDecision)]) async throws {
        try await database.write { transaction in
            let areDue = try transaction.exist(
                decisions.map { SQLQuery(Self.dueProbe, [.integer($0.event.id), .integer(transaction.now)]) })
            var decided: Set<Int64> = []
            let due = zip(decisions, areDue).filter { $0.1 }.map(\.0).filter { decided.insert($0.event.id).inserted }
            let told = due.compactMap { if case .tell = $0.decision { $0.event } else { nil } }
            var targets = try PushDeliveryStore.Reader(transaction).openTargets(of: told)[...]
            for (event, decision) in due {
                switch decision {
                case .wait(let until):
                    try transaction.execute(
                        "UPDATE push_event SET due_at = ?2 WHERE id = ?1", [.integer(event.id), .integer(until)])
                case .drop:
                    try transaction.execute("DELETE FROM push_event WHERE id = ?1", [.integer(event.id)])
                case .tell(let payload, let post):
                    try transaction.execute(
                        "UPDATE push_event SET due_at = NULL, told_at = ?2 WHERE id = ?1",
                        [.integer(event.id), .integer(transaction.now)])
                    try PushDeliveryStore.Writer(transaction).deliver(event, to: targets.removeFirst(), payload, post)
                }
            }
        }
    }

    static let dueProbe = "SELECT 1 FROM push_event WHERE id = ?1 AND due_at <= ?2"

    /// Deletes events pushed longer ago than ``retention`` and old dead letters, up to `limit` of each; returns true if
    /// more remain.
    package func prunePushes(limit: Int) async throws -> Bool {
        try await database.write { transaction in
            let events = try transaction.executeCounting(
                Self.pruneEventsStatement,
                [.integer(transaction.expiryTime - Self.retention), .integer(Int64(limit))])
            let letters = try transaction.executeCounting(
                Self.pruneDeadLettersStatement,
                [.integer(try transaction.horizon(of: .failedDeliveries)), .integer(Int64(limit))])
            return max(events, letters) == limit
        }
    }

    static let pruneEventsStatement = """
        DELETE FROM push_event
        WHERE id IN (SELECT id FROM push_event WHERE told_at < ?1 AND due_at IS NULL LIMIT ?2)
        """

    static let pruneDeadLettersStatement = """
        DELETE FROM push_delivery WHERE id IN (SELECT id FROM push_delivery WHERE failed_at < ?1 LIMIT ?2)
        """

    /// Returns the state of one group, to judge whether it is pushed; nil if all of it was withdrawn.
    package func notificationGroup(_ id: Int64, of user: UserID) async throws -> NotificationGroup? {
        try await database.read { reader in
            let stored = try reader.first(Self.groupQuery, [.integer(id), .user(user)]) {
                StoredGroup(id: id, latest: $0.integer(0), actors: $0.integer(1), isOpen: $0.integer(2) != 0)
            }
            return try stored.flatMap { try NotificationStore.Reader(reader).group($0, of: user) }
        }
    }

    static let groupQuery =
        "SELECT latest_id, actors_count, is_open FROM notification_group WHERE id = ?1 AND user_id = ?2"
}

extension PushEventStore.Writer {
    /// Enqueues an event for each of `users`, who must differ, on the channels with a target.
    func arm(_ kind: PushKind, for users: [UserID], subject: Int64, post: PostID? = nil) throws {
        try arm(users.map { (kind, $0, subject) }, post: post)
    }

    /// Enqueues each of `events` on the channels with a target.
    func arm(_ events: [(kind: PushKind, user: UserID, subject: Int64)], post: PostID? = nil) throws {
        let targets = events.flatMap { event in
            PushChannel.allCases.map {
                PushEventStore.Target(user: event.user, channel: $0, kind: event.kind, subject: event.subject)
            }
        }
        let reached = try transaction.exist(targets.map { SQLQuery(Self.reachProbe($0.channel), [.user($0.user)]) })
        try arm(zip(targets, reached).filter(\.1).map(\.0), post: post)
    }

    /// Enqueues an event for each of `targets`, which must have a destination. A waiting event is not enqueued twice. A
    /// pushed group is enqueued again when it has grown, at the earliest ``PushEventStore/spacing`` after the last
    /// push. Events beyond ``PushEventStore/waitingPushes`` are discarded.
    func arm(_ targets: [PushEventStore.Target], post: PostID?) throws {
        let found = try transaction.first(
            of: targets.flatMap { target in
                [SQLQuery(Self.eventProbe, target.key), SQLQuery(Self.waitingProbe, Array(target.key.prefix(2)))]
            }
        ) { (id: $0.integer(0), dueAt: $0.optionalInteger(1), toldAt: $0.optionalInteger(2) ?? 0) }
        // Earlier targets count, too, although the queries have not seen their events.
        var armed: Set<PushEventStore.Target> = []
        var added: [PushEventStore.Queue: Int64] = [:]
        for (index, target) in targets.enumerated() where armed.insert(target).inserted {
            let waiting = (found[2 * index + 1]?.id ?? 0) + added[target.queue, default: 0]
            if let known = found[2 * index] {
                guard target.kind.isNotification, known.dueAt == nil else { continue }
                let due = max(transaction.now, known.toldAt + PushEventStore.spacing)
                try transaction.execute(
                    "UPDATE push_event SET due_at = ?2, created_at = ?3 WHERE id = ?1",
                    [.integer(known.id), .integer(due), .integer(transaction.now)])
            } else if waiting < PushEventStore.waitingPushes {
                try transaction.execute(
                    """
                    INSERT INTO push_event (user_id, channel, kind, subject, id, post_id, created_at, due_at)
                    VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?7)
                    """,
                    target.key + [
                        .integer(try transaction.nextID()), post.map(SQLValue.post) ?? .null,
                        .integer(transaction.now),
                    ])
            } else {
                continue
            }
            added[target.queue, default: 0] += 1
        }
    }

    static func reachProbe(_ channel: PushChannel) -> String {
        switch channel {
        case .device:
            """
            SELECT 1 FROM device WHERE user_id = ?1
            UNION ALL SELECT 1 FROM push_setting WHERE user_id = ?1 AND uses_topic = 1 LIMIT 1
            """
        case .webhook: "SELECT 1 FROM webhook WHERE user_id = ?1 AND disabled_at IS NULL LIMIT 1"
        }
    }

    static let eventProbe = """
        SELECT id, due_at, told_at FROM push_event
        WHERE user_id = ?1 AND channel = ?2 AND kind = ?3 AND subject = ?4
        """

    /// Query with as many columns as ``eventProbe``.
    static let waitingProbe = """
        SELECT COUNT(*), NULL, NULL FROM push_event WHERE user_id = ?1 AND channel = ?2 AND due_at IS NOT NULL
        """
}

extension PushEventStore {
    /// The events of one user on one channel.
    struct Queue: Hashable {
        let user: UserID
        let channel: PushChannel
    }

    /// An event on a channel of one user.
    struct Target: Hashable {
        let user: UserID
        let channel: PushChannel
        let kind: PushKind
        let subject: Int64

        fileprivate var queue: Queue { Queue(user: user, channel: channel) }

        fileprivate var key: [SQLValue] {
            [.user(user), .text(channel.rawValue), .text(kind.rawValue), .integer(subject)]
        }
    }
}

extension PushEvent {
    fileprivate init(row: any SQLRow) throws {
        id = row.integer(0)
        user = UserID(rawValue: row.integer(1))
        channel = try row.choice(2)
        kind = try row.choice(3)
        subject = row.integer(4)
        post = row.optionalInteger(5).map(PostID.init(rawValue:))
        createdAt = row.integer(6)
    }
}
