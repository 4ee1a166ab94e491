import Foundation

/// The cost of a page from its window, compared with the same page of the same reader pulled from SQLite, by the number
/// of followees.
///
/// Both are processor time of graphd and Redis for a home page over HTTP, less that of `GET /healthz`, the minimum of
/// the HTTP stack. The pull is graphd's own, in a server over the same data directory without Redis. Both sides retain
/// authentication, finding the entries, judging them and writing the page.
struct WindowVsPull {
    let network: RealNetwork
    var seconds = 1.5

    private static let readers = 50
    /// Number of posts of the network for which the targets are set.
    private static let posts = 10_000_000
    private static let classes: [(followees: Int, key: RatioKey)] = [
        (2, .windowVsPull2), (6, .windowVsPull6), (20, .windowVsPull20), (200, .windowVsPull200),
        (1_000, .windowVsPull1000),
    ]

    /// Compares the two. Ends the network's server.
    func comparisons(_ setting: RatioSetting) async throws -> [LoadReport.Comparison] {
        let groups = try Self.classes.compactMap { group -> (key: RatioKey, tokens: [String])? in
            let readers = network.readers(near: group.followees, count: Self.readers).filter {
                abs(network.shape.followees[$0] - group.followees) <= group.followees / 5
            }
            return readers.isEmpty ? nil : (group.key, try network.tokens(readers))
        }
        let fromWindows = try await costs(groups.map(\.tokens), network.server, runs: setting.runs)
        network.server.stop()
        let alone = try await Server(
            graphd: setting.graphd, directory: network.server.directory,
            arguments: ["--redis", "unix://\(network.server.directory)/none.sock"], withRedis: false)
        defer { alone.stop() }
        let pulled = try await costs(groups.map(\.tokens), alone, runs: setting.runs)
        return groups.indices.map { group in
            var figure = PairedFigure(groups[group].key)
            for (ours, theirs) in zip(fromWindows[group], pulled[group]) { figure.add(ours: ours, theirs: theirs) }
            return figure.comparison(
                note: "\(groups[group].tokens.count) readers among \(network.shape.names.count) users with "
                    + "\(network.authors.count) posts; without what an empty answer over HTTP takes"
                    + (network.authors.count < Self.posts ? "; the target is for \(Self.posts) posts" : ""))
        }
    }

    /// Returns microseconds, for each group one for each run.
    private func costs(_ groups: [[String]], _ server: Server, runs: Int) async throws -> [[Double]] {
        let pages = CostOfPages(server: server, seconds: seconds)
        let nothing = CostOfPages(server: server, seconds: seconds, operation: .health)
        for tokens in groups { try await pages.warm(tokens) }
        var costs = Array(repeating: [Double](), count: groups.count)
        for _ in 0..<runs {
            let base = try await nothing.microseconds(groups.flatMap(\.self))
            for (group, tokens) in groups.enumerated() {
                let page = try await pages.microseconds(tokens)
                guard page > base else {
                    throw Program.Failure(description: "a page took \(page.short) µs, an empty answer \(base.short)")
                }
                costs[group].append(page - base)
            }
        }
        return costs
    }
}
