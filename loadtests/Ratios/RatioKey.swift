/// The ratios of graphd, by their names in `report.json`.
enum RatioKey: String, CaseIterable {
    case deliveriesVsLimit = "deliveries_vs_limit"
    case stormVsLimit = "storm_vs_limit"
    case deliveriesVsStreamFramework = "deliveries_vs_stream_framework"
    case stormVsStreamFramework = "storm_vs_stream_framework"
    case deliveriesVsPostgres = "deliveries_vs_postgres"
    case bytesVsPostgres = "bytes_vs_postgres"
    case windowMemory = "window_memory"
    case readsVsConstant = "reads_vs_constant"
    case readsVsPostgres = "reads_vs_postgres"
    case largeReadsVsPostgres = "large_reads_vs_postgres"
    case readTail = "read_tail"
    case filteredVsPlain = "filtered_vs_plain"
    case postsVsSQLite = "posts_vs_sqlite"
    case lastFollower = "last_follower"
    case importVsSQLite = "import_vs_sqlite"
    case growthOfDeliveries = "growth_deliveries"
    case growthOfReads = "growth_reads"
    case windowVsPull2 = "window_vs_pull_2"
    case windowVsPull6 = "window_vs_pull_6"
    case windowVsPull20 = "window_vs_pull_20"
    case windowVsPull200 = "window_vs_pull_200"
    case windowVsPull1000 = "window_vs_pull_1000"
    case resident
    case rebuild
    case readsDuringRebuild = "reads_during_rebuild"

    /// The ratios whose requests are due at a fixed rate.
    static let scheduled: [RatioKey] = [.lastFollower, .readTail]

    enum Target {
        case atLeast(Double)
        case atMost(Double)

        var text: String {
            switch self {
            case .atLeast(let value): "≥ \(value.short)"
            case .atMost(let value): "≤ \(value.short)"
            }
        }

        func isMet(by ratio: Double) -> Bool {
            switch self {
            case .atLeast(let value): ratio >= value
            case .atMost(let value): ratio <= value
            }
        }
    }

    private static func pull(_ followees: Int, _ target: Target) -> (title: String, unit: String, target: Target) {
        ("CPU of a page from the window to a pull, \(followees) followees", "µs", target)
    }

    /// The subject of the measurement, its unit, and the target of its ratio to the reference.
    var description: (title: String, unit: String, target: Target) {
        switch self {
        case .deliveriesVsLimit: ("Durable deliveries, steady, to the fan-out limit", "deliveries/s", .atLeast(1))
        case .stormVsLimit: ("Durable deliveries, post storm, to the fan-out limit", "deliveries/s", .atLeast(4))
        case .deliveriesVsStreamFramework:
            ("Durable deliveries, steady, to Stream-Framework", "deliveries/s", .atLeast(16))
        case .stormVsStreamFramework:
            ("Durable deliveries, post storm, to Stream-Framework", "deliveries/s", .atLeast(60))
        case .deliveriesVsPostgres: ("Post storm to PostgreSQL push", "deliveries/s", .atLeast(2.5))
        case .bytesVsPostgres: ("Bytes of an entry to PostgreSQL push", "bytes", .atMost(0.25))
        case .windowMemory: ("Memory of a window to a skiplist of 800 entries", "bytes", .atMost(0.06))
        case .readsVsConstant: ("Home pages to a constant answer of equal size", "pages/s", .atLeast(0.5))
        case .readsVsPostgres: ("Home pages over HTTP to PostgreSQL pull without", "pages/s", .atLeast(4))
        case .largeReadsVsPostgres:
            ("The same, of the 1,000 readers with most followees", "pages/s", .atLeast(8))
        case .readTail: ("Home page p99 at a fixed rate to its p50", "ms", .atMost(5))
        case .filteredVsPlain: ("Filtered page, warm, to an unfiltered one", "ms", .atMost(1.5))
        case .postsVsSQLite: ("Acknowledged posts, 64 clients, to bare SQLite", "posts/s", .atLeast(0.5))
        case .lastFollower: ("Post to last of 1,000 followers, p99 at a fixed rate, to its idle p50", "ms", .atMost(5))
        case .importVsSQLite: ("Import of the real graph to bare SQLite", "follows/s", .atLeast(0.8))
        case .windowVsPull2: Self.pull(2, .atMost(1))
        case .windowVsPull6: Self.pull(6, .atMost(1))
        case .windowVsPull20: Self.pull(20, .atMost(1))
        case .windowVsPull200: Self.pull(200, .atMost(1.0 / 3))
        case .windowVsPull1000: Self.pull(1_000, .atMost(0.1))
        case .growthOfDeliveries: ("CPU of a delivery, largest graph to smallest", "µs", .atMost(1.3))
        case .growthOfReads: ("CPU of a page, largest graph to smallest", "µs", .atMost(1.2))
        case .resident: ("Memory of graphd on the largest graph, after a soak to before", "MiB", .atMost(1.1))
        case .rebuild: ("Rebuild of all windows to reading their rows from SQLite", "s", .atMost(3))
        case .readsDuringRebuild: ("Page p99 during the rebuild to before", "ms", .atMost(10))
        }
    }
}

/// A figure of ours and its reference, pair by pair of one run, so that a drift in the machine's speed changes both.
struct PairedFigure {
    let key: RatioKey
    private var pairs: [(ours: Double, theirs: Double)] = []

    init(_ key: RatioKey) { self.key = key }

    mutating func add(ours: Double, theirs: Double) {
        pairs.append((ours, theirs))
        Progress.say(
            "\(key.rawValue): \(ours.short) to \(theirs.short) \(key.description.unit), ratio \((ours / theirs).short)")
    }

    /// Returns the median of at least one value; of an even number the mean of the two in the middle.
    static func median(_ values: [Double]) -> Double {
        let sorted = values.sorted()
        return (sorted[(sorted.count - 1) / 2] + sorted[sorted.count / 2]) / 2
    }

    /// - Parameter isValid: false if the figures say nothing about the target, which then counts as missed.
    func comparison(note: String? = nil, isValid: Bool = true) -> LoadReport.Comparison {
        let ratios = pairs.map { $0.ours / $0.theirs }.sorted()
        let (title, unit, target) = key.description
        return LoadReport.Comparison(
            key: key.rawValue, title: title, unit: unit, ours: Self.median(pairs.map(\.ours)),
            theirs: Self.median(pairs.map(\.theirs)), ratio: Self.median(ratios), least: ratios.first ?? 0,
            most: ratios.last ?? 0, target: target.text, isMet: isValid && target.isMet(by: Self.median(ratios)),
            note: note)
    }
}
