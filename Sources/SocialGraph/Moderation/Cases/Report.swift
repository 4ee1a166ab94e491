package enum ReportStatus: String, Sendable, CaseIterable {
    case open, claimed, resolved
}

/// What a user has reported.
package struct Report: Sendable, Equatable {
    package let id: ReportID
    package let reporter: UserID
    package let reporterName: String
    package let subject: ModerationSubject
    package let community: CommunityID?
    package let communityName: String?
    /// Whom it concerns.
    package let user: UserID?
    package let username: String?
    package let reason: String
    package let note: String
    package let createdAt: Int64
    package let status: ReportStatus
    package let claimedBy: UserID?
    package let claimedByName: String?
    package let resolution: ReportResolution?
    package let resolvedBy: UserID?
    package let resolvedAt: Int64?
    /// The beginning of what is reported, as it is now; empty: gone.
    package let excerpt: String
    /// Open reports of the same subject.
    package let openReports: Int64
}
