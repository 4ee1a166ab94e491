import Database
import SocialGraph

extension ReportStore {
    /// The reports that `filter` selects, one row for each subject, status and scope, in the order of their latest
    /// reports, strictly below `cursor`. Rows and counts are of one snapshot. Throws like
    /// ``reports(_:visibleTo:below:limit:)``.
    package func cases(
        _ filter: ReportFilter, visibleTo authority: ModerationAuthority, below cursor: Int64?, limit: Int
    ) async throws -> Page<ReportCase, Int64> {
        try await database.read { reader in
            let stored = Reader(reader)
            let page = try stored.reports(filter, visibleTo: authority, below: cursor, limit: limit, onlyLatest: true)
            let latest = try stored.explained(page.items)
            return Page(items: try stored.completed(latest.map(ReportCase.init(latest:))), next: page.next)
        }
    }

    /// Returns whether `authority` handles at least one of `posts`: it is held, or has an unresolved report.
    package func areHandled(anyOf posts: [PostID], by authority: ModerationAuthority) async throws -> Bool {
        let queries = posts.flatMap { post in
            [Self.heldPlaceQuery, Self.reportedPlaceQuery, Self.reportedToSiteQuery].map { SQLQuery($0, [.post(post)]) }
        }
        let places = try await database.read { reader in
            try reader.rows(of: queries) { $0.optionalInteger(0).map(CommunityID.init(rawValue:)) }
        }
        return places.joined().contains { authority.may(.claimReport, in: $0) }
    }

    static let heldPlaceQuery = """
        SELECT community_id FROM post WHERE id = ?1 AND held_at IS NOT NULL AND deleted_at IS NULL
        """
    static let reportedPlaceQuery = """
        SELECT p.community_id FROM post p WHERE p.id = ?1 AND p.deleted_at IS NULL AND EXISTS (\(unresolvedReport)
            AND COALESCE(r.community_id, 0) = COALESCE(p.community_id, 0))
        """
    static let reportedToSiteQuery = """
        SELECT NULL FROM post p WHERE p.id = ?1 AND p.deleted_at IS NULL AND EXISTS (\(unresolvedReport)
            AND r.community_id IS NULL)
        """
    private static let unresolvedReport = """
        SELECT 1 FROM report r WHERE r.subject_kind = \(ModerationSubjectKind.post.literal) AND r.subject_id = p.id
            AND r.status <> \(ReportStatus.resolved.literal)
        """
}

extension ReportStore.Reader {
    /// A condition: `r` is the latest report of its case.
    static let isLatest = """
        NOT EXISTS (SELECT 1 FROM report l WHERE l.subject_kind = r.subject_kind AND l.subject_id = r.subject_id
            AND l.id > r.id AND l.status = r.status AND COALESCE(l.community_id, 0) = COALESCE(r.community_id, 0))
        """

    /// Adds counts, reasons, reports and media to each case, in one round trip.
    fileprivate func completed(_ cases: [ReportCase]) throws -> [ReportCase] {
        let parts = [Self.caseSizeQuery, Self.caseReasonsQuery, Self.caseReportsQuery, Self.caseMediaQuery]
        let queries = cases.flatMap { reported -> [SQLQuery] in
            let subject = reported.latest.subject
            let key: [SQLValue] = [.text(subject.kind.rawValue), .integer(subject.rawValue)]
            let place: [SQLValue] = [
                .integer(reported.latest.community?.rawValue ?? 0), .text(reported.latest.state.status.rawValue),
            ]
            return parts.dropLast().map { SQLQuery($0, key + place) } + [SQLQuery(Self.caseMediaQuery, key)]
        }
        var (cases, reasons) = (cases, [[String]](repeating: [], count: cases.count))
        try reader.fetch(queries) { index, row in
            let place = index / parts.count
            switch index % parts.count {
            case 0:
                cases[place].reportsCount = row.integer(0)
                cases[place].firstReportedAt = row.optionalInteger(1) ?? 0
            case 1: reasons[place].append(row.text(0))
            case 2: cases[place].reports.append(try Report(row: row))
            default: cases[place].media = ReportedMedia(url: row.text(0), thumbnailURL: row.optionalText(1))
            }
            return true
        }
        for (place, reasons) in reasons.enumerated() {
            cases[place].reasons = ReportCase.Reason.mostFrequent(of: reasons)
        }
        return cases
    }

    private static let inCase =
        "subject_kind = ?1 AND subject_id = ?2 AND COALESCE(community_id, 0) = ?3 AND status = ?4"
    static let caseSizeQuery = "SELECT COUNT(*), MIN(created_at) FROM report WHERE \(inCase)"
    static let caseReasonsQuery = """
        SELECT reason FROM report WHERE \(inCase) ORDER BY id DESC LIMIT \(ReportCase.reasonsRead)
        """
    static let caseReportsQuery = """
        \(ReportStore.reportColumns)
        WHERE r.subject_kind = ?1 AND r.subject_id = ?2 AND COALESCE(r.community_id, 0) = ?3 AND r.status = ?4
        ORDER BY r.id DESC LIMIT \(ReportCase.reportsShown)
        """
    static let caseMediaQuery = """
        SELECT media_url, thumbnail_url FROM post
        WHERE ?1 = \(ModerationSubjectKind.post.literal) AND id = ?2 AND deleted_at IS NULL
        """
}
