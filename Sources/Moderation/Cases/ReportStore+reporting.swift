import Database
import SocialGraph

extension ReportStore {
    /// Files a report about a post, a comment, a user or a community. The caller checks that the reporter may see the
    /// subject. Idempotent until the report is resolved. Throws ``ModerationError/subjectNotFound(_:)``,
    /// ``ModerationError/ownAffair`` for a report about oneself or one's own content, and
    /// ``GraphError/limitReached(_:)``.
    package func report(
        _ subject: ModerationSubject, by reporter: UserID, reason: String, note: String = ""
    ) async throws -> FiledReport {
        try await database.write { transaction in
            let place = try Reader(transaction).reportedPlace(subject)
            guard place.user != reporter else { throw ModerationError.ownAffair }
            let key: [SQLValue] = [.user(reporter), .text(subject.kind.rawValue), .integer(subject.rawValue)]
            let earlier = try transaction.first(Self.openReportQuery, key) {
                FiledReport(
                    id: ReportID(rawValue: $0.integer(0)), status: try $0.choice(1), isNew: false)
            }
            if let earlier { return earlier }
            try BlockAndMuteStore.Reader(transaction).requireRoom(
                Self.openReportCount, [.user(reporter)], below: ModerationLimits.openReports, "open reports")
            let id = ReportID(rawValue: try transaction.nextID())
            try transaction.execute(
                """
                INSERT INTO report (id, reporter_id, subject_kind, subject_id, community_id, user_id, reason, note,
                    created_at, status)
                VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9,
                    \(ReportStatus.open.literal))
                """,
                [.integer(id.rawValue)] + key + [
                    place.community.map(SQLValue.community) ?? .null, place.user.map(SQLValue.user) ?? .null,
                    .text(reason), .text(note), .integer(transaction.now),
                ])
            try transaction.record(.reportChanged(id))
            return FiledReport(id: id, status: .open, isNew: true)
        }
    }

    static let openReportQuery = """
        SELECT id, status FROM report
        WHERE reporter_id = ?1 AND subject_kind = ?2 AND subject_id = ?3
            AND status <> \(ReportStatus.resolved.literal)
        """
    static let openReportCount = """
        SELECT COUNT(*) FROM report WHERE reporter_id = ?1 AND status <> \(ReportStatus.resolved.literal)
        """
}

extension ReportStore.Reader {
    /// Returns the community whose moderators see a report about `subject`, and the affected user. Reports about a
    /// user, or about a community as a whole, go to the site's moderators.
    func reportedPlace(_ subject: ModerationSubject) throws -> (community: CommunityID?, user: UserID?) {
        let id: [SQLValue] = [.integer(subject.rawValue)]
        func place(_ query: String) throws -> (community: CommunityID?, user: UserID?) {
            let found = try reader.first(query, id) { row in
                (
                    community: row.optionalInteger(0).map(CommunityID.init(rawValue:)),
                    user: row.optionalInteger(1).map(UserID.init(rawValue:))
                )
            }
            guard let found else { throw ModerationError.subjectNotFound(subject) }
            return found
        }
        switch subject {
        case .post: return try place(ModerationStore.Reader.postTargetQuery)
        case .comment: return try place(ModerationStore.Reader.commentTargetQuery)
        case .user(let user):
            guard try AccountStore.Reader(reader).exists(user) else {
                throw ModerationError.subjectNotFound(subject)
            }
            return (nil, user)
        case .community:
            guard try reader.exists(Self.communityProbe, id) else { throw ModerationError.subjectNotFound(subject) }
            return (nil, nil)
        case .report, .appeal: throw ModerationError.subjectNotFound(subject)
        }
    }

    static let communityProbe = "SELECT 1 FROM community WHERE id = ?1"
}
