import Database
import SocialGraph
import Text

/// Queries about members and banned users of a community, for its moderators.
extension ModerationQueryStore {
    /// The members, the latest first, strictly below the position `cursor`. Suspended users are only listed for the
    /// site's moderators. With `name`, at most `limit` members whose usernames begin with it, by name. Throws
    /// ``ModerationError/notPermitted(_:)`` and ``GraphError/communityNotFound``.
    package func moderatedMembers(
        of community: CommunityID, named name: String? = nil, visibleTo authority: ModerationAuthority,
        below cursor: Int64?, limit: Int
    ) async throws -> Page<ModeratedMember, Int64> {
        try await database.read { reader in
            _ = try ReportStore.Reader(reader).scopes(.banMember, community, of: authority)
            let page: Page<ModeratedMember, Int64>
            let isOfSite = SQLValue.flag(authority.siteRole != nil)
            if let name {
                let rows = try reader.rows(
                    Self.namedMembersQuery, Self.range(of: name, community, limit) + [isOfSite],
                    ModeratedMember.init(row:))
                page = Page(items: rows, next: nil)
            } else {
                let rows = try reader.rows(
                    Self.moderatedMembersQuery,
                    [.community(community), .integer(cursor ?? .max), .integer(Int64(limit + 1)), isOfSite],
                    ModeratedMember.init(row:))
                page = Page(rows: rows, limit: limit, cursor: \.position)
            }
            let counts = try ModlogStore.Reader(reader).strikesCounts(of: page.items.map(\.user), in: community)
            let items = zip(page.items, counts).map { member, strikes in
                var member = member
                member.strikes = strikes
                return member
            }
            return Page(items: items, next: page.next)
        }
    }

    static let moderatedMembersQuery = """
        SELECT m.user_id, a.username, m.role, m.position FROM community_member m JOIN account a ON a.id = m.user_id
        WHERE m.community_id = ?1 AND m.position < ?2 AND (a.suspended_at IS NULL OR ?4 = 1)
        ORDER BY m.position DESC LIMIT ?3
        """
    static let namedMembersQuery = """
        SELECT m.user_id, a.username, m.role, m.position
        FROM account a JOIN community_member m ON m.user_id = a.id AND +m.community_id = ?1
        WHERE a.username_key >= ?2 AND a.username_key < ?3 AND (a.suspended_at IS NULL OR ?5 = 1)
        ORDER BY a.username_key LIMIT ?4
        """

    /// The banned users, the newest account first, strictly below `cursor`. `name` and errors as for members.
    package func bans(
        of community: CommunityID, named name: String? = nil, visibleTo authority: ModerationAuthority,
        below cursor: Int64?, limit: Int
    ) async throws -> Page<BannedMember, Int64> {
        try await database.read { reader in
            _ = try ReportStore.Reader(reader).scopes(.banMember, community, of: authority)
            let page: Page<BannedMember, Int64>
            if let name {
                let rows = try reader.rows(
                    Self.namedBansQuery, Self.range(of: name, community, limit), BannedMember.init(row:))
                page = Page(items: rows, next: nil)
            } else {
                let rows = try reader.rows(
                    Self.bansQuery, [.community(community), .integer(cursor ?? .max), .integer(Int64(limit + 1))],
                    BannedMember.init(row:))
                page = Page(rows: rows, limit: limit) { $0.user.rawValue }
            }
            var items = page.items
            let ids = try reader.first(
                of: items.map { SQLQuery(Self.banEntryQuery, [.user($0.user), .community(community)]) }
            ) { ModlogEntryID(rawValue: $0.integer(0)) }
            let known = items.indices.filter { ids[$0] != nil }
            let entries = try ModlogStore.Reader(reader).modlogEntries(known.compactMap { ids[$0] })
            for (index, entry) in zip(known, entries) { items[index].entry = entry }
            return Page(items: items, next: page.next)
        }
    }

    static let bansQuery = """
        SELECT b.user_id, a.username FROM community_ban b JOIN account a ON a.id = b.user_id
        WHERE b.community_id = ?1 AND b.user_id < ?2 ORDER BY b.user_id DESC LIMIT ?3
        """
    static let namedBansQuery = """
        SELECT b.user_id, a.username
        FROM account a JOIN community_ban b ON b.user_id = a.id AND +b.community_id = ?1
        WHERE a.username_key >= ?2 AND a.username_key < ?3 ORDER BY a.username_key LIMIT ?4
        """
    static let banEntryQuery = """
        SELECT seq FROM moderation_entry
        WHERE subject_kind = \(ModerationSubjectKind.user.literal) AND subject_id = ?1 AND +community_id = ?2
            AND action = \(ModerationAction.banMember.literal)
        ORDER BY seq DESC LIMIT 1
        """

    private static func range(of name: String, _ community: CommunityID, _ limit: Int) -> [SQLValue] {
        let key = NameFolding.key(name)
        return [.community(community), .text(key), .text(key + "\u{10FFFF}"), .integer(Int64(limit))]
    }
}

extension ModeratedMember {
    init(row: any SQLRow) throws {
        user = UserID(rawValue: row.integer(0))
        username = row.text(1)
        role = try row.choice(2)
        position = row.integer(3)
    }
}

extension BannedMember {
    init(row: any SQLRow) {
        user = UserID(rawValue: row.integer(0))
        username = row.text(1)
    }
}
