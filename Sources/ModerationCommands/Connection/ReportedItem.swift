import GraphdClient

/// The subject of a report, with its author and its community.
struct ReportedItem: Sendable {
    enum Subject: Sendable, Equatable {
        case post(String)
        case comment(String)
        case user(String)
        case other
    }

    let reportID: String
    let subject: Subject
    /// The id and name of the author, or of the reported user.
    var user: (id: String, name: String)?
    var communityID: String?

    /// A reported user whose name is not shown.
    var reportedUser: (id: String, name: String)? {
        if case .user(let id) = subject { (id, "user:\(id)") } else { nil }
    }
}

extension ReportedItem {
    init(_ report: Report) {
        let subject = report.subject
        self.subject =
            if let id = subject.postId {
                .post(id)
            } else if let id = subject.commentId {
                .comment(id)
            } else if let id = subject.userId {
                .user(id)
            } else {
                .other
            }
        reportID = report.reportId
        user = report.user.map { ($0.userId, $0.username) }
        communityID = report.community?.communityId
    }
}

extension ModerationServer {
    func reportedItem(_ report: String) async throws -> ReportedItem {
        try await asking { ReportedItem(try await $0.moderation.getReport(id: report)) }
    }
}
