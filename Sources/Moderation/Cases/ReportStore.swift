import Database
import SocialGraph

/// Reports, for moderators.
package struct ReportStore: Sendable {
    let database: any GraphDatabase

    /// Queries on one snapshot.
    package struct Reader {
        let reader: any SQLReader
        package init(_ reader: any SQLReader) { self.reader = reader }
    }
}

extension ReportStore {
    /// The reports visible to `authority`: those of its communities, or all of them for the site's moderators. The
    /// latest first, strictly below `cursor`. Throws ``ModerationError/notPermitted(_:)`` for a user who moderates no
    /// community, and ``GraphError/communityNotFound``.
    package func reports(
        _ filter: ReportFilter, visibleTo authority: ModerationAuthority, below cursor: Int64?, limit: Int
    ) async throws -> Page<Report, Int64> {
        try await database.read { reader in
            let page = try Reader(reader).reports(filter, visibleTo: authority, below: cursor, limit: limit)
            return Page(items: try Reader(reader).explained(page.items), next: page.next)
        }
    }

    /// A report. Throws ``ModerationError/reportNotFound``, also for a report outside the scope of `authority`.
    package func report(_ id: ReportID, visibleTo authority: ModerationAuthority) async throws -> Report {
        try await database.read { reader in
            let report = try reader.first(Self.reportQuery, [.integer(id.rawValue)], Report.init(row:))
            guard let report, authority.may(.claimReport, in: report.community) else {
                throw ModerationError.reportNotFound
            }
            return try Reader(reader).explained([report])[0]
        }
    }

    /// The reports filed by `user`, the latest first, strictly below `cursor`.
    package func ownReports(of user: UserID, below cursor: Int64?, limit: Int) async throws -> Page<Report, Int64> {
        try await database.read { reader in
            let rows = try reader.rows(
                "\(Self.reportColumns) WHERE r.reporter_id = ?1 AND r.id < ?2 ORDER BY r.id DESC LIMIT ?3",
                [.user(user), .integer(cursor ?? .max), .integer(Int64(limit + 1))], Report.init(row:))
            return Page(rows: rows, limit: limit) { $0.id.rawValue }
        }
    }

    static let reportColumns = """
        SELECT r.id, r.reporter_id, a.username, r.subject_kind, r.subject_id, r.community_id, c.name, r.user_id,
            u.username, r.reason, r.note, r.created_at, r.status, r.claimed_by, r.resolution, r.resolved_by,
            r.resolved_at, m.username
        FROM report r LEFT JOIN account a ON a.id = r.reporter_id LEFT JOIN community c ON c.id = r.community_id
            LEFT JOIN account u ON u.id = r.user_id LEFT JOIN account m ON m.id = r.claimed_by
        """
    static let reportQuery = "\(reportColumns) WHERE r.id = ?1"
}

extension ReportStore.Reader {
    /// Returns the communities open to `authority`: one, those it moderates, or (nil) all.
    func scopes(
        _ action: ModerationAction, _ community: CommunityID?, of authority: ModerationAuthority
    ) throws -> [CommunityID?] {
        if let community {
            _ = try CommunityStore.Reader(reader).community(community)
            guard authority.may(action, in: community) else { throw ModerationError.notPermitted(action) }
            return [community]
        }
        if authority.may(action, in: nil) { return [nil] }
        let own = authority.communities.keys.filter { authority.may(action, in: $0) }
        guard !own.isEmpty else { throw ModerationError.notPermitted(action) }
        return own.sorted { $0.rawValue < $1.rawValue }
    }

    /// A page of reports as they are stored, in two round trips: each community and status may fill the page, so ids
    /// are read first. `onlyLatest` selects the latest report of each case.
    func reports(
        _ filter: ReportFilter, visibleTo authority: ModerationAuthority, below cursor: Int64?, limit: Int,
        onlyLatest: Bool = false
    ) throws -> Page<Report, Int64> {
        let scopes = try scopes(.claimReport, filter.community, of: authority)
        let queries = (filter.status.map { [$0] } ?? ReportStatus.allCases).flatMap { status in
            scopes.map {
                Self.idsQuery(
                    filter, status, in: $0, below: cursor ?? .max, limit: limit + 1, onlyLatest: onlyLatest)
            }
        }
        let ids = try reader.rows(of: queries) { $0.integer(0) }.joined().sorted(by: >)
        let page = Page(rows: ids, limit: limit) { $0 }
        let reports = try reader.first(
            of: page.items.map { SQLQuery(ReportStore.reportQuery, [.integer($0)]) }, Report.init(row:))
        return Page(items: reports.compactMap(\.self), next: page.next)
    }

