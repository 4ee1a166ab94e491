/// The result of `graphd timelines verify --all`: every home timeline computed from SQLite, and compared with its
/// window.
struct Verification: Codable, Sendable {
    var timelines = 0
    var windows = 0
    var entries = 0
    var missing = 0
    var extra = 0
    var misordered = 0

    var isClean: Bool { missing == 0 && extra == 0 && misordered == 0 }

    var summary: String {
        "\(missing) missing, \(extra) extra, \(misordered) misordered in \(entries) entries of \(timelines) timelines"
    }

    mutating func add(_ other: Verification) {
        timelines += other.timelines
        windows += other.windows
        entries += other.entries
        missing += other.missing
        extra += other.extra
        misordered += other.misordered
    }
}
