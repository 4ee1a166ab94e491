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
    /// Graphs that are so many times the real one, over which growth is measured.
    var copies = [1]
    /// Stored posts of the largest of them.
    var growthPosts = 200_000
    /// Seconds for which the server's memory is watched.
    var soak = 20

    /// What real graphs are made from; where there is no such file, a generated one of the same mean degree.
    func graph(copies: Int = 1) -> GraphSource {
        guard hasRealGraph else {
            return .powerLaw(users: Self.generated * copies, followees: Self.followees, seed: 1)
        }
        return copies == 1 ? .follows(realGraph) : .lift(realGraph, copies: copies)
    }

    /// Over which growth is measured, ascending, and about how many users they have.
    var growthGraphs: [(source: GraphSource, users: Int)] {
        let small: GraphSource =
            hasRealGraph
            ? .part(realGraph, users: Self.small) : .powerLaw(users: Self.small, followees: Self.followees, seed: 1)
        let once = hasRealGraph ? Self.real : Self.generated
        return [(small, Self.small)] + copies.map { (graph(copies: $0), once * $0) }
    }

    private var realGraph: String { data + "/ego-twitter-follows.csv.gz" }
    private var hasRealGraph: Bool { FileManager.default.fileExists(atPath: realGraph) }

    /// Users of the smallest graph, of the real one, and of the one that stands in for it.
    private static let (small, real, generated) = (10_000, 81_306, 40_000)
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
