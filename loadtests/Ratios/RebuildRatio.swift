import Foundation
import GraphAPI

/// All windows of the real graph built anew after Redis has lost them, while readers go on: against reading the same rows
/// out of SQLite, and what that does to the slowest pages.
struct RebuildRatio: RatioMeasurement {
    var posts = 200_000
    var readers = 500

    let keys: [RatioKey] = [.rebuild, .readsDuringRebuild]

    func measure(_ setting: RatioSetting) async throws -> [LoadReport.Comparison] {
        let network = try await RealNetwork(setting, posts: posts)
        defer { network.remove() }
        let tokens = try network.server.tokens(network.readers(readers).map(network.shape.username))
        let people = tokens.map { MixedWorkload.Person(id: "", token: $0, followers: 0) }
        func pages(_ seconds: Double, seed: UInt64) async throws -> LoadResult {
            try await LoadGenerator.run(
                .init(port: setting.port, connections: 16, pace: .open(perSecond: 200), seconds: seconds, seed: seed),
                MixedWorkload([.home: 1], people: people, tags: [], seed: seed))
        }
        let quiet = try await pages(4, seed: 1)
        kill(try network.server.redis().process, SIGKILL)
        try await network.server.client.waitUntilSettled()
        async let during = pages(8, seed: 2)
        let ours = try await Program.time {
            try network.server.command(["timelines", "rebuild", "--all"])
            try await network.server.client.waitUntilSettled()
        }.seconds
        let rows = try await Program.time { try readRows(network) }.seconds
        let busy = try await during
        guard busy.failed == 0 else {
            throw Program.Failure(description: "\(busy.failed) pages failed during the rebuild: \(busy.failures)")
        }
        var (rebuild, tail) = (PairedFigure(.rebuild), PairedFigure(.readsDuringRebuild))
        rebuild.add(ours: ours, theirs: rows)
        tail.add(ours: busy.latency.milliseconds(99), theirs: quiet.latency.milliseconds(99))
        try await network.server.verify()
        return [rebuild.comparison(), tail.comparison(note: "200 pages/s")]
    }

    /// What the windows hold: the newest of everybody whom a user follows, for every user.
    private func readRows(_ network: RealNetwork) throws {
        let script = """
            SELECT COUNT(*) FROM (
                SELECT a.id, (SELECT SUM(post_id) FROM (
                    SELECT ap.post_id FROM follow f JOIN author_post ap ON ap.author_id = f.followee_id
                    WHERE f.follower_id = a.id ORDER BY ap.post_id DESC LIMIT 128)) AS total FROM account a)
            WHERE total > 0;
            """
        try Program.run(
            Program.find("sqlite3"), ["-readonly", network.server.directory + "/graph.db", script])
    }
}
