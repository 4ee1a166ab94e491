import Database
import Text

/// Notifications are written and withdrawn in the transaction of their act.
extension NotificationStore.Writer {
    /// Notifies the authors of a post, and `also`, of an act by `actor`.
    package func notifyAuthors(
        of post: PostID, _ kind: NotificationKind, by actor: UserID, also: UserID? = nil, comment: CommentID? = nil
    ) throws {
        var recipients = try PostStore.Reader(transaction).authors(of: post)
        if let also, !recipients.contains(also) { recipients.append(also) }
        try notify(recipients, kind, subject: post.rawValue, by: actor, post: post, comment: comment)
    }

    /// Notifies the users whom a text mentions and who may see the post, each once for one text.
    package func notifyMentioned(in text: String, of post: PostID, comment: CommentID? = nil, by actor: UserID) throws {
        let names = Mentions.names(in: text, limit: SocialGraphLimits.mentionsPerText)
        let users = try transaction.first(
            of: names.map { SQLQuery("SELECT id FROM account WHERE username_key = ?1", [.text($0)]) }
        ) { UserID(rawValue: $0.integer(0)) }.compactMap(\.self)
        let subject: SQLValue = comment.map(SQLValue.comment) ?? .integer(0)
        let facts = try transaction.exist(
            users.flatMap { user in
                [
                    SQLQuery(Self.maySeeQuery, [.user(user), .post(post), .integer(transaction.expiryTime)]),
                    SQLQuery(Self.mentionProbe, [.user(actor), .user(user), .post(post), subject]),
                ]
            })
        let told = users.indices.filter { facts[2 * $0] && !facts[2 * $0 + 1] }.map { users[$0] }
        try notify(
            told, .mention, subject: comment?.rawValue ?? post.rawValue, by: actor, post: post, comment: comment)
    }

    static let maySeeQuery = """
        SELECT 1 FROM post p LEFT JOIN community c ON c.id = p.community_id
        WHERE p.id = ?2 AND \(FeedStore.visibleDefinition)
        """

    static let mentionProbe = """
        SELECT 1 FROM notification WHERE actor_id = ?1 AND user_id = ?2
            AND kind = \(NotificationKind.mention.literal) AND post_id = ?3 AND COALESCE(comment_id, 0) = ?4
        """

    /// Notifies each of `recipients`, which are distinct, of an act by `actor`, unless it is the recipient's own, a
    /// block stands between the two, or the recipient has muted the actor's notifications. Nobody acts in a decision of
    /// moderators: each recipient is passed as the actor.
    package func notify(
        _ recipients: [UserID], _ kind: NotificationKind, subject: Int64, by actor: UserID, post: PostID? = nil,
        comment: CommentID? = nil
    ) throws {
        var reached: [ReachedGroup] = []
        let push = transaction.graphHooks?.push
        for known in try recipientsToTell(among: recipients, kind, subject: subject, of: actor, push) {
            let id = try transaction.nextID()
            let group = try join(known, kind, subject: subject, at: id, post: post)
            try transaction.execute(
                """
                INSERT INTO notification (id, group_id, user_id, actor_id, kind, post_id, comment_id)
                VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7)
                """,
                [
                    .integer(id), .integer(group), .user(known.user), .user(actor), .text(kind.rawValue),
                    post.map(SQLValue.post) ?? .null, comment.map(SQLValue.comment) ?? .null,
                ])
            reached.append(ReachedGroup(user: known.user, id: group, ways: known.ways))
            try transaction.record(.notified(notification: id, to: known.user))
        }
        try push?.arm(kind, for: reached, post: post, transaction)
    }

    /// Facts about each of `recipients` that a notification of an act by `actor` needs, in one round trip; without
    /// those who are not notified.
    private func recipientsToTell(
        among recipients: [UserID], _ kind: NotificationKind, subject: Int64, of actor: UserID,
        _ push: (any GraphPush)?
    ) throws -> [Recipient] {
        var known = recipients.filter { $0 != actor || kind == .moderation }.map(Recipient.init)
        let group = [.text(kind.rawValue), .integer(subject), SQLValue.user(actor)]
        let queries = known.flatMap { recipient -> [SQLQuery] in
            let user = SQLValue.user(recipient.user)
            return [
                SQLQuery(BlockAndMuteStore.blockBetweenProbe, [user, .user(actor)]),
                SQLQuery(Self.notificationMuteProbe, [user, .user(actor), .integer(transaction.expiryTime)]),
                SQLQuery(Self.openGroupQuery, [user] + group),
            ] + (push?.reachQueries(recipient.user) ?? [])
        }
        let each = queries.count / max(known.count, 1)
        try transaction.fetch(queries) { index, row in
            switch index % each {
            case 0, 1: known[index / each].isTold = false
            case 2: known[index / each].openGroup = (row.integer(0), row.integer(1) != 0)
            case let place: known[index / each].ways.append(place - 3)
            }
            return false
        }
        return known.filter(\.isTold)
    }

    static let notificationMuteProbe = """
        SELECT 1 FROM mute WHERE muter_id = ?1 AND muted_id = ?2 AND notifications = 1
            AND (expires_at IS NULL OR expires_at > ?3)
        """

    /// Adds an act to the recipient's open group, which is created if there is none.
    private func join(
        _ recipient: Recipient, _ kind: NotificationKind, subject: Int64, at id: Int64, post: PostID?
    ) throws -> Int64 {
        guard let open = recipient.openGroup else {
            try transaction.execute(
                """
                INSERT INTO notification_group (id, user_id, kind, subject, post_id, latest_id, actors_count)
                VALUES (?1, ?2, ?3, ?4, ?5, ?1, 1)
                """,
                [
                    .integer(id), .user(recipient.user), .text(kind.rawValue), .integer(subject),
                    post.map(SQLValue.post) ?? .null,
                ])
            return id
        }
        try transaction.execute(
            "UPDATE notification_group SET latest_id = ?2, actors_count = actors_count + ?3 WHERE id = ?1",
            [.integer(open.id), .integer(id), .integer(open.hasActor ? 0 : 1)])
        return open.id
    }

    /// The open group, and whether the actor `?4` is in it.
    static let openGroupQuery = """
        SELECT g.id, CASE WHEN EXISTS (
            SELECT 1 FROM notification n WHERE n.group_id = g.id AND n.actor_id = ?4) THEN 1 ELSE 0 END
        FROM notification_group g WHERE g.user_id = ?1 AND g.kind = ?2 AND g.subject = ?3 AND g.is_open = 1
        """

    static let actorProbe = "SELECT 1 FROM notification WHERE group_id = ?1 AND actor_id = ?2"
}

/// A candidate for a notification.
private struct Recipient {
    let user: UserID
    /// Neither a block nor a mute prevents the notification.
    var isTold = true
    var openGroup: (id: Int64, hasActor: Bool)?
    /// Ways on which a push would reach the recipient: indices into ``GraphPush/reachQueries(_:)``.
    var ways: [Int] = []

    init(user: UserID) { self.user = user }
}
