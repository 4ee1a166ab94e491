import Database
import GraphAPI
import GraphHTTP
import GraphServices
import Hummingbird
import Moderation
import SocialGraph
import Timeline

/// Reports: filed by any user, on anything they can see; handled by moderators.
struct ReportRoutes: Sendable {
    let graph: GraphStore
    let timelines: Timelines
    let publicURL: @Sendable (String) -> String

    /// `POST /v1/reports` {postId | commentId | userId | communityId, reason, note?} → 201 {reportId, status}; 200
    /// while an earlier one on the same subject is not resolved
    @Sendable func file(_ request: Request, _ context: GraphRequestContext) async throws -> Response {
        try request.refuseQuery()
        let caller = try context.requireCaller()
        var body = try StrictObject(await request.bodyBytes())
        let subject = try body.subject(of: [.post, .comment, .user, .community])
        let reason = try body.string("reason", maxLength: ModerationLimits.moderationReasonLength)
        let note = try body.optionalText("note", maxLength: ModerationLimits.moderationNoteLength)
        try body.end()
        guard try await isShown(subject, to: caller) else { throw ModerationError.subjectNotFound(subject) }
        return try await context.creating {
            try await graph.reports.report(subject, by: caller, reason: reason, note: note ?? "")
        } answer: { report in
            .json(report.isNew ? .created : .ok) { $0.filedReport(report) }
        }
    }

    private func isShown(_ subject: ModerationSubject, to viewer: UserID) async throws -> Bool {
        switch subject {
        case .post(let post): return try await timelines.posts.post(post, for: viewer) != nil
        case .comment(let id):
            guard let comment = try await graph.comments.comment(id) else { return false }
            return try await timelines.conversations.isShown(comment, to: viewer)
        // A user who has blocked the reporter can still be reported.
        case .user(let user): return try await graph.blocksAndMutes.shownAccount(user, to: nil) != nil
        // The existence of a private community is no secret.
        case .community: return true
        case .report, .appeal: return false
        }
    }

    /// `GET /v1/moderation/reports`, the latest first; filtered by `communityId`, `status` (open, claimed, resolved or
    /// all; default open), `userId`, `kind` and, with a kind, `subjectId`
    @Sendable func reports(_ request: Request, _ context: GraphRequestContext) async throws -> Response {
        var query = try QueryParameters(request.uri.query)
        let (limit, cursor) = (try query.limit(), try query.cursor())
        let filter = try Self.filter(&query)
        try query.end()
        let authority = try await graph.moderation.authority(of: context.requireCaller())
        let page = try await graph.reports.reports(filter, visibleTo: authority, below: cursor, limit: limit)
        return .json(reservingCapacity: 512 * page.items.count + 64) { json in
            json.page(page.items, next: page.next) { $0.report($1) }
        }
    }

    /// `GET /v1/moderation/cases`: the same reports with the same filters, one item for each subject, status and scope,
    /// in the order of their latest reports
    @Sendable func cases(_ request: Request, _ context: GraphRequestContext) async throws -> Response {
        var query = try QueryParameters(request.uri.query)
        let (limit, cursor) = (try query.limit(), try query.cursor())
        let filter = try Self.filter(&query)
        try query.end()
        let authority = try await graph.moderation.authority(of: context.requireCaller())
        let page = try await graph.reports.cases(filter, visibleTo: authority, below: cursor, limit: limit)
        return .json(reservingCapacity: 1_024 * page.items.count + 64) { json in
            json.page(page.items, next: page.next) { $0.reportCase($1, publicURL) }
        }
    }

    private static func filter(_ query: inout QueryParameters) throws -> ReportFilter {
        var filter = ReportFilter()
        filter.community = try query.id("communityId").map(CommunityID.init(rawValue:))
        filter.user = try query.id("userId").map(UserID.init(rawValue:))
        filter.kind = try query.optionalChoice("kind", of: ReportedKind.self)?.kind
        filter.status = try query.choice("status", default: StatusChoice.open).status
        if let id = try query.id("subjectId") {
            guard let kind = filter.kind else {
                throw Problem(.invalidParameter, "subjectId needs the parameter kind.", field: "subjectId")
            }
            filter.subject = ModerationSubject(kind, id)
        }
        return filter
    }

    private enum StatusChoice: String, CaseIterable {
        case open, claimed, resolved, all
        var status: ReportStatus? { ReportStatus(rawValue: rawValue) }
    }

    private enum ReportedKind: String, CaseIterable {
        case post, comment, user, community
        var kind: ModerationSubjectKind? { ModerationSubjectKind(rawValue: rawValue) }
    }

    /// `GET /v1/moderation/reports/{id}`
    @Sendable func report(_ request: Request, _ context: GraphRequestContext) async throws -> Response {
        try request.refuseQuery()
        let authority = try await graph.moderation.authority(of: context.requireCaller())
        guard authority.isModerating else { throw ModerationError.notPermitted(.claimReport) }
        guard let id = context.parameters.get("id").flatMap({ TextRules.parseID($0) }) else {
            throw ModerationError.reportNotFound
        }
        let report = try await graph.reports.report(ReportID(rawValue: id), visibleTo: authority)
        return .json { $0.report(report) }
    }
}
