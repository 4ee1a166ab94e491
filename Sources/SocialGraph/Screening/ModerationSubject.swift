import Database

/// The subject of a moderation action.
package enum ModerationSubject: Hashable, Sendable {
    case post(PostID)
    case comment(CommentID)
    case user(UserID)
    case community(CommunityID)
    case report(ReportID)
    case appeal(AppealID)

    package var kind: ModerationSubjectKind {
        switch self {
        case .post: .post
        case .comment: .comment
        case .user: .user
        case .community: .community
        case .report: .report
        case .appeal: .appeal
        }
    }

    package var rawValue: Int64 {
        switch self {
        case .post(let id): id.rawValue
        case .comment(let id): id.rawValue
        case .user(let id): id.rawValue
        case .community(let id): id.rawValue
        case .report(let id): id.rawValue
        case .appeal(let id): id.rawValue
        }
    }

    package init(_ kind: ModerationSubjectKind, _ id: Int64) {
        self =
            switch kind {
            case .post: .post(PostID(rawValue: id))
            case .comment: .comment(CommentID(rawValue: id))
            case .user: .user(UserID(rawValue: id))
            case .community: .community(CommunityID(rawValue: id))
            case .report: .report(ReportID(rawValue: id))
            case .appeal: .appeal(AppealID(rawValue: id))
            }
    }
}

/// The kind of a moderation action's subject.
package enum ModerationSubjectKind: String, Sendable, CaseIterable {
    case post, comment, user, community, report, appeal
}
