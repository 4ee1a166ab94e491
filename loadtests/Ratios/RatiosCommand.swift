import ArgumentParser
import Foundation

/// The ratios by which graphd is judged, and the scenarios, in one run with one report.
struct RatiosCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "standard",
        abstract: "The standard set: ratios to limits and peers, scenarios, one report.",
        discussion: """
            Each ratio is measured in pairs, ours and what it is held against, on servers of their own. The exit \
            status is 1 if a timeline was wrong, or a request failed that nothing was made to fail; a target that is \
            missed is said in the report and does not fail.

            Example:
              loadtests standard --graphd .build/release/graphd --data ../shared/data --report loadtests/reports/today
              loadtests standard --only reads_vs_constant --runs 5 …
            """)

    @Option(help: "The graphd to measure.") var graphd: String
    @Option(help: "Where real graphs and activities lie.") var data: String
    @Option(help: "Where report.json and index.html are written.") var report: String
    @Option(help: "The commit that is measured, for the report.") var commit = "unknown"
    @Option(help: "Pairs of each ratio.") var runs = 3
    @Option(help: "Where the environment of Stream-Framework is kept.") var peers = ".build/peers"
    @Option(help: "Ratios to measure; all if none is named.") var only: [String] = []
    @Option(help: "Files of scenarios.") var scenario: [String] = []

    func run() async throws {
        let setting = RatioSetting(
            graphd: graphd, loadtests: CommandLine.arguments[0], data: data, runs: runs, peers: peers)
        let all: [any RatioMeasurement] = [
            DeliveryRatios(), StormRatios(), ReadRatios(), PostRatio(), LastFollowerRatio(), ImportRatio(),
            RebuildRatio(),
        ]
        let wanted = all.filter { measurement in
            only.isEmpty || measurement.keys.contains { only.contains($0.rawValue) }
        }
        let scenarios = try scenario.map(Scenario.read)
        let steps = wanted.count + scenarios.count
        var comparisons: [LoadReport.Comparison] = []
        for (number, measurement) in wanted.enumerated() {
            Progress.say("[\(number + 1)/\(steps)] \(measurement.keys.map(\.rawValue).joined(separator: ", "))")
            comparisons += try await measurement.measure(setting)
        }
        var reports: [ScenarioReport] = []
        for (number, scenario) in scenarios.enumerated() {
            Progress.say("[\(wanted.count + number + 1)/\(steps)] \(scenario.name)")
            reports.append(
                try await ScenarioRun(scenario: scenario, graphd: graphd, data: data, port: setting.port).report())
        }
        try LoadReport(
            date: Date().formatted(.iso8601), commit: commit, machine: Machine.description,
            command: CommandLine.arguments.dropFirst().joined(separator: " "),
            ratios: Dictionary(comparisons.map { ($0.key, $0.ratio) }, uniquingKeysWith: { first, _ in first }),
            comparisons: comparisons, scenarios: reports, growth: []
        ).write(to: report)
        print("\(report)/index.html")
        let red = zip(scenarios, reports).filter { $1.isRed(expectsFailures: !($0.events ?? []).isEmpty) }
        for (scenario, _) in red { Progress.say("\(scenario.name): RED") }
        if !red.isEmpty { throw ExitCode(1) }
    }
}
