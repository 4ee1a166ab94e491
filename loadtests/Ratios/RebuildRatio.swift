import Foundation
import GraphdClient

/// A rebuild of all windows of the real graph after Redis has lost them, while readers continue: compared with reading
/// the same rows out of SQLite, and its effect on the slowest pages.
struct RebuildRatio: RatioMeasurement {
    var readers = 500
    var pagesPerSecond = 200.0

    private static let connections = 16
    /// Size below the page of any reader with a post.
    private static let emptyPage = 100
    private static let cap = 128

    let keys: [RatioKey] = [.rebuild, .readsDuringRebuild]

    func measure(_ setting: RatioSetting) async throws -> RatioFindings {
        let network = try await setting.real.network(setting)
        let people = try await peopleWithPosts(network)
        func pages(_ seconds: Double, seed: UInt64) async throws -> LoadResult {
            try await LoadGenerator.run(
                .init(
                    port: network.server.port, connections: Self.connections, pace: .open(perSecond: pagesPerSecond),
                    seconds: seconds, seed: seed),
                MixedWorkload([.home: 1], people: people, tags: [], seed: seed))
        }
        var (rebuild, tail) = (PairedFigure(.rebuild), PairedFigure(.readsDuringRebuild))
        for run in 0..<setting.runs {
            let quiet = try await pages(4, seed: UInt64(2 * run))
            kill(try network.server.redis().process, SIGKILL)
            async let during = pages(max(network.building, 2), seed: UInt64(2 * run + 1))
            try await network.server.client.waitUntilOutboxIsEmpty()
            let ours = try await Program.time {
                try network.server.command(["timelines", "rebuild", "--all"])
                try await network.server.client.waitUntilOutboxIsEmpty()
            }.seconds
            let busy = try await during
            try check(busy)
            let rows = try await Program.time {
                try StoredRows.read(database: network.server.directory + "/graph.db", cap: Self.cap)
            }.seconds
            rebuild.add(ours: ours, theirs: rows)
            tail.add(ours: busy.latency.milliseconds(99), theirs: quiet.latency.milliseconds(99))
        }
        return RatioFindings(
            comparisons: [
                rebuild.comparison(note: "\(network.shape.names.count) windows"),
                tail.comparison(note: "\(Int(pagesPerSecond)) pages/s, none of them empty"),
            ], verification: try await network.server.verification())
    }

    /// Checks that every page was answered, and none was empty.
    private func check(_ pages: LoadResult) throws {
        guard pages.failed == 0 else {
            throw Program.Failure(description: "\(pages.failed) pages failed during the rebuild: \(pages.failures)")
        }
        guard let smallest = pages.kinds.map(\.smallest).min(), smallest > Self.emptyPage else {
            throw Program.Failure(description: "a page was empty during the rebuild")
        }
    }

    private func peopleWithPosts(_ network: RealNetwork) async throws -> [MixedWorkload.Person] {
        var people: [MixedWorkload.Person] = []
        for token in try network.tokens(network.readers(readers)) {
            let page = try await network.server.client.with(token: token).timelines.home(limit: 1)
            if !page.items.isEmpty { people.append(.init(id: "", token: token, followers: 0)) }
        }
        return people
    }
}
