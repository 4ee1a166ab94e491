import Database

/// Notifications are written and withdrawn in the transaction of the act that they tell of.
extension NotificationStore.Writer {
    /// Tells the authors of a post, and `also`, of an act of `actor`.
    func notifyAuthors(
        of post: PostID, _ kind: NotificationKind, by actor: UserID, also: UserID? = nil, comment: CommentID? = nil
    ) throws {
        var recipients = try PostStore.Reader(transaction).authors(of: post)
        if let also, !recipients.contains(also) { recipients.append(also) }
        for recipient in recipients {
            try notify(
                recipient, kind, subject: post.rawValue, by: actor, post: post, comment: comment)
        }
    }

    /// Tells those whom a text mentions and who may see the post, each once for one text.
    func notifyMentioned(in text: String, of post: PostID, comment: CommentID? = nil, by actor: UserID) throws {
        for name in Mentions.names(in: text) {
            let user = try transaction.first(
                "SELECT id FROM account WHERE username_key = ?1", [.text(name)]
            ) { UserID(rawValue: $0.integer(0)) }
            guard let user, try transaction.exists(Self.maySeeQuery, [.user(user), .post(post)]) else { continue }
            let known = try transaction.exists(
                Self.mentionProbe,
                [.user(actor), .user(user), .post(post), comment.map(SQLValue.comment) ?? .integer(0)])
            if known { continue }
            try notify(
                user, .mention, subject: comment?.rawValue ?? post.rawValue, by: actor, post: post, comment: comment)
        }
    }

    static let maySeeQuery = """
        SELECT 1 FROM post p LEFT JOIN community c ON c.id = p.community_id
        WHERE p.id = ?2 AND \(FeedStore.visibleDefinition)
        """

    static let mentionProbe = """
        SELECT 1 FROM notification WHERE actor_id = ?1 AND user_id = ?2
            AND kind = \(NotificationKind.mention.literal) AND post_id = ?3 AND COALESCE(comment_id, 0) = ?4
        """

    /// Tells `recipient` of an act of `actor`, unless it is the recipient's own, a block stands between the two, or the
    /// recipient has muted the actor's notifications.
    func notify(
        _ recipient: UserID, _ kind: NotificationKind, subject: Int64, by actor: UserID, post: PostID? = nil,
        comment: CommentID? = nil
    ) throws {
        guard recipient != actor, try !RelationStore.Reader(transaction).isBlocked(recipient, actor),
            try !transaction.exists(Self.notificationMuteProbe, [.user(recipient), .user(actor)])
        else { return }
        let id = try transaction.nextID()
        let group = try openGroup(
            of: recipient, kind, subject: subject, joinedBy: actor, at: id, post: post)
        try transaction.execute(
            """
            INSERT INTO notification (id, group_id, user_id, actor_id, kind, post_id, comment_id)
            VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7)
            """,
            [
                .integer(id), .integer(group), .user(recipient), .user(actor), .text(kind.rawValue),
                post.map(SQLValue.post) ?? .null, comment.map(SQLValue.comment) ?? .null,
            ])
        try PushEventStore.Writer(transaction).arm(PushKind(kind), for: recipient, subject: group, post: post)
        try transaction.record(.notified(notification: id, to: recipient))
    }

    static let notificationMuteProbe =
        "SELECT 1 FROM mute WHERE muter_id = ?1 AND muted_id = ?2 AND notifications = 1"

    /// The open group that an act of `actor` joins, made if there is none.
    private func openGroup(
        of recipient: UserID, _ kind: NotificationKind, subject: Int64, joinedBy actor: UserID, at id: Int64,
        post: PostID?
    ) throws -> Int64 {
        let open = try transaction.first(
            Self.openGroupQuery, [.user(recipient), .text(kind.rawValue), .integer(subject)]
        ) { $0.integer(0) }
        guard let open else {
            try transaction.execute(
                """
                INSERT INTO notification_group (id, user_id, kind, subject, post_id, latest_id, actors_count)
                VALUES (?1, ?2, ?3, ?4, ?5, ?1, 1)
                """,
                [
                    .integer(id), .user(recipient), .text(kind.rawValue), .integer(subject),
                    post.map(SQLValue.post) ?? .null,
                ])
            return id
        }
        let isKnown = try transaction.exists(Self.actorProbe, [.integer(open), .user(actor)])
        try transaction.execute(
            "UPDATE notification_group SET latest_id = ?2, actors_count = actors_count + ?3 WHERE id = ?1",
            [.integer(open), .integer(id), .integer(isKnown ? 0 : 1)])
        return open
    }

    static let openGroupQuery =
        "SELECT id FROM notification_group WHERE user_id = ?1 AND kind = ?2 AND subject = ?3 AND is_open = 1"

    static let actorProbe = "SELECT 1 FROM notification WHERE group_id = ?1 AND actor_id = ?2"
}
