import Foundation
import Processes

/// Home pages over the real graph: compared with a constant answer and with PostgreSQL that pulls; and filtered,
/// compared with unfiltered.
struct ReadRatios: RatioMeasurement {
    var readers = 2_000
    var largest = 1_000
    var seconds = 3

    private static let connections = 64
    /// Number of readers whose page size is measured.
    private static let sampled = 100
    private static let page = "/v1/timelines/home?limit=20"

    let keys: [RatioKey] = [.readsVsConstant, .readsVsPostgres, .largeReadsVsPostgres, .filteredVsPlain]

    func measure(_ setting: RatioSetting) async throws -> RatioFindings {
        let network = try await setting.real.network(setting)
        let (alike, large) = (network.readers(readers), network.largestReaders(largest))
        let (load, largeLoad) = (try network.load(alike), try network.load(large))
        let url = network.server.base + Self.page
        func rate(_ load: PageLoad, _ url: String) throws -> Double {
            try load.run(url, connections: Self.connections, seconds: seconds).rate
        }
        _ = try rate(load, url)
        _ = try rate(largeLoad, url)
        var found = try await againstConstant(setting, network, alike, url) { try rate(load, $0) }
        found += try againstPostgreSQL(
            setting, network, readers: (alike, { try rate(load, url) }), largest: (large, { try rate(largeLoad, url) }))
        var filtered = PairedFigure(.filteredVsPlain)
        let filter = url + "&algorithms=" + SampleGraph.tags.prefix(2).joined(separator: ",")
        _ = try rate(load, filter)
        for _ in 0..<setting.runs {
            let plain = try rate(load, url)
            filtered.add(ours: 1_000 / (try rate(load, filter)), theirs: 1_000 / plain)
        }
        found.append(filtered.comparison(note: "any of two tags, which a quarter of the posts have"))
        return RatioFindings(comparisons: found, verification: try await network.server.verification())
    }

    private func againstConstant(
        _ setting: RatioSetting, _ network: RealNetwork, _ readers: [Int], _ url: String,
        _ rate: (String) throws -> Double
    ) async throws -> [LoadReport.Comparison] {
        let size = try pageSize(network, Array(readers.prefix(Self.sampled)), url)
        let port = try FreePort.take()
        let constant = try ChildProcess(setting.loadtests, ["constant", "--port", "\(port)", "--bytes", "\(size)"])
        defer { constant.stop(signal: SIGKILL) }
        try await Task.sleep(for: .seconds(1))
        var figure = PairedFigure(.readsVsConstant)
        for _ in 0..<setting.runs {
            let ours = try rate(url)
            figure.add(ours: ours, theirs: try rate("http://127.0.0.1:\(port)/constant"))
        }
        return [figure.comparison(note: "pages of \(size) bytes on average")]
    }

    /// Returns the average size in bytes.
    private func pageSize(_ network: RealNetwork, _ readers: [Int], _ url: String) throws -> Int {
        let curl = try Program.find("curl")
        let sizes = try network.tokens(readers).map { token in
            try Program.run(curl, ["-s", "-H", "Authorization: Bearer \(token)", url]).utf8.count
        }
        return sizes.reduce(0, +) / max(sizes.count, 1)
    }

    private typealias Readers = (users: [Int], rate: () throws -> Double)

    private func againstPostgreSQL(
        _ setting: RatioSetting, _ network: RealNetwork, readers: Readers, largest: Readers
    ) throws -> [LoadReport.Comparison] {
        let postgres = try PostgreSQL()
        defer { postgres.stop() }
        let peer = try network.inPostgreSQL(postgres, cap: 128)
        var (all, large) = (PairedFigure(.readsVsPostgres), PairedFigure(.largeReadsVsPostgres))
        _ = try peer.pull(readers: readers.users, seconds: 1)
        for _ in 0..<setting.runs {
            all.add(ours: try readers.rate(), theirs: try peer.pull(readers: readers.users, seconds: seconds))
            large.add(ours: try largest.rate(), theirs: try peer.pull(readers: largest.users, seconds: seconds))
        }
        return [all.comparison(), large.comparison()]
    }
}
