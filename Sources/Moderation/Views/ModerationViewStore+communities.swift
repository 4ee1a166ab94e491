import Database
import SocialGraph

/// Queries about communities, for their moderators.
extension ModerationViewStore {
    /// The communities that `authority` moderates, or all of them for the site's moderators, the latest first, strictly
    /// below `cursor`. The name must contain all words of `text`.
    package func moderatedCommunities(
        visibleTo authority: ModerationAuthority, matching text: String?, below cursor: Int64?, limit: Int
    ) async throws -> Page<ModeratedCommunity, Int64> {
        let page: Page<Community, Int64>
        if authority.siteRole == nil {
            page = try await ownCommunities(authority, matching: text, below: cursor, limit: limit)
        } else if let text {
            page = try await GraphStore(database: database).communities.communities(
                matching: text, below: cursor, limit: limit)
        } else {
            page = try await GraphStore(database: database).communities.communities(below: cursor, limit: limit)
        }
        return try await database.read { reader in
            let items = try page.items.map { try Reader(reader).summary(of: $0, authority) }
            return Page(items: items, next: page.next)
        }
    }

    private func ownCommunities(
        _ authority: ModerationAuthority, matching text: String?, below cursor: Int64?, limit: Int
    ) async throws -> Page<Community, Int64> {
        let wanted = text.map(NameFolding.key) ?? ""
        let own = authority.communities.keys.filter { $0.rawValue < cursor ?? .max }
        return try await database.read { reader in
            let found = try own.sorted { $0.rawValue > $1.rawValue }.map {
                try CommunityStore.Reader(reader).community($0)
            }
            let matching = found.filter { wanted.isEmpty || NameFolding.key($0.name).contains(wanted) }
            return Page(rows: Array(matching.prefix(limit + 1)), limit: limit) { $0.id.rawValue }
        }
    }

    /// A community. Throws ``ModerationError/notPermitted(_:)`` and ``GraphError/communityNotFound``.
    package func moderatedCommunity(
        _ id: CommunityID, visibleTo authority: ModerationAuthority
    ) async throws -> ModeratedCommunityCard {
        try await database.read { reader in
            _ = try ReportStore.Reader(reader).scopes(.claimReport, id, of: authority)
            let key: [SQLValue] = [.community(id)]
            func posts(_ query: String) throws -> [PostID] {
                try reader.rows(query, key) { PostID(rawValue: $0.integer(0)) }
            }
            func count(_ query: String) throws -> Int64 { try reader.first(query, key) { $0.integer(0) } ?? 0 }
            return ModeratedCommunityCard(
                summary: try Reader(reader).summary(of: try CommunityStore.Reader(reader).community(id), authority),
                moderators: try Reader(reader).moderators(inOrder: id),
                pins: try posts("SELECT post_id FROM community_pin WHERE community_id = ?1 ORDER BY position"),
                featured: try posts(Self.featuredQuery),
                rules: try count("SELECT COUNT(*) FROM moderation_rule WHERE community_id = ?1"),
                requests: try count("SELECT COUNT(*) FROM community_request WHERE community_id = ?1"))
        }
    }

    static let featuredQuery = """
        SELECT id FROM post
        WHERE community_id = ?1 AND featured_at IS NOT NULL AND deleted_at IS NULL ORDER BY featured_at DESC, id DESC
        LIMIT 100
        """

    /// The numbers of undecided reports and appeals, and of held items, on the whole site.
    package func openCases() async throws -> (reports: Int64, appeals: Int64, held: Int64) {
        try await database.read { reader in
            func sum(_ queries: [String]) throws -> Int64 {
                try queries.reduce(0) { try $0 + (reader.first($1, []) { $0.integer(0) } ?? 0) }
            }
            return (try sum(Self.openReportQueries), try sum(Self.openAppealQueries), try sum(Self.heldQueries))
        }
    }

    static let openReportQueries = [ReportStatus.open, .claimed].map {
        "SELECT COUNT(*) FROM report WHERE status = \($0.literal)"
    }
    static let openAppealQueries = ["SELECT COUNT(*) FROM appeal WHERE status = \(AppealStatus.open.literal)"]
    static let heldQueries = ["post", "comment"].map {
        """
        SELECT COUNT(*) FROM \($0) WHERE id > 0 AND held_at IS NOT NULL AND removed_at IS NULL
            AND taken_down_at IS NULL AND deleted_at IS NULL
        """
    }
}

extension ModerationViewStore.Reader {
    fileprivate func moderators(inOrder community: CommunityID) throws -> [ModeratedMember] {
        let found = try [CommunityRole.owner, .moderator].flatMap { role in
            try reader.rows(Self.orderedModeratorsQuery, [.community(community), .text(role.rawValue)]) { row in
                (member: try ModeratedMember(row: row), promotedAt: row.optionalInteger(4) ?? .max)
            }
        }
        return found.sorted { one, other in
            one.member.role != other.member.role
                ? one.member.role == .owner : one.promotedAt < other.promotedAt
        }.map(\.member)
    }

    static let orderedModeratorsQuery = """
        SELECT m.user_id, a.username, m.role, m.position, m.promoted_at
        FROM community_member m JOIN account a ON a.id = m.user_id WHERE m.community_id = ?1 AND m.role = ?2
        """

    fileprivate func summary(of community: Community, _ authority: ModerationAuthority) throws -> ModeratedCommunity {
        let key: [SQLValue] = [.community(community.id)]
        func sum(_ queries: [String]) throws -> Int64 {
            try queries.reduce(0) { try $0 + (reader.first($1, key) { $0.integer(0) } ?? 0) }
        }
        return ModeratedCommunity(
            community: community, role: authority.communities[community.id],
            openReports: try sum(Self.openReportsInQueries), held: try sum(Self.heldInQueries))
    }

    static let openReportsInQueries = [ReportStatus.open, .claimed].map {
        "SELECT COUNT(*) FROM report WHERE community_id = ?1 AND status = \($0.literal)"
    }
    static let heldInQueries = [
        """
        SELECT COUNT(*) FROM post WHERE community_id = ?1 AND held_at IS NOT NULL AND removed_at IS NULL
            AND taken_down_at IS NULL AND deleted_at IS NULL
        """,
        """
        SELECT COUNT(*) FROM comment h JOIN post p ON p.id = h.post_id
        WHERE h.id > 0 AND h.held_at IS NOT NULL AND h.removed_at IS NULL AND h.taken_down_at IS NULL
            AND h.deleted_at IS NULL AND p.community_id = ?1
        """,
    ]
}
