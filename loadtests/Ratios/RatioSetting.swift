import Foundation

/// What every ratio is measured with.
struct RatioSetting: Sendable {
    let graphd: String
    /// This program, to serve the constant answer in a process of its own.
    let loadtests: String
    let graphs: RealGraphs
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

    /// The networks over which growth is measured, ascending, with as many posts for each user: number 0 has about
    /// 10,000 users, the others are ``copies``. That of one copy is ``real``.
    func growthNetwork(_ number: Int) async throws -> RealNetwork {
        if number == 0 {
            let posts = posts * Self.smallest / graphs.users
            return try await RealNetwork(self, posts: posts, graph: graphs.part(users: Self.smallest))
        }
        let copies = copies[number - 1]
        if isShared(number) { return try await real.network(self) }
        return try await RealNetwork(self, posts: posts * copies, graph: graphs.follows(copies: copies))
    }

    /// Whether that network is ``real``, which others use, too.
    func isShared(_ number: Int) -> Bool { number > 0 && copies[number - 1] == 1 }

    private static let smallest = 10_000
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
