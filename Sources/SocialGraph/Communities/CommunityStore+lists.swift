import Database
import Text

extension CommunityStore {
    static let communityColumns = """
        SELECT id, name, description, created_at, is_private, locked_at, members_count, archived_at FROM community
        """

    /// All communities, the latest first, strictly below `cursor`.
    package func communities(below cursor: Int64?, limit: Int) async throws -> Page<Community, Int64> {
        try await database.read { reader in
            let rows = try reader.rows(
                "\(Self.communityColumns) WHERE id < ?1 ORDER BY id DESC LIMIT ?2",
                [.integer(cursor ?? .max), .integer(Int64(limit + 1))], Community.init(row:))
            return Page(rows: rows, limit: limit) { $0.id.rawValue }
        }
    }

    /// Communities whose name has all words of `text`, the last one as a prefix; the latest first, strictly below
    /// `cursor`. Letter case, diacritics and compatible spellings of Unicode make no difference.
    package func communities(
        matching text: String, below cursor: Int64?, limit: Int
    ) async throws -> Page<Community, Int64> {
        guard let query = TextQuery(.communities, SearchWords(text)) else { return Page(items: [], next: nil) }
        return try await database.read { reader in
            let found = try reader.text.matches(query, below: cursor ?? .max, limit: limit + 1)
            let communities = try Reader(reader).communities(found.map(CommunityID.init(rawValue:)))
            return Page(rows: communities, limit: limit) { $0.id.rawValue }
        }
    }

    /// The communities that `user` is in, the last joined first.
    package func communities(of user: UserID) async throws -> [(community: Community, membership: Membership)] {
        try await database.read { reader in
            let memberships = try reader.rows(Self.membershipsQuery, [.user(user)], Membership.init(row:))
            return Array(zip(try Reader(reader).communities(memberships.map(\.community)), memberships))
        }
    }

    package func memberships(of user: UserID) async throws -> [CommunityID: Membership] {
        try await database.read { reader in
            let all = try reader.rows(Self.membershipsQuery, [.user(user)], Membership.init(row:))
            return Dictionary(all.map { ($0.community, $0) }) { first, _ in first }
        }
    }

    static let membershipsQuery = """
        SELECT community_id, role, in_home FROM community_member WHERE user_id = ?1 ORDER BY position DESC
        """

    /// Members whom `viewer` sees in lists, the latest first, strictly below the place `cursor`; nil: those whom
    /// everybody sees.
    package func members(
        of community: CommunityID, for viewer: UserID? = nil, below cursor: Int64?, limit: Int
    ) async throws -> Page<CommunityMember, Int64> {
        try await database.read { reader in
            let rows = try reader.rows(
                Self.membersQuery,
                [.community(community), .integer(cursor ?? .max), .integer(Int64(limit + 1)), .optional(viewer)],
                CommunityMember.init(row:))
            return Page(rows: rows, limit: limit, cursor: \.position)
        }
    }

    static let membersQuery = """
        SELECT m.user_id, a.username, m.role, m.position FROM community_member m JOIN account a ON a.id = m.user_id
        WHERE m.community_id = ?1 AND m.position < ?2 AND \(BlockAndMuteStore.listed("a", to: "?4"))
        ORDER BY m.position DESC LIMIT ?3
        """

    /// The owner and the moderators whom `viewer` sees in lists (nil: those whom everybody sees), by seniority; at most
    /// `limit`.
    package func moderators(
        of community: CommunityID, for viewer: UserID? = nil, limit: Int
    ) async throws -> [CommunityMember] {
        try await database.read { reader in
            let queries = [CommunityRole.owner, .moderator].map { role in
                SQLQuery(
                    Self.moderatorsQuery,
                    [.community(community), .text(role.rawValue), .integer(Int64(limit)), .optional(viewer)])
            }
            return Array(try reader.rows(of: queries, CommunityMember.init(row:)).joined().prefix(limit))
        }
    }

    static let moderatorsQuery = """
        SELECT m.user_id, a.username, m.role, m.position FROM community_member m JOIN account a ON a.id = m.user_id
        WHERE m.community_id = ?1 AND m.role = ?2 AND \(BlockAndMuteStore.listed("a", to: "?4"))
        ORDER BY m.promoted_at LIMIT ?3
        """
}

extension CommunityStore {
    /// The ids of the members, the latest first, and of the owner and the moderators, by seniority, whom `viewer` sees
    /// in each of `communities`: at most `limit` members, and `limit` of each role. Nobody of a private community that
    /// `viewer` is not in.
    package func people(
        of communities: [Community], for viewer: UserID, limit: Int
    ) async throws -> [(members: [UserID], moderators: [UserID])] {
        try await database.read { reader in
            let own = Set(
                communities.contains(where: \.isPrivate)
                    ? try reader.rows(Self.membershipsQuery, [.user(viewer)], Membership.init(row:)).map(\.community)
                    : [])
            let shown = communities.filter { !$0.isPrivate || own.contains($0.id) }.map(\.id)
            let found = try reader.rows(of: shown.flatMap { Self.peopleQueries(of: $0, for: viewer, limit: limit) }) {
                UserID(rawValue: $0.integer(0))
            }
            let people = shown.indices.map {
                (members: found[3 * $0], moderators: found[3 * $0 + 1] + found[3 * $0 + 2])
            }
            let byCommunity = Dictionary(zip(shown, people)) { first, _ in first }
            return communities.map { byCommunity[$0.id] ?? ([], []) }
        }
    }

    private static func peopleQueries(of community: CommunityID, for viewer: UserID, limit: Int) -> [SQLQuery] {
        [
            SQLQuery(
                membersQuery, [.community(community), .integer(.max), .integer(Int64(limit)), .optional(viewer)])
        ]
            + [CommunityRole.owner, .moderator].map { role in
                SQLQuery(
                    moderatorsQuery,
                    [.community(community), .text(role.rawValue), .integer(Int64(limit)), .optional(viewer)])
            }
    }
}

extension CommunityMember {
    init(row: any SQLRow) throws {
        user = UserID(rawValue: row.integer(0))
        username = row.text(1)
        role = try row.choice(2)
        position = row.integer(3)
    }
}
