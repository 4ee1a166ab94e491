import Database

extension BlockAndMuteStore {
    /// Mutes exactly `kinds` of `muted`, replacing an earlier mute; an empty set ends the mute. Idempotent; true if
    /// anything changed. Takes effect with the acknowledgement, and ends at `expiresAt` (milliseconds since 1970; nil:
    /// never). Throws ``GraphError/selfMute``, ``GraphError/accountNotFound``, ``GraphError/limitReached(_:)``.
    @discardableResult package func mute(
        _ muter: UserID, _ muted: UserID, _ kinds: MuteKinds, until expiresAt: Int64? = nil
    ) async throws -> Bool {
        guard muter != muted else { throw GraphError.selfMute }
        return try await database.write { transaction in
            try AccountStore.Reader(transaction).requireAccounts([muter, muted])
            let stored = try transaction.first(Self.muteQuery, [.user(muter), .user(muted)]) {
                (kinds: MuteKinds(row: $0), expiresAt: $0.optionalInteger(3))
            }
            let before = stored?.kinds ?? []
            guard before != kinds || !kinds.isEmpty && stored?.expiresAt != expiresAt else { return false }
            if before.isEmpty {
                try Reader(transaction).requireRoom(
                    "SELECT COUNT(*) FROM mute WHERE muter_id = ?1", [.user(muter)],
                    below: SocialGraphLimits.blocksOrMutesPerUser, "mutes")
            }
            try Writer(transaction).store(kinds, muter, muted, expiresAt)
            if kinds.contains(.notifications) {
                try NotificationStore.Writer(transaction).withdrawNotifications(to: muter, of: muted)
            }
            // A stored mute of reshares changes the places of posts in the window; the other kinds only hide.
            if before.contains(.reshares) != kinds.contains(.reshares) {
                try OutboxStore.Writer(transaction).enqueue(.rebuild(viewer: muter))
            }
            try transaction.record(.blockOrMuteChanged(muter, to: muted))
            return true
        }
    }

    static let muteQuery =
        "SELECT posts, reshares, notifications, expires_at FROM mute WHERE muter_id = ?1 AND muted_id = ?2"

    /// The users that `user` has muted, the latest first.
    package func mutes(of user: UserID, below cursor: Int64?, limit: Int) async throws -> Page<MuteEntry, Int64> {
        let time = database.expiryTime
        return try await database.read { reader in
            let rows = try reader.rows(
                Self.mutesQuery, [.user(user), .integer(cursor ?? .max), .integer(Int64(limit + 1)), .integer(time)]
            ) {
                MuteEntry(
                    user: UserID(rawValue: $0.integer(3)), username: $0.text(4), kinds: MuteKinds(row: $0),
                    expiresAt: $0.optionalInteger(6), position: $0.integer(5))
            }
            return Page(rows: rows, limit: limit, cursor: \.position)
        }
    }

    static let mutesQuery = """
        SELECT m.posts, m.reshares, m.notifications, m.muted_id, a.username, m.position, m.expires_at
        FROM mute m JOIN account a ON a.id = m.muted_id
        WHERE m.muter_id = ?1 AND m.position < ?2 AND a.deleted_at IS NULL
            AND (m.expires_at IS NULL OR m.expires_at > ?4)
        ORDER BY m.position DESC LIMIT ?3
        """
}

extension BlockAndMuteStore.Writer {
    /// Removes up to `limit` mutes that have expired. Until then, readers whose mutes of reshares have expired are
    /// answered from the database, because their windows lack those reshares.
    package func removeExpiredMutes(limit: Int) throws {
        let expired = try transaction.rows(
            Self.expiredMutesQuery, [.integer(transaction.expiryTime), .integer(Int64(limit))]
        ) {
            (
                muter: UserID(rawValue: $0.integer(0)), muted: UserID(rawValue: $0.integer(1)),
                hidesReshares: $0.integer(2) != 0
            )
        }
        for mute in expired {
            try store([], mute.muter, mute.muted, nil)
            if mute.hidesReshares { try OutboxStore.Writer(transaction).enqueue(.rebuild(viewer: mute.muter)) }
            try transaction.record(.blockOrMuteChanged(mute.muter, to: mute.muted))
        }
    }

    static let expiredMutesQuery =
        "SELECT muter_id, muted_id, reshares FROM mute WHERE expires_at <= ?1 ORDER BY expires_at LIMIT ?2"

    fileprivate func store(_ kinds: MuteKinds, _ muter: UserID, _ muted: UserID, _ expiresAt: Int64?) throws {
        guard !kinds.isEmpty else {
            try transaction.execute(
                "DELETE FROM mute WHERE muter_id = ?1 AND muted_id = ?2", [.user(muter), .user(muted)])
            return
        }
        try transaction.execute(
            """
            INSERT INTO mute (muter_id, muted_id, position, posts, reshares, notifications, expires_at)
            VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7)
            ON CONFLICT (muter_id, muted_id) DO UPDATE SET posts = excluded.posts, reshares = excluded.reshares,
                notifications = excluded.notifications, expires_at = excluded.expires_at
            """,
            [
                .user(muter), .user(muted), .integer(try transaction.nextID()), .flag(kinds.contains(.posts)),
                .flag(kinds.contains(.reshares)), .flag(kinds.contains(.notifications)),
                expiresAt.map(SQLValue.integer) ?? .null,
            ])
    }
}

extension MuteKinds {
    /// Columns: posts, reshares, notifications.
    init(row: any SQLRow) {
        self = []
        if row.integer(0) != 0 { insert(.posts) }
        if row.integer(1) != 0 { insert(.reshares) }
        if row.integer(2) != 0 { insert(.notifications) }
    }
}
