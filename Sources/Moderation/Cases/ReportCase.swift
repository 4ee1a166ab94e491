import SocialGraph

/// The reports about one subject that have the same status and belong to the same moderators: one row of their list.
package struct ReportCase: Sendable, Equatable {
    static let reasonsShown = 5
    static let reportsShown = 10

    /// The latest report. Its id is the case's place in lists; a decision covers the reports up to it.
    package let latest: Report
    package internal(set) var reportsCount: Int64 = 0
    /// Milliseconds since 1970.
    package internal(set) var firstReportedAt: Int64 = 0
    /// The most frequent reasons.
    package internal(set) var reasons: [Reason] = []
    /// The latest reports.
    package internal(set) var reports: [Report] = []
    /// The media of a reported post; nil for any other subject.
    package internal(set) var media: ReportedMedia?

    package struct Reason: Sendable, Equatable {
        package let text: String
        package let count: Int64
    }

    init(latest: Report) { self.latest = latest }
}

/// URLs, or paths of this server.
package struct ReportedMedia: Sendable, Equatable {
    package let url: String
    package let thumbnailURL: String?
}
