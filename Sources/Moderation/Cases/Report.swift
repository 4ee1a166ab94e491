import SocialGraph

package enum ReportStatus: String, Sendable, CaseIterable {
    case open, claimed, resolved
}

/// A report about a post, a comment, a user or a community.
package struct Report: Sendable, Equatable {
    static let excerptLength = 200

    package let id: ReportID
    /// The reporting user; nil if graphd itself reports, for a rule or a classifier.
    package let reporter: UserID?
    package let reporterName: String?
    package let subject: ModerationSubject
    package let community: CommunityID?
    package let communityName: String?
    /// The affected user.
    package let user: UserID?
    package let username: String?
    package let reason: String
    package let note: String
    package let createdAt: Int64
    package let state: ReportState
    package let claimedByName: String?
    /// The beginning of the reported content, in its current version; empty if it is gone.
    package internal(set) var excerpt = ""
    /// The number of unresolved reports about the same subject.
    package internal(set) var openReports: Int64 = 0
}

/// A filter for reports. All conditions must hold.
package struct ReportFilter: Sendable, Equatable {
    package var community: CommunityID?
    /// The affected user; nil matches every user.
    package var user: UserID?
    package var kind: ModerationSubjectKind?
    package var subject: ModerationSubject?
    /// The status; nil matches every status.
    package var status: ReportStatus?

    package init() {}
}

/// The result of filing a report.
package struct FiledReport: Sendable, Equatable {
    package let id: ReportID
    package let status: ReportStatus
    /// False if the reporter already has an unresolved report about the same subject, which is returned instead.
    package let isNew: Bool
}
