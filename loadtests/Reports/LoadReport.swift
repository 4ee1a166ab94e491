import Foundation

/// All findings of a run of `make load`, in the format of `report.json`.
struct LoadReport: Codable, Sendable {
    /// A figure and its reference, in pairs of one run.
    struct Comparison: Codable, Sendable {
        let key: String
        let title: String
        /// The unit, such as "deliveries/s".
        let unit: String
        let ours: Double
        let theirs: Double
        /// The median of the pairs, the least and the greatest.
        let ratio: Double
        let least: Double
        let most: Double
        /// The target, such as "≥ 1.0".
        let target: String
        let isMet: Bool
        let note: String?
    }

    /// Cost against size.
    struct Growth: Codable, Sendable {
        let title: String
        let unit: String
        /// Users and cost, ascending.
        let points: [[Double]]
    }

    let date: String
    let commit: String
    let machine: String
    /// The graphs used, real or generated.
    let graphs: String
    let command: String
    /// The ratios by their key.
    let ratios: [String: Double]
    let comparisons: [Comparison]
    let scenarios: [ScenarioReport]
    let growth: [Growth]
    /// The runs of the ratios at a fixed rate.
    let scheduled: [ScheduledRuns]
    /// The verification of every timeline at the end of every measurement of ratios and every scenario.
    let verification: Verification
    /// Failed measurements with their reasons; scenarios with failed requests.
    let failures: [String]

    /// True if a timeline was wrong, or a measurement failed.
    var isRed: Bool { !verification.isClean || !failures.isEmpty }

    /// Writes `report.json` and `index.html` into `directory`, which is created.
    func write(to directory: String) throws {
        try FileManager.default.createDirectory(atPath: directory, withIntermediateDirectories: true)
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.prettyPrinted, .sortedKeys, .withoutEscapingSlashes]
        try encoder.encode(self).write(to: URL(fileURLWithPath: directory + "/report.json"))
        try LoadPage(report: self).html.write(toFile: directory + "/index.html", atomically: true, encoding: .utf8)
    }
}
