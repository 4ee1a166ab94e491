import Database
import SocialGraph
import Text

/// Queries about users, for moderators.
package struct ModerationQueryStore: Sendable {
    /// Maximum number of entries of the modlog on a user's card.
    static let entriesOnUserCard = 20

    let database: any GraphDatabase
    let screeningState: ScreeningState

    /// Queries on one snapshot.
    package struct Reader {
        let reader: any SQLReader
        package init(_ reader: any SQLReader) { self.reader = reader }
    }
}

extension ModerationQueryStore {
    /// At most `limit` users, for moderators of the site: first those whose username is, or begins with, `text`,
    /// including suspended ones, then results of the search.
    package func moderatedUsers(matching text: String, limit: Int) async throws -> [ModeratedUser] {
        try await database.read { reader in
            let key = NameFolding.key(text)
            var found = try reader.rows(
                Self.usernamesQuery, [.text(key), .text(key + "\u{10FFFF}"), .integer(Int64(limit))],
                ModeratedUser.init(row:))
            if found.count < limit, let query = TextQuery(.profiles, SearchWords(text)) {
                let known = Set(found.map(\.id))
                let others = try AccountStore.Reader(reader).mostFollowed(query, limit: limit).filter {
                    !known.contains($0)
                }
                let queries = others.prefix(limit - found.count).map(Reader.moderatedUserQuery)
                found += try reader.first(of: queries, ModeratedUser.init(row:)).compactMap(\.self)
            }
            return found
        }
    }

    /// A user; nil if there is none with that name.
    package func moderatedUser(username: String) async throws -> ModeratedUser? {
        try await database.read { reader in
            try reader.first(
                "\(Self.moderatedUserColumns) WHERE username_key = ?1 AND deleted_at IS NULL",
                [.text(NameFolding.key(username))], ModeratedUser.init(row:))
        }
    }

    /// The information about `user` for moderators of `community`, or (nil) of the site. Only the site's moderators see
    /// that a user is silenced or suspended. Throws ``ModerationError/notPermitted(_:)``,
    /// ``ModerationError/neverMember(_:)``, ``GraphError/accountNotFound`` and ``GraphError/communityNotFound``.
    package func moderatedUserCard(
        of user: UserID, in community: CommunityID?, visibleTo authority: ModerationAuthority
    ) async throws -> ModeratedUserCard {
        try await database.read { reader in
            _ = try ReportStore.Reader(reader).scopes(.warnUser, community, of: authority)
            guard community != nil || authority.siteRole != nil else { throw ModerationError.notPermitted(.warnUser) }
            guard var found = try Reader(reader).moderatedUser(user) else { throw GraphError.accountNotFound }
            if authority.siteRole == nil {
                guard found.suspendedAt == nil else { throw GraphError.accountNotFound }
                guard let community, try ModerationStore.Reader(reader).isParticipant(user, in: community) else {
                    throw ModerationError.neverMember(user)
                }
                found.silencedAt = nil
            }
            var filter = ModlogFilter()
            filter.user = user
            filter.community = community
            let ties = try reader.rows(
                of: CommunityTie.queries.map { SQLQuery($0, [.user(user)]) }, CommunityTie.init(row:)
            ).flatMap(\.self)
            return ModeratedUserCard(
                user: found, strikes: try ModlogStore.Reader(reader).strikes(of: user, in: community),
                reportsOpen: try Reader(reader).reports(
                    of: user, in: community, " AND status <> \(ReportStatus.resolved.literal)"),
                reportsTotal: try Reader(reader).reports(of: user, in: community, ""),
                entries: try ModlogStore.Reader(reader).entries(
                    filter, below: .max, limit: Self.entriesOnUserCard
                ).map { $0.asSeen(by: authority) },
                communities: ties.filter { community == nil || $0.community == community })
        }
    }

    static let moderatedUserColumns = """
        SELECT id, username, display_name, created_at, site_role, silenced_at, suspended_at, posts_count,
            followers_count
        FROM account
        """
    static let usernamesQuery = """
        \(moderatedUserColumns) WHERE username_key >= ?1 AND username_key < ?2 AND deleted_at IS NULL
        ORDER BY username_key LIMIT ?3
        """
}

extension ModerationQueryStore.Reader {
    func moderatedUser(_ user: UserID) throws -> ModeratedUser? {
        try reader.first(of: [Self.moderatedUserQuery(user)], ModeratedUser.init(row:))[0]
    }

    fileprivate static func moderatedUserQuery(_ user: UserID) -> SQLQuery {
        SQLQuery(moderatedUserQuery, [.user(user)])
    }

    private static let moderatedUserQuery =
        "\(ModerationQueryStore.moderatedUserColumns) WHERE id = ?1 AND deleted_at IS NULL"

    fileprivate func reports(of user: UserID, in community: CommunityID?, _ condition: String) throws -> Int64 {
        let isHere = community == nil ? "" : " AND +community_id = ?2"
        return try reader.first(
            "SELECT COUNT(*) FROM report WHERE user_id = ?1\(isHere)\(condition)",
            [.user(user)] + (community.map { [.community($0)] } ?? [])
        ) { $0.integer(0) } ?? 0
    }
}

extension ModeratedUser {
    init(row: any SQLRow) throws {
        id = UserID(rawValue: row.integer(0))
        username = row.text(1)
        displayName = row.text(2)
        createdAt = row.integer(3)
        siteRole = try row.optionalChoice(4)
        silencedAt = row.optionalInteger(5)
        suspendedAt = row.optionalInteger(6)
        postsCount = row.integer(7)
        followersCount = row.integer(8)
    }
}
