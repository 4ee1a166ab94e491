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
              loadtests scenario --graphd .build/release/graphd --data data/graphs --report reports/today \\
                loadtests/Scenarios/Files/retwis.json
            """)

    @Option(help: "The graphd to measure.") var graphd: String
    @Option(help: "Where real graphs and activities lie.") var data: String
    @Option(help: "Where report.json and index.html are written.") var report: String
    @Option(help: "The commit that is measured, for the report.") var commit = "unknown"
    @Argument(help: "Files of scenarios.") var scenarios: [String]

    func run() async throws {
        let all = try scenarios.map(Scenario.read)
        var reports: [ScenarioReport] = []
        let graphs = RealGraphs(directory: data)
        var failures: [String] = []
        Progress.begin(steps: all.count)
        for scenario in all {
            Progress.step(scenario.name)
            let found = try await ScenarioRun(scenario: scenario, graphd: graphd, graphs: graphs).report()
            reports.append(found)
            if found.isRed(expectsFailures: !(scenario.events ?? []).isEmpty) {
                failures.append("\(scenario.name): requests failed, or timelines were wrong")
            }
        }
        Progress.end()
        var verification = Verification()
        for report in reports { verification.add(report.verification) }
        let whole = LoadReport(
            date: Date().formatted(.iso8601), commit: commit, machine: Machine.description, graphs: graphs.description,
            command: "loadtests " + CommandLine.arguments.dropFirst().joined(separator: " "), ratios: [:],
            comparisons: [], scenarios: reports, growth: [], verification: verification, failures: failures)
        try whole.write(to: report)
        for failure in failures { print("FAILED: \(failure)") }
        print("\(report)/index.html")
        if whole.isRed { throw ExitCode(1) }
    }
}
