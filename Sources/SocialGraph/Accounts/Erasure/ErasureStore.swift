import Database

/// The outcome of one step of an erasure.
package enum ErasureStep: Sendable, Equatable {
    /// Rows were removed; there may be more.
    case removed
    /// Windows are still being cleared of the user's posts; the follows, which find those windows, stay until then.
    case waiting
    case finished
}

/// Removes the rows that a deleted account left, in bounded steps. Each step looks for work from the start, so an
/// interrupted step, or one overtaken by a late write, is continued by the next one.
///
/// Posts and reshares go first. They are removed by the same operations as by their user, which leave jobs for the
/// windows. Those jobs find their audience by the follows, so the follows go when the jobs are done.
package struct ErasureStore: Sendable {
    /// Rows that one step of an erasure removes.
    package static let stepLength = 100

    let database: any GraphDatabase

    /// Writes in one transaction.
    package struct Writer {
        let transaction: any GraphTransaction
        package init(_ transaction: any GraphTransaction) { self.transaction = transaction }
    }
}

extension ErasureStore {
    private typealias Part = (Writer, UserID, Int) throws -> Bool

    /// Removes up to about `limit` rows.
    package func eraseSome(of user: UserID, limit: Int = ErasureStore.stepLength) async throws -> ErasureStep {
        try await database.write { transaction in
            guard try transaction.exists("SELECT 1 FROM erasure WHERE user_id = ?1", [.user(user)]) else {
                return .finished
            }
            let shown: [Part] = [
                { try $0.erasePosts($1, $2) }, { try $0.eraseInvitations($1, $2) }, { try $0.eraseReshares($1, $2) },
                { try $0.eraseNotifications($1, $2) },
                { try $0.eraseComments($1, $2) }, { try $0.eraseLikes($1, $2) },
                { try $0.transaction.graphHooks?.saves.erase($1, limit: $2, $0.transaction) ?? false },
                { try $0.eraseShares($1, $2) },
                { try $0.eraseMemberships($1, $2) },
                { try CommunityStore.Writer($0.transaction).eraseParticipation($1, $2) },
                { try $0.eraseRelations($1, $2) }, { try $0.eraseMedia($1, $2) },
                { try $0.transaction.graphHooks?.push.erase($1, limit: $2, $0.transaction) ?? false },
                { try $0.transaction.graphHooks?.moderation.erase($1, limit: $2, $0.transaction) ?? false },
                { try $0.transaction.graphHooks?.idempotency.erase($1, limit: $2, $0.transaction) ?? false },
            ]
            for part in shown where try part(Writer(transaction), user, limit) { return .removed }
            if try transaction.exists(Self.windowWorkProbe, [.user(user)]) { return .waiting }
            let needed: [Part] = [
                { try $0.eraseTraces($1, $2) }, { try $0.eraseFollowers($1, $2) }, { try $0.eraseFollowing($1, $2) },
            ]
            for part in needed where try part(Writer(transaction), user, limit) { return .removed }
            try Writer(transaction).finishErasure(of: user)
            return .finished
        }
    }

    /// Finds jobs whose audience depends on the user, or on the user's part in a post.
    static let windowWorkProbe = """
        SELECT 1 FROM outbox WHERE user_id = ?1
        UNION ALL SELECT 1 FROM post_collaborator c JOIN outbox o ON o.post_id = c.post_id WHERE c.user_id = ?1
        UNION ALL SELECT 1 FROM reshare r JOIN outbox o ON o.post_id = r.post_id WHERE r.user_id = ?1
        LIMIT 1
        """
}

extension ErasureStore.Writer {
    fileprivate func finishErasure(of user: UserID) throws {
        if try transaction.executeCounting("DELETE FROM hub WHERE user_id = ?1", [.user(user)]) > 0 {
            try transaction.record(.hubChanged(user))
        }
        try transaction.execute("DELETE FROM media_usage WHERE user_id = ?1", [.user(user)])
        try transaction.execute("DELETE FROM opened_account WHERE user_id = ?1", [.user(user)])
        try transaction.execute("DELETE FROM erasure WHERE user_id = ?1", [.user(user)])
    }

    // MARK: Posts

    fileprivate func erasePosts(_ user: UserID, _ limit: Int) throws -> Bool {
        let posts = try transaction.rows(Self.erasedPostsQuery, [.user(user), .integer(Int64(limit))]) {
            (id: PostID(rawValue: $0.integer(0)), isOwn: $0.integer(1) == user.rawValue)
        }
        // One by one, like the acts below: each is taken back as its user would, with all that depends on it.
        for post in posts {
            if post.isOwn {
                try PostStore.Writer(transaction).retract(post.id, by: user)
            } else {
                try CollaborationStore.Writer(transaction).endCollaboration(of: user, on: post.id)
            }
        }
        return !posts.isEmpty
    }

