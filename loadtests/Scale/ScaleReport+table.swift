import Foundation

extension ScaleReport {
    /// The report as a table in Markdown.
    package var table: String {
        let rows = size + load + balance + memory + speed + stored
        return (["| Figure | Value |", "|---|---|"] + rows.map { "| \($0.0) | \($0.1) |" }).joined(separator: "\n")
    }

    private typealias Row = (String, String)

    private var size: [Row] {
        [
            ("users; follows", "\(Self.number(Double(users))); \(Self.number(Double(follows)))"),
            ("nodes; Redis masters", "\(nodes); \(masters)"),
            ("posts/s; at the peak", "\(Self.number(postsPerSecond)); \(Self.number(atPeak(postsPerSecond)))"),
            ("pages/s; at the peak", "\(Self.number(pagesPerSecond)); \(Self.number(atPeak(pagesPerSecond)))"),
            ("followers of a pushed post, mean", Self.number(meanAudience)),
            (
                "hub authors; share of posts; most followers",
                [Self.number(Double(hubs.authors)), Self.percent(hubs.shareOfPosts), Self.number(hubs.mostFollowers)]
                    .joined(separator: "; ")
            ),
            ("hubs that a reader follows, mean", String(format: "%.2f", hubs.followedByReader)),
        ]
    }

    private var load: [Row] {
        [
            ("deliveries/s; at the peak", "\(Self.number(deliveries.total)); \(Self.number(deliveries.atPeak))"),
            ("deliveries/s a node, mean; worst", Self.meanAndMost(deliveries.byNode)),
            ("deliveries/s a master, mean; worst", Self.meanAndMost(deliveries.byMaster)),
        ]
    }

    private var balance: [Row] {
        let spreads = [deliveries.byBucket, deliveries.byGroup, deliveries.byMaster, deliveries.byNode]
        let ratios = spreads.map { String(format: "%.3f", $0.imbalance) }.joined(separator: "; ")
        return [("worst to mean: buckets; groups; masters; nodes", ratios)]
    }

    private var memory: [Row] {
        [
            ("windows; entries", "\(Self.number(Double(windows.number))); \(Self.number(windows.entries))"),
            (
                "memory of windows; of the fullest master",
                "\(Self.gigabytes(windows.bytes)); \(Self.gigabytes(windows.bytesByMaster.most))"
            ),
        ]
    }

    private var speed: [Row] {
        [
            ("lag of a post: mean audience; largest pushed; largest of all, if pushed", Self.lags(lag)),
            ("the same at the peak", Self.lags(lagAtPeak)),
            ("busiest master or node at the peak, full batches", Self.percent(lagAtPeak.utilisation)),
            (
                "cores at the peak: nodes; masters; PostgreSQL",
                [coresAtPeak.nodes, coresAtPeak.masters, coresAtPeak.database]
                    .map { String(format: "%.1f", $0) }.joined(separator: "; ")
            ),
        ]
    }

    private var stored: [Row] {
        let tables = database.sorted { $0.value.bytes > $1.value.bytes }
            .map { "\($0.key) \(Self.number($0.value.rows)), \(Self.gigabytes($0.value.bytes))" }
        return [
            ("rows", tables.joined(separator: "; ")),
            ("database", Self.gigabytes(databaseBytes)),
        ]
    }

    private func atPeak(_ rate: Double) -> Double { rate * workload.peakFactor }

    private static func meanAndMost(_ spread: Spread) -> String { "\(number(spread.mean)); \(number(spread.most))" }

    private static func lags(_ lag: Lag) -> String {
        [lag.meanAudience, lag.largestPushed, lag.largestOfAll].map { seconds in
            guard let seconds else { return "falls behind" }
            return seconds < 1 ? String(format: "%.0f ms", seconds * 1_000) : String(format: "%.1f s", seconds)
        }.joined(separator: "; ")
    }

    private static func percent(_ share: Double) -> String { String(format: "%.1f %%", share * 100) }

    private static func gigabytes(_ bytes: Double) -> String { String(format: "%.2f GB", bytes / 1e9) }

    /// Three significant digits below a thousand, and whole numbers with separators above.
    private static func number(_ value: Double) -> String {
        guard value >= 1_000 else { return String(format: "%.3g", value) }
        let digits = Array(String(format: "%.0f", value))
        return String(
            digits.enumerated().flatMap { index, digit -> [Character] in
                index > 0 && (digits.count - index).isMultiple(of: 3) ? [",", digit] : [digit]
            })
    }
}
