import Database

/// Follows between users.
package struct FollowStore: Sendable {
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

extension FollowStore {
    /// Follows, or asks a private account to be followed. Idempotent. Counts and the merge job commit with the edge.
    /// Throws ``GraphError/selfFollow``, ``GraphError/accountNotFound``, also if `followee` has blocked `follower`,
    /// ``GraphError/notAllowed`` if `follower` has blocked `followee`, and ``GraphError/limitReached(_:)``.
    @discardableResult package func follow(_ follower: UserID, _ followee: UserID) async throws -> FollowOutcome {
        guard follower != followee else { throw GraphError.selfFollow }
        return try await database.write { transaction in
            let facts = try transaction.exist([
                AccountStore.Reader.probe(follower), BlockAndMuteStore.Reader.shownProbe(followee, to: follower),
                SQLQuery(BlockAndMuteStore.blockBetweenProbe, [.user(follower), .user(followee)]),
                SQLQuery(Reader.followProbe, [.user(follower), .user(followee)]),
                SQLQuery(Reader.requestProbe, [.user(follower), .user(followee)]),
                SQLQuery(Reader.privateProbe, [.user(followee)]),
            ])
            guard facts[0], facts[1] else { throw GraphError.accountNotFound }
            guard !facts[2] else { throw GraphError.notAllowed }
            if facts[3] { return .following(isNew: false) }
            if facts[5] {
                if !facts[4] { try Writer(transaction).request(follower, followee) }
                return .requested(isNew: !facts[4])
            }
            // A request of the time before the account was made public.
            if facts[4] { _ = try Writer(transaction).removeRequest(follower, followee) }
            try Writer(transaction).connect(follower, followee)
            try NotificationStore.Writer(transaction).notify([followee], .follow, subject: 0, by: follower)
            return .following(isNew: true)
        }
    }

    /// Unfollows, or takes a request back; true if there was either. Idempotent.
    @discardableResult package func unfollow(_ follower: UserID, _ followee: UserID) async throws -> Bool {
        guard follower != followee else { throw GraphError.selfFollow }
        return try await database.write { transaction in
            try AccountStore.Reader(transaction).requireAccounts([follower, followee])
            let wasRequested = try Writer(transaction).removeRequest(follower, followee)
            return try Writer(transaction).removeFollow(follower, followee) || wasRequested
        }
    }

    package func follows(_ follower: UserID, _ followee: UserID) async throws -> Bool {
        try await database.read { try Reader($0).follows(follower, followee) }
    }

    /// Followers or followees of `user`, the latest first, below `cursor` (the `position` of the last entry seen), as
    /// far as `viewer` sees them in lists; nil: those whom everybody sees. A private account shows them to its
    /// followers only. Throws ``GraphError/accountNotFound``.
    package func followList(
        of user: UserID, _ direction: FollowDirection, for viewer: UserID? = nil, below cursor: Int64?, limit: Int
    ) async throws -> Page<FollowEntry, Int64> {
        try await database.read { reader in
            let query = direction == .followers ? Self.followersQuery : Self.followingQuery
            return try Reader(reader).page(query, of: user, for: viewer, below: cursor, limit: limit)
        }
    }

    static let followersQuery = """
        SELECT f.follower_id, a.username, f.position FROM follow f JOIN account a ON a.id = f.follower_id
        WHERE f.followee_id = ?1 AND f.position < ?2 AND \(BlockAndMuteStore.listed("a", to: "?4"))
        ORDER BY f.position DESC LIMIT ?3
        """

    static let followingQuery = """
        SELECT f.followee_id, a.username, f.position FROM follow f JOIN account a ON a.id = f.followee_id
        WHERE f.follower_id = ?1 AND f.position < ?2 AND \(BlockAndMuteStore.listed("a", to: "?4"))
        ORDER BY f.position DESC LIMIT ?3
        """

    /// Finds a row if the viewer `?2` may see the follows of user `?1`.
    fileprivate static let openProbe = """
        SELECT 1 FROM account o WHERE o.id = ?1 AND (o.is_private = 0 OR ?2 IS NULL OR ?2 = ?1
            OR EXISTS (SELECT 1 FROM follow own WHERE own.follower_id = ?2 AND own.followee_id = ?1))
        """

    /// Users whom `user` follows and who follow back, in the order of `user`'s follows, the latest first.
    package func mutuals(
        of user: UserID, for viewer: UserID? = nil, below cursor: Int64?, limit: Int
    ) async throws -> Page<FollowEntry, Int64> {
        try await database.read { reader in
            try Reader(reader).page(Self.mutualsQuery, of: user, for: viewer, below: cursor, limit: limit)
        }
    }

    static let mutualsQuery = """
        SELECT f.followee_id, a.username, f.position FROM follow f JOIN account a ON a.id = f.followee_id
        WHERE f.follower_id = ?1 AND f.position < ?2 AND \(BlockAndMuteStore.listed("a", to: "?4"))
          AND EXISTS (SELECT 1 FROM follow b WHERE b.follower_id = f.followee_id AND b.followee_id = ?1)
        ORDER BY f.position DESC LIMIT ?3
        """

    /// All followees, ascending by id, including accounts that are being erased: their posts stay in windows until they
    /// are removed.
    package func followees(of user: UserID) async throws -> [UserID] {
        try await database.read { reader in try Reader(reader).followees(of: user) }
    }
}

extension FollowStore.Reader {
    /// A page of a list of follows, empty for those who may not see it. As a condition of the list, SQLite would judge
    /// that for each row.
    fileprivate func page(
        _ query: String, of user: UserID, for viewer: UserID?, below cursor: Int64?, limit: Int
    ) throws -> Page<FollowEntry, Int64> {
        try AccountStore.Reader(reader).requireAccounts([user])
        let access: [SQLValue] = [.user(user), .optional(viewer)]
        guard try reader.exists(FollowStore.openProbe, access) else { return Page(items: [], next: nil) }
        let rows = try reader.rows(
            query, [.user(user), .integer(cursor ?? .max), .integer(Int64(limit + 1)), .optional(viewer)],
            FollowEntry.init(row:))
        return Page(rows: rows, limit: limit, cursor: \.position)
    }

    func follows(_ one: UserID, _ other: UserID) throws -> Bool {
        try reader.exists(Self.followProbe, [.user(one), .user(other)])
    }

    package static let followProbe = "SELECT 1 FROM follow WHERE follower_id = ?1 AND followee_id = ?2"

    func followees(of user: UserID) throws -> [UserID] {
        try reader.rows(Self.followeesQuery, [.user(user)]) { UserID(rawValue: $0.integer(0)) }
    }

    static let followeesQuery = "SELECT followee_id FROM follow WHERE follower_id = ?1 ORDER BY followee_id"
}

extension FollowStore.Writer {
    /// Adds a follow that does not exist yet.
    package func connect(_ follower: UserID, _ followee: UserID) throws {
        try transaction.execute(
            "INSERT INTO follow (follower_id, followee_id, position) VALUES (?1, ?2, ?3)",
            [.user(follower), .user(followee), .integer(try transaction.nextID())])
        try finishEdge(follower, followee, isNew: true)
    }

    func removeFollow(_ follower: UserID, _ followee: UserID) throws -> Bool {
        let removed = try transaction.executeCounting(
            "DELETE FROM follow WHERE follower_id = ?1 AND followee_id = ?2", [.user(follower), .user(followee)])
        guard removed > 0 else { return false }
        try finishEdge(follower, followee, isNew: false)
        try NotificationStore.Writer(transaction).withdrawNotifications(ofFollow: follower, followee)
        return true
    }

    fileprivate func finishEdge(_ follower: UserID, _ followee: UserID, isNew: Bool) throws {
        let step: Int64 = isNew ? 1 : -1
        try transaction.execute(
            "UPDATE account SET following_count = following_count + ?2 WHERE id = ?1",
            [.user(follower), .integer(step)])
        try transaction.execute(
            "UPDATE account SET followers_count = followers_count + ?2 WHERE id = ?1",
            [.user(followee), .integer(step)])
        try HubStore.Writer(transaction).updateHub(followee)
        try OutboxStore.Writer(transaction).enqueue(.rebuild(viewer: follower))
        try transaction.record(
            isNew
                ? .followed(follower: follower, followee: followee)
                : .unfollowed(follower: follower, followee: followee))
    }
}

extension FollowEntry {
    package init(row: any SQLRow) {
        user = UserID(rawValue: row.integer(0))
        username = row.text(1)
        position = row.integer(2)
    }
}
