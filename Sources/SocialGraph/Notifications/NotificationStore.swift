import Database

/// Notifications: written with the act, withdrawn with it.
package struct NotificationStore: Sendable {
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

extension NotificationStore {
    /// Groups of notifications of `user`, the latest first, strictly below the place `cursor`. The caller checks that
    /// the reader may see the posts.
    package func notificationGroups(
        of user: UserID, below cursor: Int64?, limit: Int, onlyUnread: Bool = false
    ) async throws -> [NotificationGroup] {
        try await database.read { reader in
            let query = onlyUnread ? Self.openGroupsQuery : Self.groupsQuery
            let groups = try reader.rows(
                query, [.user(user), .integer(cursor ?? .max), .integer(Int64(limit))]
            ) {
                StoredGroup(id: $0.integer(0), latest: $0.integer(1), actors: $0.integer(2), isOpen: $0.integer(3) != 0)
            }
            return try Reader(reader).groups(groups, of: user).compactMap(\.self)
        }
    }

    static let groupsQuery = """
        SELECT id, latest_id, actors_count, is_open FROM notification_group
        WHERE user_id = ?1 AND latest_id < ?2 ORDER BY latest_id DESC LIMIT ?3
        """
    static let openGroupsQuery = """
        SELECT id, latest_id, actors_count, is_open FROM notification_group
        WHERE user_id = ?1 AND latest_id < ?2 AND is_open = 1 ORDER BY latest_id DESC LIMIT ?3
        """

    /// Notifications of `user`, act by act, the latest first.
    package func notifications(of user: UserID, below cursor: Int64?, limit: Int) async throws -> [Notification] {
        try await database.read { reader in
            try reader.rows(
                Self.notificationsQuery, [.user(user), .integer(cursor ?? .max), .integer(Int64(limit))],
                Notification.init(row:))
        }
    }

    package func notification(_ id: Int64) async throws -> Notification? {
        try await database.read { try Reader($0).notification(id) }
    }

    static let notificationsQuery = """
        \(NotificationStore.Reader.notificationColumns)
        WHERE n.user_id = ?1 AND n.id < ?2 ORDER BY n.id DESC LIMIT ?3
        """

    /// Marks a group as read; later acts open a new one. Idempotent. Throws ``GraphError/notificationNotFound``.
    package func markGroupRead(_ group: Int64, of user: UserID) async throws {
        try await database.write { transaction in
            let open = try transaction.first(
                "SELECT is_open FROM notification_group WHERE id = ?1 AND user_id = ?2",
                [.integer(group), .user(user)]
            ) { $0.integer(0) != 0 }
            guard let open else { throw GraphError.notificationNotFound }
            if open { try Writer(transaction).close(group, of: user) }
        }
    }

    /// Marks one act as read, and its group with its last act. Idempotent. Throws ``GraphError/notificationNotFound``.
    package func markNotificationRead(_ id: Int64, of user: UserID) async throws {
        try await database.write { transaction in
            let group = try transaction.first(
                "SELECT group_id FROM notification WHERE id = ?1 AND user_id = ?2", [.integer(id), .user(user)]
            ) { $0.integer(0) }
            guard let group else { throw GraphError.notificationNotFound }
            try transaction.execute("UPDATE notification SET is_read = 1 WHERE id = ?1", [.integer(id)])
            let isUnread = try transaction.exists(
                "SELECT 1 FROM notification WHERE group_id = ?1 AND is_read = 0", [.integer(group)])
            if !isUnread { try Writer(transaction).close(group, of: user) }
        }
    }

    /// Marks everything as read.
    package func markAllNotificationsRead(of user: UserID) async throws {
        try await database.write { transaction in
            let closed = try transaction.executeCounting(
                "UPDATE notification_group SET is_open = 0 WHERE user_id = ?1 AND is_open = 1", [.user(user)])
            guard closed > 0 else { return }
            try transaction.record(.notificationsChanged(user))
        }
    }

    /// Deletes groups without a new act for the time that notifications are kept, up to `limit` of their notifications;
    /// true if there is more.
    package func pruneNotifications(limit: Int) async throws -> Bool {
        try await database.write { transaction in
            let horizon = IDSequence.first(at: try transaction.horizon(of: .notifications))
            let group = try transaction.first(
                "SELECT id FROM notification_group WHERE latest_id < ?1 ORDER BY latest_id LIMIT 1",
                [.integer(horizon)]
            ) { $0.integer(0) }
            guard let group else { return false }
            try Writer(transaction).forget(group: group, limit: limit)
            return true
        }
    }
}

extension NotificationStore.Reader {
    func notification(_ id: Int64) throws -> Notification? {
        let query = Self.notificationQuery(id)
        return try reader.first(query.sql, query.arguments, Notification.init(row:))
    }

    static func notificationQuery(_ id: Int64) -> SQLQuery { SQLQuery(notificationQuery, [.integer(id)]) }

    private static let notificationQuery = "\(notificationColumns) WHERE n.id = ?1"

    static let notificationColumns = """
        SELECT n.id, n.user_id, n.kind, n.actor_id, a.username, n.post_id, n.comment_id, n.is_read, g.is_open,
            n.group_id, p.author_id, r.user_id, g.subject, CASE WHEN \(hiddenAct) THEN 1 ELSE 0 END
        FROM notification n JOIN notification_group g ON g.id = n.group_id JOIN account a ON a.id = n.actor_id
            LEFT JOIN post p ON p.id = n.post_id
            LEFT JOIN comment c ON c.id = n.comment_id LEFT JOIN comment r ON r.id = c.parent_id
        """
}

extension NotificationStore.Writer {
    fileprivate func close(_ group: Int64, of user: UserID) throws {
        try transaction.execute("UPDATE notification_group SET is_open = 0 WHERE id = ?1", [.integer(group)])
        try transaction.record(.notificationsChanged(user))
    }

    func forget(group: Int64, limit: Int) throws {
        let removed = try transaction.executeCounting(
            "DELETE FROM notification WHERE id IN (SELECT id FROM notification WHERE group_id = ?1 LIMIT ?2)",
            [.integer(group), .integer(Int64(limit))])
        if removed < limit {
            try transaction.execute("DELETE FROM notification_group WHERE id = ?1", [.integer(group)])
        }
    }
}

extension Notification {
    init(row: any SQLRow) throws {
        id = row.integer(0)
        recipient = UserID(rawValue: row.integer(1))
        kind = try row.choice(2)
        actor = UserID(rawValue: row.integer(3))
        actorUsername = row.text(4)
        post = row.optionalInteger(5).map(PostID.init(rawValue:))
        comment = row.optionalInteger(6).map(CommentID.init(rawValue:))
        isRead = row.integer(7) != 0 || row.integer(8) == 0
        group = row.integer(9)
        isOfOwnPost = row.optionalInteger(10) == recipient.rawValue
        isReply = row.optionalInteger(11) == recipient.rawValue
        subject = row.integer(12)
        isHidden = row.integer(13) != 0
    }
}