    private static func idsQuery(
        _ filter: ReportFilter, _ status: ReportStatus, in community: CommunityID?, below bound: Int64, limit: Int,
        onlyLatest: Bool
    ) -> SQLQuery {
        var arguments: [SQLValue] = [.integer(bound), .integer(Int64(limit)), .text(status.rawValue)]
        // The plus, and the concatenated empty text, exclude other indexes: SQLite must use the index of the first
        // condition.
        let isNarrow = filter.subject != nil || filter.user != nil
        var conditions = [isNarrow ? "r.status || '' = ?3" : "r.status = ?3"]
        if let subject = filter.subject {
            arguments += [.text(subject.kind.rawValue), .integer(subject.rawValue)]
            conditions.append("r.subject_kind = ?4 AND r.subject_id = ?5")
        }
        if let user = filter.user {
            arguments.append(.user(user))
            conditions.append("\(filter.subject == nil ? "" : "+")r.user_id = ?\(arguments.count)")
        }
        if let community {
            arguments.append(.community(community))
            conditions.append("\(isNarrow ? "+" : "")r.community_id = ?\(arguments.count)")
        }
        if onlyLatest { conditions.append(isLatest) }
        if let kind = filter.kind {
            arguments.append(.text(kind.rawValue))
            conditions.append("r.subject_kind || '' = ?\(arguments.count)")
        }
        return SQLQuery(
            """
            SELECT r.id FROM report r WHERE \(conditions.joined(separator: " AND ")) AND r.id < ?1
            ORDER BY r.id DESC LIMIT ?2
            """, arguments)
    }

    /// Adds the current state of the subject to each report, in one round trip.
    func explained(_ reports: [Report]) throws -> [Report] {
        var asked: [(index: Int, isExcerpt: Bool)] = []
        var queries: [SQLQuery] = []
        for (index, report) in reports.enumerated() {
            let subject = report.subject
            asked.append((index, false))
            queries.append(
                SQLQuery(
                    Self.openReportsOfQuery,
                    [
                        .text(subject.kind.rawValue), .integer(subject.rawValue),
                        .integer(report.community?.rawValue ?? 0),
                    ]))
            guard let query = Self.excerptQueries[subject.kind] else { continue }
            asked.append((index, true))
            queries.append(SQLQuery(query, [.integer(subject.rawValue)]))
        }
        var reports = reports
        try reader.fetch(queries) { place, row in
            if asked[place].isExcerpt {
                reports[asked[place].index].excerpt = Self.excerpt(of: [row.text(0), row.text(1)])
            } else {
                reports[asked[place].index].openReports = row.integer(0)
            }
            return false
        }
        return reports
    }

    static let openReportsOfQuery = """
        SELECT COUNT(*) FROM report
        WHERE subject_kind = ?1 AND subject_id = ?2 AND status <> \(ReportStatus.resolved.literal)
            AND COALESCE(community_id, 0) = ?3
        """

    /// Returns the beginning of the texts of a subject.
    private static func excerpt(of parts: [String]) -> String {
        let text = parts.filter { !$0.isEmpty }.joined(separator: ": ")
        var excerpt = String.UnicodeScalarView()
        excerpt.append(contentsOf: text.unicodeScalars.prefix(Report.excerptLength))
        return String(excerpt)
    }

    static let excerptQueries: [ModerationSubjectKind: String] = [
        .post: "SELECT caption, '' FROM post WHERE id = ?1 AND deleted_at IS NULL",
        .comment: "SELECT content, '' FROM comment WHERE id = ?1 AND deleted_at IS NULL",
        .user: "SELECT display_name, bio FROM account WHERE id = ?1 AND deleted_at IS NULL",
        .community: "SELECT name, description FROM community WHERE id = ?1",
    ]
}

extension Report {
    init(row: any SQLRow) throws {
        func user(_ column: Int) -> UserID? { row.optionalInteger(column).map(UserID.init(rawValue:)) }
        id = ReportID(rawValue: row.integer(0))
        reporter = user(1)
        reporterName = row.optionalText(2)
        subject = ModerationSubject(try row.choice(3), row.integer(4))
        community = row.optionalInteger(5).map(CommunityID.init(rawValue:))
        communityName = row.optionalText(6)
        self.user = user(7)
        username = row.optionalText(8)
        reason = row.text(9)
        note = row.text(10)
        createdAt = row.integer(11)
        state = try ReportState(row: row, at: 12)
        claimedByName = row.optionalText(17)
    }
}
