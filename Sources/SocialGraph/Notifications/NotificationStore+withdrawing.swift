import Database

/// What was taken back, or is hidden from the recipient by a block or a mute, is told no more.
extension NotificationStore.Writer {
    /// The latest act of `kind` of `actor` on `post` has been taken back.
    func withdrawNotifications(_ kind: NotificationKind, about post: PostID, by actor: UserID) throws {
        for author in try PostStore.Reader(transaction).authors(of: post) {
            let rows = try transaction.rows(
                "\(Self.tellingQuery) AND kind = ?3 AND post_id = ?4 ORDER BY id DESC LIMIT 1",
                [.user(actor), .user(author), .text(kind.rawValue), .post(post)], ToldRow.init(row:))
            try withdraw(rows)
        }
    }

    func withdrawNotifications(about comment: CommentID) throws {
        try withdraw(
            try transaction.rows(
                "SELECT id, group_id, user_id, actor_id FROM notification WHERE comment_id = ?1",
                [.comment(comment)], ToldRow.init(row:)))
    }

    /// Everything that `recipient` was told of `actor`, or of one kind.
    func withdrawNotifications(to recipient: UserID, of actor: UserID, kind: NotificationKind? = nil) throws {
        var query = Self.tellingQuery
        var arguments: [SQLValue] = [.user(actor), .user(recipient)]
        if let kind {
            query += " AND kind = ?3"
            arguments.append(.text(kind.rawValue))
        }
        try withdraw(try transaction.rows(query, arguments, ToldRow.init(row:)))
    }

    static let tellingQuery =
        "SELECT id, group_id, user_id, actor_id FROM notification WHERE actor_id = ?1 AND user_id = ?2"

    /// Of an invitation that has ended, or of anything else about `post`, between two users.
    package func withdrawNotifications(_ kind: NotificationKind, about post: PostID, to recipient: UserID) throws {
        let rows = try transaction.rows(
            "SELECT id, group_id, user_id, actor_id, kind FROM notification WHERE post_id = ?1 AND kind = ?2",
            [.post(post), .text(kind.rawValue)], ToldRow.init(row:))
        try withdraw(rows.filter { $0.recipient == recipient })
    }

    private func withdraw(_ rows: [ToldRow]) throws {
        for row in rows {
            try transaction.execute("DELETE FROM notification WHERE id = ?1", [.integer(row.id)])
            let latest = try transaction.first(
                "SELECT id FROM notification WHERE group_id = ?1 ORDER BY id DESC LIMIT 1", [.integer(row.group)]
            ) { $0.integer(0) }
            guard let latest else {
                try transaction.execute("DELETE FROM notification_group WHERE id = ?1", [.integer(row.group)])
                continue
            }
            let stays = try transaction.exists(Self.actorProbe, [.integer(row.group), .user(row.actor)])
            try transaction.execute(
                "UPDATE notification_group SET latest_id = ?2, actors_count = actors_count - ?3 WHERE id = ?1",
                [.integer(row.group), .integer(latest), .integer(stays ? 0 : 1)])
        }
        for recipient in Set(rows.map(\.recipient)) {
            try transaction.record(.notificationsChanged(recipient))
        }
    }
}

/// What withdrawing needs of a notification.
private struct ToldRow {
    let id: Int64
    let group: Int64
    let recipient: UserID
    let actor: UserID

    init(row: any SQLRow) {
        id = row.integer(0)
        group = row.integer(1)
        recipient = UserID(rawValue: row.integer(2))
        actor = UserID(rawValue: row.integer(3))
    }
}
