/// What moderators change of what a feed contains. All of it is reversible, and in force, and undone, with the
/// acknowledgement: it is judged at the read, no stored window changes. Who may do what is for the caller to judge.
extension GraphStore {
    /// Locks a community: only its moderators may post. Throws ``GraphError/communityNotFound``.
    package func setLocked(_ isLocked: Bool, community: CommunityID) async throws {
        try await database.write { transaction in
            let changed = try transaction.execute(
                "UPDATE community SET locked_at = ?2 WHERE id = ?1",
                [.community(community), isLocked ? .integer(transaction.now) : .null])
            guard changed > 0 else { throw GraphError.communityNotFound }
            try transaction.record(GraphChange(.communityChanged, subject: community.rawValue, object: 0))
        }
    }

    /// Removes a post from its community, or restores it. Throws ``GraphError/postNotFound``.
    package func setRemoved(_ isRemoved: Bool, post: PostID) async throws {
        try await moderate(
            post, isRemoved, "UPDATE post SET removed_at = ?2 WHERE id = ?1 AND community_id IS NOT NULL")
    }

    /// Takes a post down everywhere, or reinstates it. Throws ``GraphError/postNotFound``.
    package func setTakenDown(_ isTakenDown: Bool, post: PostID) async throws {
        try await moderate(post, isTakenDown, "UPDATE post SET taken_down_at = ?2 WHERE id = ?1")
    }

    private func moderate(_ post: PostID, _ isHidden: Bool, _ statement: String) async throws {
        try await database.write { transaction in
            try Self.requireLive(post, in: transaction)
            let changed = try transaction.execute(
                statement, [.post(post), isHidden ? .integer(transaction.now) : .null])
            guard changed > 0 else { throw GraphError.postNotFound }
            transaction.index(.post(post))
            try transaction.record(GraphChange(.postModerated, subject: post.rawValue, object: 0))
        }
    }

    /// Bans a user from a community, which ends the membership, or lifts the ban. Idempotent.
    /// Throws ``GraphError/communityNotFound``, ``GraphError/accountNotFound`` and ``GraphError/ownerCannotLeave``.
    package func setBanned(_ isBanned: Bool, _ user: UserID, from community: CommunityID) async throws {
        try await database.write { transaction in
            try Self.requireAccounts([user], in: transaction)
            _ = try Self.community(community, transaction)
            let role = try Self.role(of: user, in: community, transaction)
            guard role != .owner else { throw GraphError.ownerCannotLeave }
            let pair: [SQLValue] = [.user(user), .community(community)]
            try transaction.execute("DELETE FROM community_ban WHERE user_id = ?1 AND community_id = ?2", pair)
            if isBanned {
                try transaction.execute("INSERT INTO community_ban (user_id, community_id) VALUES (?1, ?2)", pair)
                try Self.deleteRequest(of: user, to: community, in: transaction)
                if role != nil { try Self.deleteMember(user, of: community, in: transaction) }
            }
            try transaction.record(
                GraphChange(.membershipChanged, subject: user.rawValue, object: community.rawValue))
        }
    }

    /// Throws ``GraphError/notMember`` of somebody who is none, and ``GraphError/ownerCannotLeave`` of the owner.
    package func setRole(_ role: CommunityRole, of user: UserID, in community: CommunityID) async throws {
        try await database.write { transaction in
            guard let before = try Self.role(of: user, in: community, transaction) else { throw GraphError.notMember }
            guard before != .owner, role != .owner else { throw GraphError.ownerCannotLeave }
            try transaction.execute(
                "UPDATE community_member SET role = ?3 WHERE user_id = ?1 AND community_id = ?2",
                [.user(user), .community(community), .text(role.rawValue)])
            try transaction.record(
                GraphChange(.membershipChanged, subject: user.rawValue, object: community.rawValue))
        }
    }

    /// Pins a post of the community to its top, or unpins it. Idempotent. Throws ``GraphError/postNotFound`` of a post
    /// that is not in the community, and ``GraphError/limitReached(_:)``.
    package func setPinned(_ isPinned: Bool, _ post: PostID, in community: CommunityID) async throws {
        try await database.write { transaction in
            guard
                try transaction.exists(
                    "SELECT 1 FROM post WHERE id = ?1 AND community_id = ?2 AND deleted_at IS NULL",
                    [.post(post), .community(community)])
            else { throw GraphError.postNotFound }
            try transaction.execute("DELETE FROM community_pin WHERE post_id = ?1", [.post(post)])
            if isPinned {
                try Self.requireRoom(
                    "SELECT COUNT(*) FROM community_pin WHERE community_id = ?1", [.community(community)],
                    below: SocialGraphLimits.pinsPerCommunity, "pinned posts", transaction)
                try transaction.execute(
                    "INSERT INTO community_pin (community_id, post_id, position) VALUES (?1, ?2, ?3)",
                    [.community(community), .post(post), .integer(try transaction.nextID())])
            }
            try transaction.record(GraphChange(.communityChanged, subject: community.rawValue, object: 0))
        }
    }
}
