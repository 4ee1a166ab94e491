import Database
import SocialGraph
import Text

/// Queries about communities, for their moderators.
extension ModerationQueryStore {
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
            Page(items: try Reader(reader).summaries(of: page.items, authority), next: page.next)
        }
    }

    private func ownCommunities(
        _ authority: ModerationAuthority, matching text: String?, below cursor: Int64?, limit: Int
    ) async throws -> Page<Community, Int64> {
        let wanted = text.map(NameFolding.key) ?? ""
        let own = authority.communities.keys.filter { $0.rawValue < cursor ?? .max }
        return try await database.read { reader in
            let found = try CommunityStore.Reader(reader).communities(own.sorted { $0.rawValue > $1.rawValue })
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
                summary: try Reader(reader).summaries(
                    of: [try CommunityStore.Reader(reader).community(id)], authority)[0],
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
            let groups = [Self.openReportQueries, Self.openAppealQueries, Self.heldQueries]
            var sums = try Reader(reader).sums(groups, [[]])[0]
            return (sums.removeFirst(), sums.removeFirst(), sums.removeFirst())
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

extension ModerationQueryStore.Reader {
    fileprivate func moderators(inOrder community: CommunityID) throws -> [ModeratedMember] {
        let queries = [CommunityRole.owner, .moderator].map { role in
            SQLQuery(Self.orderedModeratorsQuery, [.community(community), .text(role.rawValue)])
        }
        let found = try reader.rows(of: queries) { row in
            (member: try ModeratedMember(row: row), promotedAt: row.optionalInteger(4) ?? .max)
        }
        return found.joined().sorted { one, other in
            one.member.role != other.member.role
                ? one.member.role == .owner : one.promotedAt < other.promotedAt
        }.map(\.member)
    }

    static let orderedModeratorsQuery = """
        SELECT m.user_id, a.username, m.role, m.position, m.promoted_at
        FROM community_member m JOIN account a ON a.id = m.user_id WHERE m.community_id = ?1 AND m.role = ?2
        """

    fileprivate func summaries(
        of communities: [Community], _ authority: ModerationAuthority
    ) throws -> [ModeratedCommunity] {
        let counts = try sums(
            [Self.openReportsInQueries, Self.heldInQueries], communities.map { [.community($0.id)] })
        return zip(communities, counts).map { community, counts in
            ModeratedCommunity(
                community: community, role: authority.communities[community.id], openReports: counts[0],
                held: counts[1])
        }
    }

    /// For each of `arguments` the sums of the counts of each of `groups`, in one round trip.
    fileprivate func sums(_ groups: [[String]], _ arguments: [[SQLValue]]) throws -> [[Int64]] {
        let asked = arguments.indices.flatMap { index in
            groups.indices.flatMap { group in groups[group].map { (index: index, group: group, sql: $0) } }
        }
        var sums = [[Int64]](repeating: [Int64](repeating: 0, count: groups.count), count: arguments.count)
        try reader.fetch(asked.map { SQLQuery($0.sql, arguments[$0.index]) }) { place, row in
            sums[asked[place].index][asked[place].group] += row.integer(0)
            return false
        }
        return sums
    }

    static let openReportsInQueries = [ReportStatus.open, .claimed].map {
        "SELECT COUNT(*) FROM report WHERE community_id = ?1 AND status = \($0.literal)"
    }
    static let heldInQueries = [
        """
        SELECT COUNT(*) FROM post WHERE community_id = ?1 AND held_at IS NOT NULL AND removed_at IS NULL
            AND taken_down_at IS NULL AND deleted_at IS NULL
        """,
        "SELECT COUNT(*) FROM held_comment WHERE community_id = ?1",
    ]
}
