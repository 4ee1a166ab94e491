/// The file descriptors of the server.
struct DescriptorCheck: Equatable {
    /// Largest share in use, in percent, that leaves room for a rush.
    private static let fullPercent = 80

    /// Descriptors that the process may have open.
    let limit: Int
    /// Descriptors that it has open; nil: nobody knows, or no server runs.
    let open: Int?
    /// False if no server runs, and ``limit`` is that of this shell.
    var isOfServer = true
    /// The settings `--max-connections` and `--max-connections-per-address`.
    let connections: Int
    let connectionsPerAddress: Int
    /// The setting `--redis-shards`.
    var shards = 1

    var finding: Finding {
        let owner = isOfServer ? "The server" : "This shell"
        let raise = "Raise the limit: LimitNOFILE= in the unit of systemd, ulimit -n in a shell."
        guard
            let budget = DescriptorBudget(
                limit: limit, wanted: connections, wantedPerAddress: connectionsPerAddress, shards: shards)
        else {
            return Finding(
                .descriptors, .failure,
                "\(owner) may open only \(limit) files; a server needs at least \(DescriptorBudget.minimum).",
                remedy: raise)
        }
        if let open, open * 100 > limit * Self.fullPercent {
            return Finding(
                .descriptors, .warning, "The server has \(open) of at most \(limit) files open.", remedy: raise)
        }
        if budget.isLowered {
            return Finding(
                .descriptors, .warning,
                "\(owner) may open only \(limit) files: of \(connections) connections, \(budget.connections) are "
                    + "accepted.", remedy: raise + " Or lower --max-connections.")
        }
        let used = open.map { "\($0) of " } ?? ""
        return Finding(
            .descriptors, .sound, "\(owner) may open \(used)\(limit) files, enough for \(connections) connections.")
    }
}
