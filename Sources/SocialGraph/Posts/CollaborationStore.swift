import Database

/// An accepted collaborator is an author: the post stands in the collaborator's author feed and reaches the
/// collaborator's followers, at its own place. (Instagram's collab posts, 2021; their followers' union, one entry.)
package struct CollaborationStore: Sendable {
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

extension CollaborationStore {
    /// Invites `user` to a post; only its author may. The invitation is pending until `user` accepts it. It is accepted
    /// at once if `user` has chosen ``AutoAcceptance/following`` and follows the author. Nobody is invited to a post
    /// that names a user on the other side of a block. Idempotent: returns the present status. Throws
    /// ``GraphError/postNotFound``, ``GraphError/notAuthor``, ``GraphError/selfCollaboration``,
    /// ``GraphError/unknownCollaborator(_:)``, ``GraphError/notAllowed``, ``GraphError/limitReached(_:)``.
    @discardableResult
    package func inviteCollaborator(
        _ user: UserID, to post: PostID, by author: UserID
    ) async throws -> Collaborator.Status {
        try await database.write { transaction in
            try PostStore.Reader(transaction).requireOwner(of: post, author)
            if let status = try Reader(transaction).status(of: user, on: post) { return status }
            let last = try transaction.first(
                "SELECT COUNT(*), MAX(ordinal) FROM post_collaborator WHERE post_id = ?1", [.post(post)]
            ) { (count: $0.integer(0), ordinal: $0.optionalInteger(1) ?? 0) }
            guard let last, last.count < Int64(SocialGraphLimits.collaboratorsPerPost) else {
                throw GraphError.limitReached("\(SocialGraphLimits.collaboratorsPerPost) collaborators")
            }
            let status = try Writer(transaction).invite(
                [user], beside: Reader(transaction).partners(of: post), to: post, of: author,
                from: Int(last.ordinal) + 1, by: .author)[0]
            switch status {
            case .accepted:
                try Writer(transaction).becomeAuthor(user, of: post)
            case .pending:
                try transaction.record(.invitationChanged(post, of: user))
            }
            return status
        }
    }

    /// Accepts an invitation. Idempotent. Throws ``GraphError/postNotFound`` and ``GraphError/notInvited``.
    package func acceptCollaboration(on post: PostID, by user: UserID) async throws {
        try await database.write { transaction in
            try PostStore.Reader(transaction).requireLive(post)
            guard let status = try Reader(transaction).status(of: user, on: post) else { throw GraphError.notInvited }
            guard status == .pending else { return }
            try transaction.execute(
                "UPDATE post_collaborator SET status = ?3 WHERE post_id = ?1 AND user_id = ?2",
                [.post(post), .user(user), .text(Collaborator.Status.accepted.rawValue)])
            try Writer(transaction).becomeAuthor(user, of: post)
            let author = try transaction.first(
                "SELECT author_id FROM post WHERE id = ?1", [.post(post)]
            ) { UserID(rawValue: $0.integer(0)) }
            if let author {
                try NotificationStore.Writer(transaction).notify(
                    [author], .collaboration, subject: post.rawValue, by: user, post: post)
            }
        }
    }

    /// Declines an open invitation. Throws ``GraphError/postNotFound`` and ``GraphError/notInvited``.
    package func declineCollaboration(on post: PostID, by user: UserID) async throws {
        try await database.write { transaction in
            try PostStore.Reader(transaction).requireLive(post)
            guard try Reader(transaction).status(of: user, on: post) == .pending else { throw GraphError.notInvited }
            try Writer(transaction).endCollaboration(of: user, on: post)
        }
    }

    /// Leaves a post as its author. Throws ``GraphError/postNotFound`` and ``GraphError/notCollaborator``.
    package func leaveCollaboration(on post: PostID, by user: UserID) async throws {
        try await database.write { transaction in
            try PostStore.Reader(transaction).requireLive(post)
            guard try Reader(transaction).status(of: user, on: post) == .accepted else {
                throw GraphError.notCollaborator
            }
            try Writer(transaction).endCollaboration(of: user, on: post)
        }
    }

    /// Removes a collaborator or withdraws an invitation; only the post's author may. Idempotent. Throws
    /// ``GraphError/postNotFound`` and ``GraphError/notAuthor``.
    package func removeCollaborator(_ user: UserID, from post: PostID, by author: UserID) async throws {
        try await database.write { transaction in
            try PostStore.Reader(transaction).requireOwner(of: post, author)
            try Writer(transaction).endCollaboration(of: user, on: post)
        }
    }

    /// The source of an invitation.
    package enum Inviter {
        case author
        /// The operator, by an import, which speaks for everybody in it: its invitations are accepted at once.
        case importer
    }
}

extension CollaborationStore.Reader {
    /// Users who have been invited to the post, collaborators included.
    package func partners(of post: PostID) throws -> [UserID] {
        try reader.rows("SELECT user_id FROM post_collaborator WHERE post_id = ?1", [.post(post)]) {
            UserID(rawValue: $0.integer(0))
        }
    }

    fileprivate func status(of user: UserID, on post: PostID) throws -> Collaborator.Status? {
        try reader.first(
            "SELECT status FROM post_collaborator WHERE post_id = ?1 AND user_id = ?2", [.post(post), .user(user)]
        ) { try $0.choice(0) }
    }
}

extension CollaborationStore.Writer {
    /// Invites `users`, which are distinct, beside `partners`, whom the post names already. All facts about them are
    /// read in one round trip.
    ///
    /// - Parameter ordinal: the place of the first of `users`.
    func invite(
        _ users: [UserID], beside partners: [UserID] = [], to post: PostID, of author: UserID, from ordinal: Int,
        by inviter: CollaborationStore.Inviter
    ) throws -> [Collaborator.Status] {
        if users.isEmpty { return [] }
        let probes = users.flatMap { user in
            [
                BlockAndMuteStore.Reader.shownProbe(user, to: author),
                SQLQuery(Self.autoAcceptanceProbe, [.user(user), .user(author)]),
            ]
        }
        let blocks = BlockAndMuteStore.blocksAmongQuery.queries(([author] + partners + users).map(SQLValue.user))
        var facts = [Bool](repeating: false, count: probes.count)
        var parted: Set<[UserID]> = []
        try transaction.fetch(probes + blocks) { index, row in
            if index < probes.count {
                facts[index] = true
            } else {
                let pair = [UserID(rawValue: row.integer(0)), UserID(rawValue: row.integer(1))]
                parted.formUnion([pair, pair.reversed()])
            }
            return true
        }
        var named = [author] + partners
        let statuses = try users.enumerated().map { index, user -> Collaborator.Status in
            guard user != author else { throw GraphError.selfCollaboration }
            guard facts[2 * index] else { throw GraphError.unknownCollaborator(String(user.rawValue)) }
            if named.contains(where: { parted.contains([user, $0]) }) { throw GraphError.notAllowed }
            named.append(user)
            let status: Collaborator.Status = inviter == .importer || facts[2 * index + 1] ? .accepted : .pending
            try transaction.execute(
                "INSERT INTO post_collaborator (post_id, user_id, ordinal, status) VALUES (?1, ?2, ?3, ?4)",
                [.post(post), .user(user), .integer(Int64(ordinal + index)), .text(status.rawValue)])
            return status
        }
        try NotificationStore.Writer(transaction).notify(
            users, .collaboration, subject: post.rawValue, by: author, post: post)
        return statuses
    }

    /// Finds a row if invitations of a user by an author are accepted at once.
    static let autoAcceptanceProbe = """
        SELECT 1 FROM account a JOIN follow f ON f.follower_id = a.id AND f.followee_id = ?2
        WHERE a.id = ?1 AND a.auto_accepts = 1
        """

    /// Ends a collaboration or an invitation, if there is one. Removes only the reasons of `user`.
    func endCollaboration(of user: UserID, on post: PostID) throws {
        guard let status = try stored.status(of: user, on: post) else { return }
        try transaction.execute(
            "DELETE FROM post_collaborator WHERE post_id = ?1 AND user_id = ?2", [.post(post), .user(user)])
        try NotificationStore.Writer(transaction).withdrawNotifications(.collaboration, about: post, to: user)
        guard status == .accepted else {
            try transaction.record(.invitationChanged(post, of: user))
            return
        }
        try transaction.execute(
            "DELETE FROM author_post WHERE author_id = ?1 AND post_id = ?2", [.user(user), .post(post)])
        try transaction.execute(Self.countAuthorStatement, [.user(user), .post(post), .integer(-1)])
        transaction.touch(.actor(user))
        transaction.index(.post(post))
        try OutboxStore.Writer(transaction).enqueue(.removeReason(entry: FeedEntry(post), actor: user))
        try transaction.record(.collaborationEnded(post, of: user))
    }

    /// Adds one to an author's count of posts, or subtracts one, unless moderators hide the post.
    static let countAuthorStatement = """
        UPDATE account SET posts_count = posts_count + ?3
        WHERE id = ?1 AND EXISTS (SELECT 1 FROM post WHERE id = ?2 AND \(PostStore.Writer.unhiddenPost))
        """

    fileprivate func becomeAuthor(_ user: UserID, of post: PostID) throws {
        try transaction.execute(
            "INSERT INTO author_post (author_id, post_id) VALUES (?1, ?2)", [.user(user), .post(post)])
        try transaction.execute(Self.countAuthorStatement, [.user(user), .post(post), .integer(1)])
        transaction.touch(.actor(user))
        transaction.index(.post(post))
        try OutboxStore.Writer(transaction).enqueue(.addReason(entry: FeedEntry(post), actor: user))
        try transaction.record(.collaborationAccepted(post, by: user))
    }
}
