import Foundation

/// What every ratio is measured with.
struct RatioSetting: Sendable {
    let graphd: String
    /// This program, to serve the constant answer in a process of its own.
    let loadtests: String
    /// The directory of real graphs.
    let data: String
    /// Pairs of each ratio.
    var runs = 3
    /// Where the environment of Stream-Framework is kept.
    var peers = ".build/peers"
    /// Stored posts of the real graph, by authors drawn in proportion to followers.
    var posts = 100_000
    /// Graphs that are so many times the real one, over which growth is measured.
    var copies = [1]
    /// Seconds for which the server's memory is watched.
    var soak = 20
    /// The real graph, on a server.
    let real = SharedNetwork()

    /// What real graphs are made from; where there is no such file, a generated one of the same mean degree.
    func graph(copies: Int = 1) -> GraphSource {
        guard hasRealGraph else {
            return .powerLaw(users: Self.generated * copies, followees: Self.followees, seed: 1)
        }
        return copies == 1 ? .follows(realGraph) : .lift(realGraph, copies: copies)
    }

    /// The networks over which growth is measured, ascending, with as many posts for each user: number 0 has about 10,000
    /// users, the others are ``copies``. That of one copy is ``real``.
    func growthNetwork(_ number: Int) async throws -> RealNetwork {
        let once = hasRealGraph ? Self.original : Self.generated
        if number == 0 {
            return try await RealNetwork(self, posts: posts * Self.small / once, graph: smallGraph)
        }
        let copies = copies[number - 1]
        if copies == 1 { return try await real.network(self) }
        return try await RealNetwork(self, posts: posts * copies, graph: graph(copies: copies))
    }

    private var smallGraph: GraphSource {
        guard hasRealGraph else { return .powerLaw(users: Self.small, followees: Self.followees, seed: 1) }
        return .part(realGraph, users: Self.small)
    }

    private var realGraph: String { data + "/ego-twitter-follows.csv.gz" }
    private var hasRealGraph: Bool { FileManager.default.fileExists(atPath: realGraph) }

    /// Users of the smallest graph, of the real one, and of the one that stands in for it.
    private static let (small, original, generated) = (10_000, 81_306, 40_000)
    private static let followees = 22
}

/// What the measurement of one or more ratios has found.
struct RatioFindings: Sendable {
    var comparisons: [LoadReport.Comparison]
    var growth: [LoadReport.Growth] = []
    /// Of every timeline that the measurement's servers held at the end.
    let verification: Verification
}

/// One or more ratios that are measured on the same servers.
protocol RatioMeasurement: Sendable {
    var keys: [RatioKey] { get }
    func measure(_ setting: RatioSetting) async throws -> RatioFindings
}
