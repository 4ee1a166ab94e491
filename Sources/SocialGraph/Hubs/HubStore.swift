import Algorithms
import Database

/// Phases of an author with too many followers to push to. Posts and reshares of a hub are merged at the read, from its
/// own feed.
package enum HubPhase: String, Sendable, CaseIterable {
    /// Pulled by every follower, and not pushed.
    case pulled
    /// Pushed again, and still pulled until every follower's window holds the posts that were not pushed.
    case returning
}

/// Hub authors. Switching follows the number of followers, with hysteresis: above the threshold an author becomes a
/// hub, and below ``HubStore/returnPercent`` of it the author is pushed again. (The hybrid of push and pull by follower
/// count: Twitter's timelines at scale, Krikorian, QCon 2012.)
package struct HubStore: Sendable {
    /// Percentage of the threshold below which a hub's followers must fall before it is pushed again.
    package static let returnPercent: Int64 = 80
    /// Number of followers above which an author is a hub, unless the setting `hub-threshold` overrides it.
    package static let defaultThreshold: Int64 = 10_000
    /// Number of authors whose followers are looked up at once.
    static let checkedAtOnce = 1_000

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

extension HubStore {
    /// The setting that every process reads, so that an import switches authors as the server does.
    package static let hubThresholdSetting = "hub_threshold"

    /// Sets the number of followers above which an author is pulled (0: no author is) and switches the authors that the
    /// new threshold affects. Returns their number.
    @discardableResult package func setHubThreshold(_ threshold: Int64) async throws -> Int {
        try await database.write { transaction in
            try SettingStore.Writer(transaction).store(String(threshold), as: Self.hubThresholdSetting)
            let candidates = try transaction.rows(
                Self.hubCandidatesQuery, [.integer(threshold > 0 ? threshold : .max)]
            ) { UserID(rawValue: $0.integer(0)) }
            return try Writer(transaction).updateHubs(candidates)
        }
    }

    static let hubCandidatesQuery = """
        SELECT id FROM account WHERE followers_count > ?1
        UNION SELECT user_id FROM hub
        """

    package func hubs() async throws -> [(user: UserID, phase: HubPhase)] {
        try await database.read { reader in
            try reader.rows("SELECT user_id, phase FROM hub", []) {
                (UserID(rawValue: $0.integer(0)), try $0.choice(1))
            }
        }
    }

    package func hubPhase(of user: UserID) async throws -> HubPhase? {
        try await database.read { try Reader($0).hub(user)?.phase }
    }

    /// Ends the pulling of `user` after the backfill of all followers' windows; false if the author has become a hub
    /// again since the switch that `since` names.
    @discardableResult package func finishBackfill(of user: UserID, since: FeedPosition) async throws -> Bool {
        try await database.write { transaction in
            let removed = try transaction.executeCounting(
                "DELETE FROM hub WHERE user_id = ?1 AND phase = \(HubPhase.returning.literal) AND since = ?2",
                [.user(user), .position(since)])
            guard removed > 0 else { return false }
            try transaction.record(.hubChanged(user))
            return true
        }
    }
}

extension HubStore.Reader {
    func hub(_ user: UserID) throws -> (phase: HubPhase, since: Int64)? {
        try reader.first(Self.hubQuery, [.user(user)], Self.hub)
    }

    private static let hubQuery = "SELECT phase, since FROM hub WHERE user_id = ?1"

    /// Those of `users` who are hubs.
    func hubs(among users: [UserID]) throws -> [UserID: (phase: HubPhase, since: Int64)] {
        let found = try reader.rows(of: Self.hubsAmongQuery.queries(users.map(SQLValue.user))) {
            (UserID(rawValue: $0.integer(2)), try Self.hub($0))
        }
        return Dictionary(found.joined()) { first, _ in first }
    }

    static let hubsAmongQuery = ListQuery { "SELECT phase, since, user_id FROM hub WHERE user_id IN (\($0))" }

    private static func hub(_ row: any SQLRow) throws -> (phase: HubPhase, since: Int64) {
        (try row.choice(0), row.integer(1))
    }

    /// The threshold, and the facts that decide whether each of `users` is a hub, in one round trip. `followers` is nil
    /// if there is no such user.
    fileprivate func criteria(
        of users: [UserID]
    ) throws -> (threshold: Int64, users: [(followers: Int64?, current: (phase: HubPhase, since: Int64)?)]) {
        var threshold: Int64 = 0
        var criteria: [(followers: Int64?, current: (phase: HubPhase, since: Int64)?)] = users.map { _ in (nil, nil) }
        let queries =
            [SettingStore.Reader.query(HubStore.hubThresholdSetting)]
            + users.flatMap { user in
                [
                    SQLQuery("SELECT followers_count FROM account WHERE id = ?1", [.user(user)]),
                    SQLQuery(Self.hubQuery, [.user(user)]),
                ]
            }
        try reader.fetch(queries) { index, row in
            if index == 0 {
                threshold = Int64(row.text(0)) ?? 0
            } else if index.isMultiple(of: 2) {
                criteria[index / 2 - 1].current = try Self.hub(row)
            } else {
                criteria[index / 2].followers = row.integer(0)
            }
            return true
        }
        return (threshold, criteria)
    }

    fileprivate func hubThreshold() throws -> Int64 {
        try SettingStore.Reader(reader).number(HubStore.hubThresholdSetting) ?? 0
    }
}

extension HubStore.Writer {
    /// Switches those of `users` whose number of followers requires it. Few of many users are hubs, so all hubs are
    /// examined instead.
    package func updateHubs(among users: Set<UserID>) throws {
        let threshold = try stored.hubThreshold()
        let candidates = try transaction.rows(
            HubStore.hubCandidatesQuery, [.integer(threshold > 0 ? threshold : .max)]
        ) { UserID(rawValue: $0.integer(0)) }
        try updateHubs(candidates.sorted().filter(users.contains))
    }

    /// Switches `user` if the number of followers requires it; true if the phase changed.
    @discardableResult func updateHub(_ user: UserID) throws -> Bool { try updateHubs([user]) > 0 }

    /// Switches those of `users`, which must differ, whose number of followers requires it; returns the number of
    /// changed phases.
    @discardableResult func updateHubs(_ users: [UserID]) throws -> Int {
        var switched = 0
        for part in users.chunks(ofCount: HubStore.checkedAtOnce) {
            let (threshold, criteria) = try stored.criteria(of: Array(part))
            for (user, criteria) in zip(part, criteria) {
                guard let followers = criteria.followers else { continue }
                let isAbove = threshold > 0 && followers > threshold
                let isBelow = threshold == 0 || followers * 100 < threshold * HubStore.returnPercent
                if try switchPhase(of: user, criteria.current?.phase, isAbove: isAbove, isBelow: isBelow) {
                    switched += 1
                }
            }
        }
        return switched
    }

    /// Becoming a hub is free: readers pull from the commit on. Returning pushes again at once and leaves a job that
    /// backfills the windows before the pulling ends.
    private func switchPhase(of user: UserID, _ phase: HubPhase?, isAbove: Bool, isBelow: Bool) throws -> Bool {
        switch phase {
        case nil where isAbove:
            try transaction.execute(
                "INSERT INTO hub (user_id, since, phase) VALUES (?1, ?2, \(HubPhase.pulled.literal))",
                [.user(user), .integer(try transaction.nextID())])
        case .returning where isAbove:
            try transaction.execute(
                "UPDATE hub SET phase = \(HubPhase.pulled.literal), since = ?2 WHERE user_id = ?1",
                [.user(user), .integer(try transaction.nextID())])
        case .pulled where isBelow:
            let since = FeedPosition(rawValue: try transaction.nextID())
            try transaction.execute(
                "UPDATE hub SET phase = \(HubPhase.returning.literal), since = ?2 WHERE user_id = ?1",
                [.user(user), .position(since)])
            try OutboxStore.Writer(transaction).enqueue(.backfill(author: user, since: since))
        default: return false
        }
        try transaction.record(.hubChanged(user))
        return true
    }
}
