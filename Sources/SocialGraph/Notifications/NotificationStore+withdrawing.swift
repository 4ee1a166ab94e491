import Database

/// Notifications are withdrawn if their act was taken back, or if a block or a mute hides it from the recipient.
extension NotificationStore.Writer {
    /// Withdraws the notifications of `act`, which was taken back. They come next after it in the order of ids, one for
    /// each author that the post had then; a later one to the same author is of another act.
    func withdrawNotifications(_ kind: NotificationKind, of act: Int64, about post: PostID, by actor: UserID) throws {
        let most = Int64(SocialGraphLimits.collaboratorsPerPost + 1)
        var told: Set<UserID> = []
        let rows = try transaction.rows(Self.nextQuery, [.integer(act), .integer(most)]) { row -> ToldRow? in
            row.text(4) == kind.rawValue && row.optionalInteger(5) == post.rawValue ? ToldRow(row: row) : nil
        }
        try withdraw(rows.compactMap(\.self).filter { $0.actor == actor && told.insert($0.recipient).inserted })
    }

    static let nextQuery = """
        SELECT id, group_id, user_id, actor_id, kind, post_id FROM notification WHERE id > ?1 ORDER BY id LIMIT ?2
        """

    func withdrawNotifications(about comment: CommentID) throws {
        try withdraw(
            try transaction.rows(
                "SELECT id, group_id, user_id, actor_id FROM notification WHERE comment_id = ?1",
                [.comment(comment)], ToldRow.init(row:)))
    }

    /// Withdraws all notifications to `recipient` of acts by `actor`, or those of one kind.
    func withdrawNotifications(to recipient: UserID, of actor: UserID, kind: NotificationKind? = nil) throws {
        var query = Self.tellingQuery
        var arguments: [SQLValue] = [.user(actor), .user(recipient)]
        if let kind {
            query += " AND kind = ?3"
            arguments.append(.text(kind.rawValue))
        }
        try withdraw(try transaction.rows(query, arguments, ToldRow.init(row:)))
    }

    /// Withdraws the notifications of a follow that has ended: of the follow, and of its approval.
    func withdrawNotifications(ofFollow follower: UserID, _ followee: UserID) throws {
        let acts = [(follower, followee, NotificationKind.follow), (followee, follower, .followAccepted)]
        let queries = acts.map { actor, recipient, kind in
            SQLQuery("\(Self.tellingQuery) AND kind = ?3", [.user(actor), .user(recipient), .text(kind.rawValue)])
        }
        try withdraw(try transaction.rows(of: queries, ToldRow.init(row:)).flatMap(\.self))
    }

    /// Withdraws up to `limit` notifications of acts by `actor`; returns their number.
    func withdrawNotifications(of actor: UserID, limit: Int) throws -> Int {
        let rows = try transaction.rows(
            Self.notificationsOfActorQuery, [.user(actor), .integer(Int64(limit))], ToldRow.init(row:))
        try withdraw(rows)
        return rows.count
    }

    static let notificationsOfActorQuery = """
        SELECT id, group_id, user_id, actor_id FROM notification WHERE actor_id = ?1 ORDER BY user_id, id LIMIT ?2
        """

    static let tellingQuery =
        "SELECT id, group_id, user_id, actor_id FROM notification WHERE actor_id = ?1 AND user_id = ?2"

    /// Withdraws notifications between two users about `post`, such as those of an invitation that has ended.
    package func withdrawNotifications(_ kind: NotificationKind, about post: PostID, to recipient: UserID) throws {
        let rows = try transaction.rows(
            "SELECT id, group_id, user_id, actor_id, kind FROM notification WHERE post_id = ?1 AND kind = ?2",
            [.post(post), .text(kind.rawValue)], ToldRow.init(row:))
        try withdraw(rows.filter { $0.recipient == recipient })
    }

    /// Withdraws all rows in one round trip.
    private func withdraw(_ rows: [ToldRow]) throws {
        for row in rows { try transaction.execute("DELETE FROM notification WHERE id = ?1", [.integer(row.id)]) }
        let actors = Dictionary(grouping: rows, by: \.group).mapValues { Set($0.map(\.actor)) }
            .map { (group: $0.key, actors: Array($0.value)) }.sorted { $0.group < $1.group }
        let queries = actors.flatMap { group, actors in
            [SQLQuery(Self.latestQuery, [.integer(group)])]
                + actors.map { SQLQuery(Self.actorProbe, [.integer(group), .user($0)]) }
        }
        // First the newest notification of each group, then a row for each actor who stays in it.
        var found = try transaction.first(of: queries) { $0.integer(0) }[...]
        for (group, actors) in actors {
            let (latest, stays) = (found.popFirst() ?? nil, found.prefix(actors.count))
            found = found.dropFirst(actors.count)
            guard let latest else {
                try transaction.execute("DELETE FROM notification_group WHERE id = ?1", [.integer(group)])
                continue
            }
            let gone = stays.filter { $0 == nil }.count
            try transaction.execute(
                "UPDATE notification_group SET latest_id = ?2, actors_count = actors_count - ?3 WHERE id = ?1",
                [.integer(group), .integer(latest), .integer(Int64(gone))])
        }
        for recipient in Set(rows.map(\.recipient)) {
            try transaction.record(.notificationsChanged(recipient))
        }
    }

    static let latestQuery = "SELECT id FROM notification WHERE group_id = ?1 ORDER BY id DESC LIMIT 1"
}

/// The facts about a notification that withdrawing needs.
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
