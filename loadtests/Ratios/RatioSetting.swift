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
    var port = 18_100
}

/// One or more ratios that are measured on the same servers.
protocol RatioMeasurement: Sendable {
    var keys: [RatioKey] { get }
    func measure(_ setting: RatioSetting) async throws -> [LoadReport.Comparison]
}
