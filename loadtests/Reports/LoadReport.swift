import Foundation

/// Everything that a run of `make load` has found, as `report.json` has it.
struct LoadReport: Codable, Sendable {
    /// A figure and what it is held against, pairs of one run.
    struct Comparison: Codable, Sendable {
        let key: String
        let title: String
        /// Such as "deliveries/s".
        let unit: String
        let ours: Double
        let theirs: Double
        /// The median of the pairs, its least and its most.
        let ratio: Double
        let least: Double
        let most: Double
        /// What is wanted, such as "≥ 1.0".
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
    /// Whether graphs were real ones.
    let graphs: String
    let command: String
    /// By their key.
    let ratios: [String: Double]
    let comparisons: [Comparison]
    let scenarios: [ScenarioReport]
    let growth: [Growth]
    /// Of every timeline at the end of every measurement of ratios and every scenario.
    let verification: Verification
    /// What could not be measured, and why; scenarios with failed requests.
    let failures: [String]

    /// A timeline was wrong, or something that was to be measured was not.
    var isRed: Bool { !verification.isClean || !failures.isEmpty }

    /// Writes `report.json` and `index.html` into `directory`, which is made.
    func write(to directory: String) throws {
        try FileManager.default.createDirectory(atPath: directory, withIntermediateDirectories: true)
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.prettyPrinted, .sortedKeys, .withoutEscapingSlashes]
        try encoder.encode(self).write(to: URL(fileURLWithPath: directory + "/report.json"))
        try LoadPage(report: self).html.write(toFile: directory + "/index.html", atomically: true, encoding: .utf8)
    }
}
