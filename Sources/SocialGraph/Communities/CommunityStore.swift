import Database
import Text

/// Communities, their members and the decisions of their moderators.
package struct CommunityStore: Sendable {
    package let database: any GraphDatabase

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

extension CommunityStore {
    /// Creates a community, whose creator is its owner and a member. Throws ``GraphError/accountNotFound``,
    /// ``GraphError/communityNameTaken(_:)``, ``GraphError/limitReached(_:)``, ``GraphError/refusedByRule(_:)``.
    package func createCommunity(
        name: String, description: String, by owner: UserID, isPrivate: Bool = false
    ) async throws -> Community {
        let texts = [name, description]
        return try await database.writeScreened(
            ScreeningDraft(of: texts, by: owner)
        ) { screening, transaction in
            try AccountStore.Reader(transaction).requireAccounts([owner])
            let key = NameFolding.key(name)
            if try transaction.exists("SELECT 1 FROM community WHERE name_key = ?1", [.text(key)]) {
                throw GraphError.communityNameTaken(name)
            }
            let id = CommunityID(rawValue: try transaction.nextID())
            try transaction.execute(
                """
                INSERT INTO community (id, name, name_key, description, created_at, is_private)
                VALUES (?1, ?2, ?3, ?4, ?5, ?6)
                """,
                [
                    .community(id), .text(name), .text(key), .text(description), .integer(transaction.now),
                    .flag(isPrivate),
                ])
            transaction.index(.community(id))
            try Writer(transaction).insertMember(owner, of: id, role: .owner)
            try transaction.screen(texts, of: .community(id), by: owner, screening)
            return try Reader(transaction).community(id)
        }
    }

    /// A community. Throws ``GraphError/communityNotFound``.
    package func community(_ id: CommunityID) async throws -> Community {
        try await database.read { try Reader($0).community(id) }
    }

    /// Joins, or asks to join if the community is private. Idempotent. Throws ``GraphError/communityNotFound``,
    /// ``GraphError/bannedFromCommunity``, ``GraphError/communityArchived``, ``GraphError/limitReached(_:)``.
    @discardableResult package func joinCommunity(_ id: CommunityID, by user: UserID) async throws -> JoinOutcome {
        try await database.write { transaction in
            try AccountStore.Reader(transaction).requireAccounts([user])
            let community = try Reader(transaction).community(id)
            if try Reader(transaction).role(of: user, in: id) != nil { return .wasMember }
            guard try !Reader(transaction).isBanned(user, from: id) else { throw GraphError.bannedFromCommunity }
            guard !community.isArchived else { throw GraphError.communityArchived }
            if community.isPrivate {
                try JoinRequestStore.Writer(transaction).insertRequest(of: user, to: id)
                return .requested
            }
            try Writer(transaction).insertMember(user, of: id, role: .member)
            return .joined
        }
    }

    /// Leaves, or withdraws the request to join; true if the user was a member. Idempotent. Throws
    /// ``GraphError/communityNotFound`` and ``GraphError/ownerCannotLeave``.
    ///
    /// - Parameter passesOnOwnership: lets the owner leave; the oldest moderator, else the oldest member, is the next.
    @discardableResult package func leaveCommunity(
        _ id: CommunityID, by user: UserID, passesOnOwnership: Bool = false
    ) async throws -> Bool {
        try await database.write { transaction in
            _ = try Reader(transaction).community(id)
            try JoinRequestStore.Writer(transaction).deleteRequest(of: user, to: id)
            guard let role = try Reader(transaction).role(of: user, in: id) else { return false }
            guard role != .owner || passesOnOwnership else { throw GraphError.ownerCannotLeave }
            try Writer(transaction).deleteMember(user, of: id)
            if role == .owner { try Writer(transaction).passOnOwnership(of: id) }
            return true
        }
    }

    /// Switches whether a joined community is merged into its member's home timeline.
    /// Throws ``GraphError/communityNotFound`` and ``GraphError/notMember``.
    package func setCommunity(_ id: CommunityID, isInHome: Bool, for user: UserID) async throws {
        try await database.write { transaction in
            _ = try Reader(transaction).community(id)
            let changed = try transaction.executeCounting(
                "UPDATE community_member SET in_home = ?3 WHERE user_id = ?2 AND community_id = ?1",
                [.community(id), .user(user), .flag(isInHome)])
            guard changed > 0 else { throw GraphError.notMember }
            try transaction.record(.membershipChanged(user, in: id))
        }
    }

    package func membership(of user: UserID, in community: CommunityID) async throws -> Membership? {
        try await database.read { reader in
            try reader.first(
                """
                SELECT community_id, role, in_home FROM community_member WHERE user_id = ?1 AND community_id = ?2
                """, [.user(user), .community(community)], Membership.init(row:))
        }
    }

    /// Pinned posts, in the order of their pins.
    package func pins(of community: CommunityID) async throws -> [PostID] {
        try await database.read { reader in
            try reader.rows(
                "SELECT post_id FROM community_pin WHERE community_id = ?1 ORDER BY position", [.community(community)]
            ) { PostID(rawValue: $0.integer(0)) }
        }
    }
}

extension CommunityStore.Reader {
    package func community(_ id: CommunityID) throws -> Community { try communities([id])[0] }

    /// The communities, in the order of `ids` and in one round trip. Throws ``GraphError/communityNotFound``.
    package func communities(_ ids: [CommunityID]) throws -> [Community] {
        try reader.first(
            of: ids.map { SQLQuery(Self.communityQuery, [.community($0)]) }, Community.init(row:)
        ).map { community in
            guard let community else { throw GraphError.communityNotFound }
            return community
        }
    }

    static let communityQuery = """
        SELECT id, name, description, created_at, is_private, locked_at, members_count, archived_at
        FROM community WHERE id = ?1
        """

    func role(of user: UserID, in community: CommunityID) throws -> CommunityRole? {
        try reader.first(
            "SELECT role FROM community_member WHERE user_id = ?1 AND community_id = ?2",
            [.user(user), .community(community)]
        ) { try $0.choice(0) }
    }

    package func isBanned(_ user: UserID, from community: CommunityID) throws -> Bool {
        try reader.exist([Self.banProbe(of: user, from: community)])[0]
    }

    /// A query that finds a row if `user` is banned from the community.
    package static func banProbe(of user: UserID, from community: CommunityID) -> SQLQuery {
        SQLQuery(
            "SELECT 1 FROM community_ban WHERE user_id = ?1 AND community_id = ?2",
            [.user(user), .community(community)])
    }

    /// Throws the reason why `user` may not post into `community`. Returns whether the community is private.
    func requirePosting(_ user: UserID, in community: CommunityID) throws -> Bool {
        let found = try self.community(community)
        guard try !isBanned(user, from: community) else { throw GraphError.bannedFromCommunity }
        guard let role = try self.role(of: user, in: community) else { throw GraphError.notMember }
        guard !found.isArchived else { throw GraphError.communityArchived }
        guard !found.isLocked || role.isModerating else { throw GraphError.communityLocked }
        return found.isPrivate
    }
}

extension CommunityStore.Writer {
    func insertMember(_ user: UserID, of community: CommunityID, role: CommunityRole) throws {
        try JoinRequestStore.Writer(transaction).deleteRequest(of: user, to: community)
        try BlockAndMuteStore.Reader(transaction).requireRoom(
            "SELECT COUNT(*) FROM community_member WHERE user_id = ?1", [.user(user)],
            below: SocialGraphLimits.joinedCommunities, "joined communities")
        let position = try transaction.nextID()
        try transaction.execute(
            """
            INSERT INTO community_member (community_id, user_id, role, position, promoted_at)
            VALUES (?1, ?2, ?3, ?4, ?5)
            """,
            [
                .community(community), .user(user), .text(role.rawValue), .integer(position),
                role.isModerating ? .integer(position) : .null,
            ])
        try transaction.execute(
            "UPDATE community SET members_count = members_count + 1 WHERE id = ?1", [.community(community)])
        try transaction.record(.membershipChanged(user, in: community))
    }

    func deleteMember(_ user: UserID, of community: CommunityID) throws {
        try transaction.execute(
            "DELETE FROM community_member WHERE user_id = ?1 AND community_id = ?2",
            [.user(user), .community(community)])
        try rememberParticipant(user, in: community)
        try transaction.execute(
            "UPDATE community SET members_count = members_count - 1 WHERE id = ?1", [.community(community)])
        try transaction.record(.membershipChanged(user, in: community))
    }
}

extension Community {
    init(row: any SQLRow) {
        id = CommunityID(rawValue: row.integer(0))
        name = row.text(1)
        description = row.text(2)
        createdAt = row.integer(3)
        isPrivate = row.integer(4) != 0
        isLocked = row.optionalInteger(5) != nil
        membersCount = row.integer(6)
        isArchived = row.optionalInteger(7) != nil
    }
}

extension Membership {
    init(row: any SQLRow) throws {
        community = CommunityID(rawValue: row.integer(0))
        role = try row.choice(1)
        isInHome = row.integer(2) != 0
    }
}
