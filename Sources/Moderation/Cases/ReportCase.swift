import SocialGraph

/// The reports about one subject that have the same status and belong to the same moderators: one row of their list.
package struct ReportCase: Sendable, Equatable {
    /// Number of the latest reports whose reasons are counted.
    static let reasonsRead = 1_000
    static let reasonsShown = 5
    static let reportsShown = 10

    /// The latest report. Its id is the case's place in lists; a decision covers the reports up to it.
    package let latest: Report
    package internal(set) var reportsCount: Int64 = 0
    /// Milliseconds since 1970.
    package internal(set) var firstReportedAt: Int64 = 0
    /// The most frequent reasons of the latest ``reasonsRead`` reports.
    package internal(set) var reasons: [Reason] = []
    /// The latest reports.
    package internal(set) var reports: [Report] = []
    /// The media of a reported post; nil for any other subject.
    package internal(set) var media: ReportedMedia?

    package struct Reason: Sendable, Equatable {
        package let text: String
        package let count: Int64

        /// The most frequent of `reasons`; of equally frequent ones, the first of the list comes first.
        static func mostFrequent(of reasons: [String]) -> [Reason] {
            var counts: [String: Int64] = [:]
            var order: [String] = []
            for reason in reasons {
                if counts[reason] == nil { order.append(reason) }
                counts[reason, default: 0] += 1
            }
            let all = order.map { Reason(text: $0, count: counts[$0] ?? 0) }
            let sorted = all.enumerated().sorted { ($1.element.count, $0.offset) < ($0.element.count, $1.offset) }
            return Array(sorted.prefix(ReportCase.reasonsShown).map(\.element))
        }
    }

    init(latest: Report) { self.latest = latest }
}

/// URLs, or paths of this server.
package struct ReportedMedia: Sendable, Equatable {
    package let url: String
    package let thumbnailURL: String?
}
