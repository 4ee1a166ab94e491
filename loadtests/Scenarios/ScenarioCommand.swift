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

            With --server scenarios are run on a server of this machine instead, which stays up: their users and \
            posts are added to its data directory. Its settings are its own, and nothing is made to go wrong.

            Example:
              loadtests scenario --graphd .build/release/graphd --report reports/today \\
                loadtests/Scenarios/Files/retwis.json
              loadtests scenario --server 127.0.0.1:8080 --data-dir data … loadtests/Scenarios/Files/retwis.json
            """)

    @Option(help: "Path of the graphd to measure.") var graphd: String
    @Option(help: "Directory of real graphs and activities.") var data = RealGraphs.defaultDirectory
    @Option(help: "Directory for report.json and index.html.") var report: String
    @Option(help: "The commit that is measured, for the report.") var commit = "unknown"
    @Option(help: ArgumentHelp("A running server instead of one for each scenario.", valueName: "host:port"))
    var server: String?
    @Option(help: "The data directory that --server serves.") var dataDir: String?
    @Argument(help: "Files of scenarios.") var scenarios: [String]

    func validate() throws {
        guard (server == nil) == (dataDir == nil) else {
            throw ValidationError("--server and --data-dir go together.")
        }
        if let server, Self.port(of: server) == nil {
            throw ValidationError("--server takes 127.0.0.1:PORT or localhost:PORT, not \"\(server)\".")
        }
    }

    private static func port(of server: String) -> Int? {
        let parts = server.split(separator: ":", omittingEmptySubsequences: false)
        guard parts.count == 2, ["127.0.0.1", "localhost"].contains(parts[0]), let port = UInt16(parts[1]), port > 0
        else { return nil }
        return Int(port)
    }

    private var target: ScenarioRun.Target? {
        guard let port = server.flatMap(Self.port), let dataDir else { return nil }
        return ScenarioRun.Target(port: port, directory: dataDir)
    }

    func run() async throws {
        let all = try scenarios.map(Scenario.read)
        if target != nil, let scenario = all.first(where: { !($0.events ?? []).isEmpty }) {
            throw ValidationError("\(scenario.name) makes something go wrong, which takes a server of its own.")
        }
        var reports: [ScenarioReport] = []
        let graphs = RealGraphs(directory: data)
        var failures: [String] = []
        Progress.begin(steps: all.count)
        for scenario in all {
            Progress.step(scenario.name)
            let found = try await ScenarioRun(
                scenario: scenario, graphd: graphd, graphs: graphs, target: target
            ).report()
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
            comparisons: [], scenarios: reports, growth: [], scheduled: [], verification: verification,
            failures: failures)
        try whole.write(to: report)
        for failure in failures { print("FAILED: \(failure)") }
        print("\(report)/index.html")
        if whole.isRed { throw ExitCode(1) }
    }
}
