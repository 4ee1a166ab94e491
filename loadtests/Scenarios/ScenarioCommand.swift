import ArgumentParser
import Foundation

/// Scenarios, one after the other, and a report of them.
struct ScenarioCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "scenario",
        abstract: "Run scenarios that files describe, and write a report.",
        discussion: """
            Requests are sent on a schedule, and a latency counts from the time at which its request was to be sent. \
            Every scenario has a server of its own and ends with `graphd timelines verify --all`; the exit status is \
            1 if that finds anything, or if a request failed that nothing was made to fail.

            Example:
              loadtests scenario --graphd .build/release/graphd --data ../shared/data --report reports/today \\
                loadtests/Scenarios/Files/retwis.json
            """)

    @Option(help: "The graphd to measure.") var graphd: String
    @Option(help: "Where real graphs and activities lie.") var data: String
    @Option(help: "Where report.json and index.html are written.") var report: String
    @Option(help: "The commit that is measured, for the report.") var commit = "unknown"
    @Option(help: "Port on 127.0.0.1.") var port = 18_090
    @Argument(help: "Files of scenarios.") var scenarios: [String]

    func run() async throws {
        let all = try scenarios.map(Scenario.read)
        var reports: [ScenarioReport] = []
        var isRed = false
        for scenario in all {
            let found = try await ScenarioRun(scenario: scenario, graphd: graphd, data: data, port: port).report()
            reports.append(found)
            if found.isRed(expectsFailures: !(scenario.events ?? []).isEmpty) {
                Progress.say("\(scenario.name): RED")
                isRed = true
            }
        }
        let whole = LoadReport(
            date: Date().formatted(.iso8601), commit: commit, machine: Machine.description,
            command: CommandLine.arguments.dropFirst().joined(separator: " "), ratios: [:], comparisons: [],
            scenarios: reports, growth: [])
        try whole.write(to: report)
        print("\(report)/index.html")
        if isRed { throw ExitCode(1) }
    }
}