    static let erasedPostsQuery = """
        SELECT ap.post_id, p.author_id FROM author_post ap JOIN post p ON p.id = ap.post_id
        WHERE ap.author_id = ?1 LIMIT ?2
        """

    /// Erases invitations. Those to deleted posts stay for ``eraseTraces``, because jobs still ask for the
    /// collaborators.
    fileprivate func eraseInvitations(_ user: UserID, _ limit: Int) throws -> Bool {
        let posts = try transaction.rows(Self.erasedInvitationsQuery, [.user(user), .integer(Int64(limit))]) {
            PostID(rawValue: $0.integer(0))
        }
        for post in posts { try CollaborationStore.Writer(transaction).endCollaboration(of: user, on: post) }
        return !posts.isEmpty
    }

    static let erasedInvitationsQuery = """
        SELECT c.post_id FROM post_collaborator c JOIN post p ON p.id = c.post_id
        WHERE c.user_id = ?1 AND p.deleted_at IS NULL LIMIT ?2
        """

    fileprivate func eraseReshares(_ user: UserID, _ limit: Int) throws -> Bool {
        let posts = try transaction.rows(Self.erasedResharesQuery, [.user(user), .integer(Int64(limit))]) {
            PostID(rawValue: $0.integer(0))
        }
        for post in posts { _ = try ReshareStore.Writer(transaction).unreshare(post, by: user) }
        return !posts.isEmpty
    }

    static let erasedResharesQuery = """
        SELECT r.post_id FROM reshare r JOIN post p ON p.id = r.post_id
        WHERE r.user_id = ?1 AND p.deleted_at IS NULL LIMIT ?2
        """

    /// Erases the user's rows on deleted posts.
    fileprivate func eraseTraces(_ user: UserID, _ limit: Int) throws -> Bool {
        let bound: [SQLValue] = [.user(user), .integer(Int64(limit))]
        let reshares = try transaction.rows("SELECT id FROM reshare WHERE user_id = ?1 LIMIT ?2", bound) {
            $0.integer(0)
        }
        for reshare in reshares { try ReshareStore.Writer(transaction).deleteReshare(reshare) }
        let collaborations = try transaction.executeCounting(
            """
            DELETE FROM post_collaborator WHERE user_id = ?1
                AND post_id IN (SELECT post_id FROM post_collaborator WHERE user_id = ?1 LIMIT ?2)
            """, bound)
        return !reshares.isEmpty || collaborations > 0
    }

    // MARK: Communities

    /// Erases memberships. The ownership of communities passes on.
    fileprivate func eraseMemberships(_ user: UserID, _ limit: Int) throws -> Bool {
        let memberships = try transaction.rows(
            "SELECT community_id, role FROM community_member WHERE user_id = ?1 LIMIT ?2",
            [.user(user), .integer(Int64(limit))]
        ) { (community: CommunityID(rawValue: $0.integer(0)), role: try $0.choice(1, of: CommunityRole.self)) }
        for membership in memberships {
            try CommunityStore.Writer(transaction).deleteMember(user, of: membership.community)
            if membership.role == .owner {
                try CommunityStore.Writer(transaction).passOnOwnership(of: membership.community)
            }
        }
        return !memberships.isEmpty
    }

    // MARK: Relations, follows, files

    /// Erases blocks and mutes. Stale caches of them are harmless: the user is no longer an author of anything.
    fileprivate func eraseRelations(_ user: UserID, _ limit: Int) throws -> Bool {
        var removed = 0
        for statement in Self.relationStatements {
            removed += try transaction.executeCounting(statement, [.user(user), .integer(Int64(limit))])
        }
        let isDiscovered = try transaction.graphHooks?.discovery.erase(user, limit: limit, transaction) ?? false
        return removed > 0 || isDiscovered
    }

