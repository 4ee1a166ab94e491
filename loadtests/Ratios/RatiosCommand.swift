import ArgumentParser
import Foundation

/// The ratios of graphd, and the scenarios, in one run with one report.
struct RatiosCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "standard",
        abstract: "The standard set: ratios to limits and peers, scenarios, one report.",
        discussion: """
            Each ratio is measured in pairs, ours and what it is held against, on servers of their own. The exit \
            status is 1 if a timeline was wrong, a request failed that nothing was made to fail, or a ratio could not \
            be measured; a target that is missed is said in the report and does not fail. Where --data lacks a real \
            graph, a generated one stands in.

            Example:
              loadtests standard --graphd .build/release/graphd --data data/graphs --report loadtests/reports/today
              loadtests standard --only reads_vs_constant --runs 5 …
            """)

    @Option(help: "Path of the graphd to measure.") var graphd: String
    @Option(help: "Directory of real graphs and activities.") var data = RealGraphs.defaultDirectory
    @Option(help: "Directory for report.json and index.html.") var report: String
    @Option(help: "The commit that is measured, for the report.") var commit = "unknown"
    @Option(help: "Pairs of each ratio.") var runs = 3
    @Option(help: "Stored posts of the real graph; its multiples have as many for each user.") var posts = 100_000
    @Option(help: "Directory of the Stream-Framework environment.") var peers = ".build/peers"
    @Option(help: "Multiples of the real graph for measuring growth, separated by commas.")
    var copies = "1"
    @Option(help: "Seconds for which memory is watched on the largest of them.") var soak = 20
    @Option(help: "Rates of last_follower and read_tail, as JSON: read if the file is there; found ones are added.")
    var rates: String?
    @Option(help: "Rate of one of them, such as last_follower=40 (may be repeated).") var rate: [String] = []
    @Option(help: "Ratios to measure (may be repeated); all if none is named, none if it is \"none\".")
    var only: [String] = []
    @Option(help: "Files of scenarios (may be repeated).") var scenario: [String] = []

    func validate() throws {
        let known = RatioKey.allCases.map(\.rawValue) + ["none"]
        for key in only where !known.contains(key) {
            throw ValidationError("\"\(key)\" is not one of \(known.joined(separator: ", ")).")
        }
        do { _ = try FixedRates.parse(rate) } catch { throw ValidationError("--rate: \(error)") }
        if runs < 1 { throw ValidationError("--runs takes a whole number from 1.") }
        if numbersOfCopies.isEmpty { throw ValidationError("--copies takes whole numbers from 1.") }
    }

    func run() async throws {
        let scenarios = try scenario.map(Scenario.read)
        let wanted = Self.measurements.filter { measurement in
            only.isEmpty || measurement.keys.contains { only.contains($0.rawValue) }
        }
        Progress.begin(steps: wanted.count + scenarios.count)
        var parts = StandardParts()
        let setting = try setting
        for measurement in wanted { await parts.add(measurement, setting) }
        await setting.real.remove()
        for scenario in scenarios {
            await parts.add(ScenarioRun(scenario: scenario, graphd: graphd, graphs: setting.graphs))
        }
        Progress.end()
        let whole = LoadReport(
            date: Date().formatted(.iso8601), commit: commit, machine: Machine.description,
            graphs: setting.graphs.description,
            command: "loadtests " + CommandLine.arguments.dropFirst().joined(separator: " "),
            ratios: Dictionary(parts.comparisons.map { ($0.key, $0.ratio) }, uniquingKeysWith: { first, _ in first }),
            comparisons: parts.comparisons, scenarios: parts.scenarios, growth: parts.growth,
            scheduled: parts.scheduled, verification: parts.verification, failures: parts.failures)
        try whole.write(to: report)
        print(RatioTable.text(whole.comparisons))
        for runs in whole.scheduled { print(runs.text) }
        print("verified: \(whole.verification.summary)")
        for failure in whole.failures { print("FAILED: \(failure)") }
        print("\(report)/index.html")
        if whole.isRed { throw ExitCode(1) }
    }

    static let measurements: [any RatioMeasurement] = [
        DeliveryRatios(), PostRatio(), LastFollowerRatio(), ImportRatio(),
        // On the shared network: growth ends its server.
        ReadRatios(), ReadTailRatio(), RebuildRatio(), StormRatios(), GrowthRatios(),
    ]

    private var numbersOfCopies: [Int] {
        copies.split(separator: ",").compactMap { Int($0) }.filter { $0 > 0 }.sorted()
    }

    private var setting: RatioSetting {
        get throws {
            RatioSetting(
                graphd: graphd, loadtests: CommandLine.arguments[0], graphs: RealGraphs(directory: data), runs: runs,
                peers: peers, posts: posts, copies: numbersOfCopies, soak: soak,
                rates: try FixedRates(rate, file: rates))
        }
    }
}

/// The findings of the standard set so far. A failed part does not prevent the others.
private struct StandardParts {
    var comparisons: [LoadReport.Comparison] = []
    var growth: [LoadReport.Growth] = []
    var scheduled: [ScheduledRuns] = []
    var scenarios: [ScenarioReport] = []
    var verification = Verification()
    var failures: [String] = []

    mutating func add(_ measurement: any RatioMeasurement, _ setting: RatioSetting) async {
        let keys = measurement.keys.map(\.rawValue).joined(separator: ", ")
        Progress.step(keys)
        do {
            let findings = try await measurement.measure(setting)
            comparisons += findings.comparisons
            growth += findings.growth
            scheduled += findings.scheduled
            verification.add(findings.verification)
        } catch {
            fail("\(keys): \(error)")
        }
    }

    mutating func add(_ run: ScenarioRun) async {
        Progress.step(run.scenario.name)
        do {
            let found = try await run.report()
            scenarios.append(found)
            verification.add(found.verification)
            if found.isRed(expectsFailures: !(run.scenario.events ?? []).isEmpty) {
                fail("\(found.name): requests failed, or timelines were wrong")
            }
        } catch {
            fail("\(run.scenario.name): \(error)")
        }
    }

    private mutating func fail(_ failure: String) {
        Progress.say("FAILED: \(failure)")
        failures.append(failure)
    }
}
