import ArgumentParser
import Foundation

/// A profile of a server's time under a scenario.
struct ProfileCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "profile",
        abstract: "Draw a flame graph of graphd under a scenario.",
        discussion: """
            perf takes samples of graphd (not of its Redis, nor of the generator) during the scenario's last run.

            Example:
              loadtests profile --graphd .build/release/graphd --data data/graphs --report loadtests/reports/profile \\
                loadtests/Scenarios/Files/deathstarbench.json
            """)

    @Option(help: "Path of the graphd to profile.") var graphd: String
    @Option(help: "Directory of real graphs and activities.") var data = RealGraphs.defaultDirectory
    @Option(help: "Directory for profile.svg and folded.txt.") var report: String
    @Argument(help: "A scenario's file.") var scenario: String

    func run() async throws {
        let scenario = try Scenario.read(scenario)
        let graphs = RealGraphs(directory: data)
        let profiler = try Profiler(directory: report)
        Progress.begin(steps: 1)
        Progress.step("profile of \(scenario.name)")
        let found = try await ScenarioRun(
            scenario: scenario, graphd: graphd, graphs: graphs, profiler: profiler
        ).report()
        Progress.end()
        print("\(report)/profile.svg")
        if !found.verification.isClean { throw ExitCode(1) }
    }
}