    static let relationStatements = [
        """
        DELETE FROM block WHERE blocker_id = ?1
            AND blocked_id IN (SELECT blocked_id FROM block WHERE blocker_id = ?1 LIMIT ?2)
        """,
        """
        DELETE FROM block WHERE blocked_id = ?1
            AND blocker_id IN (SELECT blocker_id FROM block WHERE blocked_id = ?1 LIMIT ?2)
        """,
        """
        DELETE FROM mute WHERE muter_id = ?1 AND muted_id IN (SELECT muted_id FROM mute WHERE muter_id = ?1 LIMIT ?2)
        """,
        """
        DELETE FROM mute WHERE muted_id = ?1 AND muter_id IN (SELECT muter_id FROM mute WHERE muted_id = ?1 LIMIT ?2)
        """,
        """
        DELETE FROM follow_request WHERE requester_id = ?1
            AND target_id IN (SELECT target_id FROM follow_request WHERE requester_id = ?1 LIMIT ?2)
        """,
        """
        DELETE FROM follow_request WHERE target_id = ?1
            AND requester_id IN (SELECT requester_id FROM follow_request WHERE target_id = ?1 LIMIT ?2)
        """,
        """
        DELETE FROM muted_word WHERE user_id = ?1
            AND id IN (SELECT id FROM muted_word WHERE user_id = ?1 LIMIT ?2)
        """,
        """
        DELETE FROM topic_follow WHERE user_id = ?1
            AND topic_key IN (SELECT topic_key FROM topic_follow WHERE user_id = ?1 LIMIT ?2)
        """,
        """
        DELETE FROM selected_algorithm WHERE user_id = ?1
            AND ordinal IN (SELECT ordinal FROM selected_algorithm WHERE user_id = ?1 LIMIT ?2)
        """,
        """
        DELETE FROM preference WHERE user_id = ?1
            AND name IN (SELECT name FROM preference WHERE user_id = ?1 LIMIT ?2)
        """,
        """
        DELETE FROM community_request WHERE user_id = ?1
            AND community_id IN (SELECT community_id FROM community_request WHERE user_id = ?1 LIMIT ?2)
        """,
        """
        DELETE FROM community_ban WHERE user_id = ?1
            AND community_id IN (SELECT community_id FROM community_ban WHERE user_id = ?1 LIMIT ?2)
        """,
        """
        DELETE FROM idempotency WHERE account_id = ?1
            AND idempotency_key IN (SELECT idempotency_key FROM idempotency WHERE account_id = ?1 LIMIT ?2)
        """,
    ]

    /// Deletes the rows; files without a row are swept from the disk.
    fileprivate func eraseMedia(_ user: UserID, _ limit: Int) throws -> Bool {
        let files = try transaction.rows(
            "SELECT id FROM media WHERE owner_id = ?1 LIMIT ?2", [.user(user), .integer(Int64(limit))]
        ) { MediaID(rawValue: $0.integer(0)) }
        for id in files {
            let file = SQLValue.media(id)
            try transaction.execute("UPDATE post SET media_id = NULL WHERE media_id = ?1", [file])
            try transaction.execute("UPDATE post SET thumbnail_id = NULL WHERE thumbnail_id = ?1", [file])
            try transaction.execute("UPDATE account SET picture_id = NULL WHERE picture_id = ?1", [file])
        }
        try MediaStore.Writer(transaction).removeMediaRows(files)
        return !files.isEmpty
    }

    /// Erases the user's followers. The jobs that were waited for have cleared their windows, so no window is rebuilt.
    fileprivate func eraseFollowers(_ user: UserID, _ limit: Int) throws -> Bool {
        let followers = try transaction.rows(
            "SELECT follower_id FROM follow WHERE followee_id = ?1 LIMIT ?2", [.user(user), .integer(Int64(limit))]
        ) { UserID(rawValue: $0.integer(0)) }
        for follower in followers { try eraseEdge(follower, user) }
        return !followers.isEmpty
    }

    fileprivate func eraseFollowing(_ user: UserID, _ limit: Int) throws -> Bool {
        let followees = try transaction.rows(
            "SELECT followee_id FROM follow WHERE follower_id = ?1 LIMIT ?2", [.user(user), .integer(Int64(limit))]
        ) { UserID(rawValue: $0.integer(0)) }
        for followee in followees { try eraseEdge(user, followee) }
        try HubStore.Writer(transaction).updateHubs(followees)
        return !followees.isEmpty
    }

    private func eraseEdge(_ follower: UserID, _ followee: UserID) throws {
        try transaction.execute(
            "DELETE FROM follow WHERE follower_id = ?1 AND followee_id = ?2", [.user(follower), .user(followee)])
        try transaction.execute(
            "UPDATE account SET following_count = following_count - 1 WHERE id = ?1", [.user(follower)])
        try transaction.execute(
            "UPDATE account SET followers_count = followers_count - 1 WHERE id = ?1", [.user(followee)])
        try transaction.record(.unfollowed(follower: follower, followee: followee))
    }
}
