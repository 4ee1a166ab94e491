import Foundation

/// Resident memory of graphd under load at half of its maximum rate: at the end, compared with after the first fifth,
/// in which caches fill.
struct Soak {
    let network: RealNetwork
    let seconds: Int

    private static let readers = 5_000
    private static let mix: [Scenario.Operation: Double] = [.home: 90, .compose: 10]

    func comparison() async throws -> LoadReport.Comparison {
        let people = try network.tokens(network.readers(Self.readers)).map {
            MixedWorkload.Person(id: "", token: $0, followers: 0)
        }
        func load(_ pace: Pace, _ seconds: Double) async throws -> LoadResult {
            try await LoadGenerator.run(
                .init(port: network.server.port, pace: pace, warmUp: 0, seconds: seconds),
                MixedWorkload(Self.mix, people: people, tags: [], seed: 1))
        }
        // A cold server reaches a tenth of its maximum rate.
        _ = try await load(.closed, max(Double(seconds) / 20, 1))
        let half = try await load(.closed, 3).rate / 2
        try await network.server.client.waitUntilOutboxIsEmpty()
        let first = try await load(.open(perSecond: half), Double(seconds) / 5)
        let before = try network.server.usage()
        let rest = try await load(.open(perSecond: half), Double(seconds) * 4 / 5)
        let after = try network.server.usage()
        guard first.failed + rest.failed == 0 else {
            throw Program.Failure(description: "requests failed in the soak: \(rest.failures)")
        }
        var figure = PairedFigure(.resident)
        figure.add(ours: after.residentBytes.mebibytes, theirs: before.residentBytes.mebibytes)
        return figure.comparison(
            note: "\(network.shape.names.count) users, \(network.authors.count) posts; \(seconds) s at "
                + "\(half.short) requests/s, 9 of 10 pages, 1 a post; of it pages of files: "
                + "\(before.mappedBytes.mebibytes.short), then \(after.mappedBytes.mebibytes.short) MiB")
    }
}
