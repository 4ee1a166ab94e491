import SocialGraph

package enum ReportStatus: String, Sendable, CaseIterable {
    case open, claimed, resolved
}

/// What somebody has reported.
package struct Report: Sendable, Equatable {
    static let excerptLength = 200

    package let id: ReportID
    /// Nil: graphd itself, for a rule or a classifier.
    package let reporter: UserID?
    package let reporterName: String?
    package let subject: ModerationSubject
    package let community: CommunityID?
    package let communityName: String?
    /// Whom it concerns.
    package let user: UserID?
    package let username: String?
    package let reason: String
    package let note: String
    package let createdAt: Int64
    package let state: ReportState
    package let claimedByName: String?
    /// The beginning of what is reported, as it is now; empty: gone.
    package internal(set) var excerpt = ""
    /// Reports of the same subject that are not resolved.
    package internal(set) var openReports: Int64 = 0
}

/// What reports are asked for: all conditions hold.
package struct ReportFilter: Sendable, Equatable {
    package var community: CommunityID?
    /// Whom they concern.
    package var user: UserID?
    package var kind: ModerationSubjectKind?
    /// Nil: all.
    package var status: ReportStatus?

    package init() {}
}

/// What became of filing a report.
package struct FiledReport: Sendable, Equatable {
    package let id: ReportID
    package let status: ReportStatus
    /// False: the reporter's earlier one of the same subject, which is not resolved yet.
    package let isNew: Bool
}
