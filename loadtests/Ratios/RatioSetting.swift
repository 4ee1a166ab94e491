import Foundation

/// The setting of every ratio.
struct RatioSetting: Sendable {
    let graphd: String
    /// The path of this program, which serves the constant answer in a separate process.
    let loadtests: String
    let graphs: RealGraphs
    /// Number of pairs of each ratio.
    var runs = 3
    /// The directory of Stream-Framework's environment.
    var peers = ".build/peers"
    /// Number of stored posts of the real graph, by authors drawn in proportion to followers.
    var posts = 100_000
    /// Sizes of the graphs over which growth is measured, in copies of the real one.
    var copies = [1]
    /// Seconds for which the server's memory is observed.
    var soak = 20
    /// The rates of requests on a schedule.
    let rates: FixedRates
    /// The real graph, on a server.
    let real = SharedNetwork()

    /// Returns a network over which growth is measured, ascending, with the same number of posts for each user: number
    /// 0 has about 10,000 users, the others are ``copies``. That of one copy is ``real``.
    func growthNetwork(_ number: Int) async throws -> RealNetwork {
        if number == 0 {
            let posts = posts * Self.smallest / graphs.users
            return try await RealNetwork(self, posts: posts, graph: graphs.part(users: Self.smallest))
        }
        let copies = copies[number - 1]
        if isShared(number) { return try await real.network(self) }
        return try await RealNetwork(self, posts: posts * copies, graph: graphs.follows(copies: copies))
    }

    /// Returns true if that network is ``real``, which others also use.
    func isShared(_ number: Int) -> Bool { number > 0 && copies[number - 1] == 1 }

    private static let smallest = 10_000
}

/// The findings of the measurement of one or more ratios.
struct RatioFindings: Sendable {
    var comparisons: [LoadReport.Comparison]
    var growth: [LoadReport.Growth] = []
    /// The runs of a ratio at a fixed rate.
    var scheduled: [ScheduledRuns] = []
    /// The verification of every timeline of the measurement's servers at the end.
    let verification: Verification
}

/// One or more ratios that are measured on the same servers.
protocol RatioMeasurement: Sendable {
    var keys: [RatioKey] { get }
    func measure(_ setting: RatioSetting) async throws -> RatioFindings
}
