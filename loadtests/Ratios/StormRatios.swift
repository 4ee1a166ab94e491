import Foundation

/// A storm of posts by the authors of the real graph, drawn in proportion to followers: compared with PostgreSQL that
/// pushes into a table; and the bytes of an entry.
struct StormRatios: RatioMeasurement {
    /// Chosen so that the trimming, once in a storm, affects as many entries of a timeline as the slack at which
    /// windows are trimmed.
    var posts = 16_000
    var cap = 128

    private static let clients = 64

    let keys: [RatioKey] = [.deliveriesVsPostgres, .bytesVsPostgres]

    func measure(_ setting: RatioSetting) async throws -> RatioFindings {
        let network = try await setting.real.network(setting)
        let postgres = try PostgreSQL()
        defer { postgres.stop() }
        let peer = try network.inPostgreSQL(postgres, cap: cap)
        try peer.fill()
        var (storm, bytes) = (PairedFigure(.deliveriesVsPostgres), PairedFigure(.bytesVsPostgres))
        for run in 1...setting.runs {
            let authors = draw(network, seed: UInt64(run + 10))
            let deliveries = authors.reduce(0) { $0 + network.shape.followers[$1] }
            let ours = Double(deliveries) / (try await publish(authors, network))
            storm.add(ours: ours, theirs: try peer.push(authors: authors, deliveries: deliveries))
        }
        bytes.add(ours: try network.server.windowStatistics().bytesPerEntry, theirs: try peer.bytesOfEntry())
        let setup = "\(posts) posts, \(Self.clients) clients over HTTP; PostgreSQL: 8 of pgbench, trimmed and vacuumed"
        return RatioFindings(
            comparisons: [storm.comparison(note: setup), bytes.comparison()],
            verification: try await network.server.verification())
    }

    private func draw(_ network: RealNetwork, seed: UInt64) -> [Int] {
        var generator = SeededGenerator(seed: seed)
        let draw = network.shape.authors()
        return (0..<posts).map { _ in draw.draw(using: &generator) }
    }

    /// Returns the seconds until all are delivered.
    private func publish(_ authors: [Int], _ network: RealNetwork) async throws -> Double {
        let distinct = Set(authors).sorted()
        let tokens = Dictionary(uniqueKeysWithValues: zip(distinct, try network.tokens(distinct)))
        let inOrder = authors.compactMap { tokens[$0] }
        return try await Program.time {
            try await network.server.publish(inOrder, connections: Self.clients)
        }.seconds
    }
}
